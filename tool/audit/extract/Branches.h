// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the code of a branch ends.
#ifndef AUTOPROF_AUDIT_EXTRACT_BRANCHES_H
#define AUTOPROF_AUDIT_EXTRACT_BRANCHES_H

#include "audit/Model.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

namespace autoprof::audit {

/// How the code always ends. `InSwitch`: a `break` there ends a switch.
Scope::Exit exitOf(const clang::Stmt *Code, bool InSwitch);
Scope::Exit exitOf(llvm::ArrayRef<const clang::Stmt *> Code, bool InSwitch);

/// Whether the code always throws, ends the program, or returns an error: an
/// error code of an API, or -1, false or a null pointer after a message to
/// stderr.
bool givesUp(const clang::Stmt *Code, const clang::ASTContext &Context);

/// cudaError_t, cublasStatus_t, CUresult, ncclResult_t and the like.
bool isStatus(clang::QualType T);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_BRANCHES_H
