// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers shared by the rules about Thrust.
#ifndef AUTOPROF_AUDIT_RULES_THRUST_H
#define AUTOPROF_AUDIT_RULES_THRUST_H

#include "audit/Rules.h"

namespace autoprof::audit {

/// Whether it is `thrust::sort`, `thrust::copy` or the like; not a method of a
/// vector.
bool isThrustAlgorithm(const LinkedSite &S);

/// The argument that is an execution policy, or null.
const Arg *policyOf(const LinkedSite &S);

/// The policy itself: for a variable, what it was initialized with, if known.
llvm::StringRef policyText(const Arg &Policy);

/// The policy as written, with par_nosync instead of par; "" if it is not one
/// of Thrust's own.
std::string noSyncForm(llvm::StringRef Policy);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_THRUST_H
