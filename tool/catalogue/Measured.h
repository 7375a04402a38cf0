// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calibrations that autoprof ships: the files of measured/, as written by
// bench/calibrate/, are part of the program. See measured/update.py.
#pragma once

#include "catalogue/Semantics.h"

#include <unordered_map>

namespace autoprof::catalogue {

/// All of them, in the order of their file names. Read at the first call;
/// thread-safe.
llvm::ArrayRef<Semantics> shipped();

/// An observation and the calibration that contains it.
struct Seen {
  const Semantics *Calibrations;
  const Observation *O;
  std::optional<Verdict> Says;
};

/// The observations of several calibrations, by call. Refers to the
/// calibrations.
class ObservationIndex {
  std::unordered_map<const Row *, std::vector<Seen>> ByCall;

public:
  explicit ObservationIndex(llvm::ArrayRef<const Semantics *> Calibrations);
  /// Those of the call of this general row, in the order of the calibrations.
  llvm::ArrayRef<Seen> of(const Row &General) const;
  /// Those with arguments for which the row `Speaking` answers.
  std::vector<Seen> under(const Row &Speaking) const;
};

/// Why the catalogue's answer differs from a shipped calibration.
struct Explanation {
  llvm::StringLiteral Call, Arguments, Reason;
};
/// Null if there is none.
const Explanation *explanation(const Observation &O);

} // namespace autoprof::catalogue
