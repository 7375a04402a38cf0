// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was measured on one machine, its copies and pauses, and what calls do:
// `--semantics FILE` reads it (JSON, schema autoprof-semantics/1, described in
// docs/calibrate.md). Times of calls are nanoseconds that the host thread
// spends in them. Plain values; owns its strings.
#pragma once

#include "catalogue/Catalogue.h"
#include "catalogue/Constants.h"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace autoprof::catalogue {

/// Where the work that is queued before the call runs.
enum class PriorWork { OwnStream, OtherNonBlocking, OtherBlocking, Legacy };
constexpr unsigned NumBehind = 4;

/// One call with one kind of arguments.
struct Observation {
  std::string Call; ///< Row::Name.
  std::string
      Arguments; ///< The arguments in words, "into pageable memory, 4 KiB".
  Facts Known;   ///< What the catalogue would know of them.
  /// Facts and values that this version's catalogue does not have: about the
  /// second GPU, or from a file of another version. Such an observation is
  /// shown but answers no question.
  std::vector<std::pair<std::string, std::string>> Foreign;
  std::string Error;              ///< Why it was not measured, or "".
  std::optional<int64_t> FirstNs; ///< The first call of the process.
  std::optional<int64_t> IdleNs;  ///< Best of several, with an idle GPU.
  /// Best of several with work queued before the call; none: not measured.
  std::array<std::optional<int64_t>, NumBehind> BehindNs;
  /// After a kernel that ends only when the host sets a flag after the call:
  /// true if the call did not return before the kernel timed out.
  std::array<std::optional<bool>, NumBehind> Blocked;
  /// The time was long, and the same for every length of the queued work.
  bool Slow = false;
};

struct SkippedLibrary {
  std::string Library; ///< As in Libraries.def.
  std::string Reason;
};

struct Semantics {
  std::string Made; ///< UTC, ISO 8601.
  std::string Gpu, ComputeCapability, Driver, Cuda, Host;
  unsigned Gpus = 0;
  int64_t QueuedNs = 0;              ///< Length of the work in BehindNs.
  std::optional<int64_t> QueueDepth; ///< Launches until one blocks.
  std::optional<bool> PageableMemoryAccess;
  std::vector<Observation> Observations;
  std::vector<SkippedLibrary> Skipped;
  Constants Machine;
};

/// "own_stream", "other_nonblocking", "other_blocking", "legacy_stream".
llvm::StringRef name(PriorWork B);

/// What an observation shows.
struct Verdict {
  Waits Wait;      ///< Yes, No or Slow.
  WaitsFor Target; ///< Stream or Device: an event's work is its stream's.
};

/// Whether the call waited for work queued there; none: not measured.
/// `QueuedNs`: Semantics::QueuedNs.
std::optional<bool> waitedFor(const Observation &O, PriorWork Work,
                              int64_t QueuedNs);
/// None if too little was measured. A wait for one kind of work is enough for
/// "yes"; "no" requires a measurement with its own stream or, for a call
/// without a stream, the legacy one.
std::optional<Verdict> verdict(const Observation &O, int64_t QueuedNs);

/// Whether the answer matches the observation. Some slow calls take time that
/// grows with their size, so a fast call does not refute "slow"; "maybe"
/// matches nothing.
bool agrees(const Verdict &Seen, const Answer &Said);

/// Like ask() of Catalogue.h, but measurements take precedence where they
/// answer the question. `Measured` may be null. Thread-safe.
Answer ask(const Row &General, const Facts &Known, const Semantics *Measured);

/// An observation that differs from the answer of the catalogue's own rows.
struct Difference {
  const Observation *O;
  Verdict Seen;
  Answer BuiltIn;
};
std::vector<Difference> differences(const Semantics &Measured);

/// "NVIDIA H200, driver 580.159.04, CUDA 13.0"; with several GPUs, also their
/// number.
std::string machine(const Semantics &S);

} // namespace autoprof::catalogue
