// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions on parameters, across calls
// --------------------------------------
// In `void step(bool sync) { ...; if (sync) wait(); }` the wait needs `sync`. A
// call `step(false)` does not reach it; a call `step(true)` reaches it without
// a condition; and `step(flag)` in another function passes the need on, if
// `flag` is a parameter there.
#ifndef AUTOPROF_AUDIT_REACH_H
#define AUTOPROF_AUDIT_REACH_H

#include "audit/Model.h"

#include <optional>

namespace autoprof::audit {

/// What code needs of the parameters of its function; sorted, no duplicates.
using Needs = std::vector<Need>;

bool operator<(const Need &A, const Need &B);
bool operator==(const Need &A, const Need &B);

/// What the conditions around a place of a function need, and `More`.
Needs needsAt(const Function &F, int Scope, const Needs &More = {});

/// What becomes of the needs of a function at one of its calls.
struct PassedNeeds {
  Needs Left; ///< Of the parameters of the calling function.
  Needs Met;  ///< Those of the called function that the call's constants meet.
  /// Those of the called function that became one of Left, and which.
  std::vector<std::pair<Need, Need>> Renamed;
};
/// None: the call passes a constant with which the code is not reached.
std::optional<PassedNeeds> passNeeds(const Call &Made, const Needs &Wanted);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_REACH_H
