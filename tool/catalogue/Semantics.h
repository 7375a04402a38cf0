// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What calls were seen to do on one machine: what `autoprof calibrate` writes
// and `--semantics FILE` reads (JSON, schema autoprof-semantics/1, described
// in docs/calibrate.md). Times are nanoseconds of the host thread inside the
// call. Plain values; owns its strings.
#ifndef AUTOPROF_CATALOGUE_SEMANTICS_H
#define AUTOPROF_CATALOGUE_SEMANTICS_H

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
  std::string Call; ///< As rows are named.
  std::string
      Arguments; ///< The arguments in words, "into pageable memory, 4 KiB".
  Facts Known;   ///< What the catalogue would be told of them.
  /// Facts and values that this version's catalogue has no word for: of the
  /// second GPU, or from a file of another version. Such an observation is
  /// shown and answers no question.
  std::vector<std::pair<std::string, std::string>> Foreign;
  std::string Error;              ///< Why it was not measured; "" if it was.
  std::optional<int64_t> FirstNs; ///< The first call of the process.
  std::optional<int64_t> IdleNs;  ///< Best of several, with an idle GPU.
  /// Best of several with work queued before; none: not measured.
  std::array<std::optional<int64_t>, NumBehind> BehindNs;
  /// Behind a kernel that ends only when the host sets a flag after the call:
  /// true if the call did not return before the kernel gave up.
  std::array<std::optional<bool>, NumBehind> Blocked;
  /// With work of several lengths queued, the time stayed the same and long.
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

/// What an observation says.
struct Verdict {
  Waits Wait;      ///< Yes, No or Slow.
  WaitsFor Target; ///< Stream or Device: an event's work is a stream's.
};

/// Whether the call waited for work queued there; none: not measured.
/// `QueuedNs`: Semantics::QueuedNs.
std::optional<bool> waitedFor(const Observation &O, PriorWork Work,
                              int64_t QueuedNs);
/// None when too little was measured to say. That the call waited for one kind
/// of work says "yes"; for "no" its own stream, or the legacy one of a call
/// without a stream, must have been tried.
std::optional<Verdict> verdict(const Observation &O, int64_t QueuedNs);

/// Whether the answer says what was seen. The catalogue knows of slow calls
/// whose time grows with their size, so that "slow" is not refuted by a quick
/// one; and "maybe" says nothing.
bool agrees(const Verdict &Seen, const Answer &Said);

/// As ask() of Catalogue.h; but what was measured wins where it answers the
/// question. `Measured` may be null. Thread-safe.
Answer ask(const Row &General, const Facts &Known, const Semantics *Measured);

/// An observation that the catalogue's own rows do not answer as measured.
struct Difference {
  const Observation *O;
  Verdict Seen;
  Answer BuiltIn;
};
std::vector<Difference> differences(const Semantics &Measured);

/// "NVIDIA H200, driver 580.159.04, CUDA 13.0", of several GPUs also how many.
std::string machine(const Semantics &S);

} // namespace autoprof::catalogue

#endif // AUTOPROF_CATALOGUE_SEMANTICS_H
