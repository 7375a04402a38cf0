// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `autoprof try` measured, for a report of the same program.
#pragma once

#include "analysis/comparison/Experiments.h"

namespace autoprof::report {

/// One change that was measured at a place of the recording.
struct TriedChange {
  uint32_t Row = 0; ///< Into Result::Sites.
  analysis::Switched How = analysis::Switched::NotWaiting;
  std::string Verdict, Output; ///< As in try.json; "": not known.
  analysis::Interval Saved;    ///< ns per step.
};

struct Tried {
  std::string Answer; ///< The first sentence of what `try` printed.
  std::vector<TriedChange> Changes;
};

/// Of try.json, the changes that have a result. Fails if the file cannot be
/// read, or if none of its places is in the recording.
llvm::Expected<Tried> readTried(llvm::StringRef Path, const trace::Timeline &T,
                                const analysis::Result &R);

/// "measured: late saves 9.80 to 12.5 us per step; the output is equal".
std::string triedText(const TriedChange &C);

} // namespace autoprof::report
