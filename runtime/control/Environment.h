// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The AUTOPROF_* environment variables (docs/runtime.md lists them).
#pragma once

#include "runtime/protocol/MeasuredCosts.h"
#include "runtime/protocol/WindowPlan.h"
#include "runtime/support/Log.h"

#include <cstdint>
#include <string>
#include <vector>

namespace autoprof::runtime {

enum class Mode {
  Nvtx,  ///< NVTX ranges only; nothing is recorded.
  Light, ///< Probes with host clocks; no CUPTI; launch sites are left out.
  Full   ///< Everything.
};

/// "nvtx", "light", "full".
const char *name(Mode M);

/// Rank numbers that a launcher gave this process; empty: not given.
struct RankNumbers {
  std::string Rank;  ///< Among all processes, from 0.
  std::string Local; ///< Among the processes of this machine, from 0.
  std::string All;   ///< Number of processes.
};

struct Settings {
  bool Disabled = false;
  bool Listens = false; ///< Accepts `autoprof attach`.
  /// `autoprof run` waits for the end of the run, and names the traces then.
  bool IsNamedLater = false;
  Mode RecordingMode = Mode::Nvtx;
  LogLevel Level = LogLevel::Warn;
  std::string Output; ///< As written by the user; empty: do not record.
  std::string Cupti;  ///< Path of libcupti, or empty.
  uint64_t MaxMemory = 256u << 20; ///< Bytes of buffers the runtime may hold.
  WindowPlan Window;               ///< The part of the run to record.
  RankNumbers Numbers;
  uint64_t ThrottleAfter = DefaultThrottle; ///< See ProbeOptions.
  bool Compress = false;                    ///< Compress the trace.
  bool Stacks = false; ///< Record host stacks; only with Mode::Full.
  /// See StackPlan (Occasions.h).
  uint64_t StackPauseNs = DefaultStackPauseNs;
  /// How graph launches are recorded; never Auto.
  GraphRecords Graphs = GraphRecords::Launches;
  bool Memory = false; ///< Record allocations; only with Mode::Full.
  bool Calls = false;  ///< Record calls that may wait; only with Mode::Light.
  /// Record only the window's edges; only with Mode::Light.
  bool StepTimes = false;
  MeasuredCosts OwnCosts; ///< What recording costs on this machine.
  /// Duration of copies and pauses on this machine: a JSON object for the
  /// trace.
  std::string Machine;
  /// One sentence for each value that could not be parsed. They are printed
  /// only once it is certain that the process is to be recorded.
  std::vector<std::string> Problems;
};

using GetEnv = const char *(*)(const char *Name);

/// Reads the settings through `Get`, which is getenv or a substitute.
Settings readSettings(GetEnv Get);

/// Replaces %p (process id), %h (host name), %q{NAME} (environment variable)
/// and %% in `Pattern`, and resolves the result against `Directory`. Sequences
/// that cannot be expanded are left as they are, with a sentence in `Problems`.
std::string expandOutput(const std::string &Pattern,
                         const std::string &Directory, GetEnv Get,
                         std::vector<std::string> &Problems);

} // namespace autoprof::runtime
