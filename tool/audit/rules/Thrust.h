// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the rules about Thrust share.
#ifndef AUTOPROF_AUDIT_RULES_THRUST_H
#define AUTOPROF_AUDIT_RULES_THRUST_H

#include "audit/Rules.h"

namespace autoprof::audit {

/// `thrust::sort`, `thrust::copy`; not the methods of vectors.
bool isThrustAlgorithm(const LinkedSite &S);

/// The argument that is an execution policy, or null.
const Arg *policyOf(const LinkedSite &S);

/// The policy as written with par_nosync for par; "" when it is not written as
/// one of Thrust's own.
std::string noSyncForm(llvm::StringRef Policy);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_THRUST_H
