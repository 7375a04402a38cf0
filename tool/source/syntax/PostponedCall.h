// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only change that needs Sema: it instantiates experiment.h's templates for
// the call that they replace.
#ifndef AUTOPROF_SOURCE_SYNTAX_POSTPONEDCALL_H
#define AUTOPROF_SOURCE_SYNTAX_POSTPONEDCALL_H

#include "source/syntax/ProbeNodes.h"

namespace clang {
class Sema;
} // namespace clang

namespace autoprof::source {

/// Replaces `Call`, a copy to the host, by a call that returns the value of the
/// previous one; null if it cannot be built. Its instantiations are pending
/// afterwards.
clang::Expr *postponedCall(clang::Sema &S, const ProbeNodes &Nodes, uint64_t Id,
                           clang::CallExpr *Call);

} // namespace autoprof::source

#endif // AUTOPROF_SOURCE_SYNTAX_POSTPONEDCALL_H
