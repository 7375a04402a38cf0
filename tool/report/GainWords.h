// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place that puts a gain into words.
#pragma once

#include "analysis/decisions/Decisions.h"

#include <string>

namespace autoprof::report {

/// In parts, for tables; and in one:
///   "about 0.80 ms per step (0.30 to 1.30 ms), 2.4 %"
///   "about 4.78 us per step (0 to 9.74 us, perhaps nothing), 2.8 %"
///   "nothing measurable (about 1.10 us per step, at most 20.0 us)"
///   "about 15 us per step in the recorded run (12 to 18 us), 4 % of the
///   recorded step"
///   "at most 18 us per step in the recorded run, 4.8 % of the recorded step
///   (not replayed: ...)"
/// "0" where the recorded run gains nothing.
struct GainWords {
  std::string Amount; ///< "about 0.80 ms per step (0.30 to 1.30 ms)".
  std::string Share;  ///< "2.4 %", "4 % of the recorded step", or "".
  std::string Caveat; ///< "may be more: launch-bound", or "".

  std::string text() const;
};

/// `NotReplayed`: why only the upper end is known, or "".
GainWords gainWords(const analysis::ExpectedGain &Gain,
                    llvm::StringRef NotReplayed = "", bool LaunchBound = false);

} // namespace autoprof::report
