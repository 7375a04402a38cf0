// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one change that needs Sema: experiment.h's templates are instantiated
// for the call that they replace.
#ifndef AUTOPROF_SOURCE_SYNTAX_POSTPONEDCALL_H
#define AUTOPROF_SOURCE_SYNTAX_POSTPONEDCALL_H

#include "source/syntax/ProbeNodes.h"

namespace clang {
class Sema;
} // namespace clang

namespace autoprof::source {

/// `Call`, a copy to the host, as the call that gives the value of the one
/// before; null when it cannot be built. What it instantiates is pending
/// afterwards.
clang::Expr *postponedCall(clang::Sema &S, const ProbeNodes &Nodes, uint64_t Id,
                           clang::CallExpr *Call);

} // namespace autoprof::source

#endif // AUTOPROF_SOURCE_SYNTAX_POSTPONEDCALL_H
