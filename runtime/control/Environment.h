// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The AUTOPROF_* environment variables (docs/runtime-reference.md lists them).
#ifndef AUTOPROF_RUNTIME_CONTROL_ENVIRONMENT_H
#define AUTOPROF_RUNTIME_CONTROL_ENVIRONMENT_H

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

/// Of a process that a launcher started; empty: not said.
struct RankNumbers {
  std::string Rank;  ///< Among all, from 0.
  std::string Local; ///< Among those of its machine, from 0.
  std::string All;   ///< How many there are.
};

struct Settings {
  bool Disabled = false;
  bool Listens = false; ///< To `autoprof attach`.
  Mode RecordingMode = Mode::Nvtx;
  LogLevel Level = LogLevel::Warn;
  std::string Output;              ///< As written; empty: do not record.
  std::string Cupti;               ///< Path of libcupti, or empty.
  uint64_t MaxMemory = 256u << 20; ///< Bytes of buffers the runtime may hold.
  WindowPlan Window;               ///< What part of the run is recorded.
  RankNumbers Numbers;
  uint64_t ThrottleAfter = DefaultThrottle; ///< ProbeOptions'.
  bool Compress = false;                    ///< The trace.
  bool Stacks = false; ///< Host stacks; only with Mode::Full.
  /// StackPlan's (Occasions.h).
  uint64_t StackPauseNs = DefaultStackPauseNs;
  /// Of graph launches; never Auto.
  GraphRecords Graphs = GraphRecords::Launches;
  bool Memory = false;    ///< Allocations; only with Mode::Full.
  bool Calls = false;     ///< Calls that may wait; only with Mode::Light.
  bool StepTimes = false; ///< The window's edges only; with Mode::Light.
  MeasuredCosts OwnCosts; ///< What recording costs on this machine.
  /// How long copies and pauses take on it: a JSON object for the trace.
  std::string Machine;
  /// One sentence for each value that was not understood. They are said only
  /// once the process turns out to be one to record.
  std::vector<std::string> Problems;
};

using GetEnv = const char *(*)(const char *Name);

/// Reads the settings through `Get` (getenv).
Settings readSettings(GetEnv Get);

/// Replaces %p (process id), %h (host name), %q{NAME} (environment variable)
/// and %% in `Pattern`, and makes the result absolute below `Directory`.
/// What cannot be expanded is left as it is, with a sentence in `Problems`.
std::string expandOutput(const std::string &Pattern,
                         const std::string &Directory, GetEnv Get,
                         std::vector<std::string> &Problems);

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_CONTROL_ENVIRONMENT_H
