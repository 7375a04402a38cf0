// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calibrations that autoprof ships: the files of measured/, as written by
// `autoprof calibrate`, are part of the program. See measured/update.py.
#ifndef AUTOPROF_CATALOGUE_MEASURED_H
#define AUTOPROF_CATALOGUE_MEASURED_H

#include "catalogue/Semantics.h"

#include <unordered_map>

namespace autoprof::catalogue {

/// All of them, in the order of their files' names. Read at the first call;
/// thread-safe.
llvm::ArrayRef<Semantics> shipped();

/// An observation with the calibration it stands in.
struct Seen {
  const Semantics *Calibrations;
  const Observation *O;
  std::optional<Verdict> Says;
};

/// The observations of several calibrations, which it refers to, by call.
class ObservationIndex {
  std::unordered_map<const Row *, std::vector<Seen>> ByCall;

public:
  explicit ObservationIndex(llvm::ArrayRef<const Semantics *> Calibrations);
  /// Of the call of this general row, in the order of the calibrations.
  llvm::ArrayRef<Seen> of(const Row &General) const;
  /// Those with arguments for which `Speaking` is the row that speaks.
  std::vector<Seen> under(const Row &Speaking) const;
};

/// Why the catalogue does not answer as measured, of shipped calibrations.
struct Explanation {
  llvm::StringLiteral Call, Arguments, Reason;
};
/// Null: there is none.
const Explanation *explanation(const Observation &O);

} // namespace autoprof::catalogue

#endif // AUTOPROF_CATALOGUE_MEASURED_H
