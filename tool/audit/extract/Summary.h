// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function returns, and what it assigns to fields and global variables.
#pragma once

#include "audit/extract/Scopes.h"

namespace autoprof::audit {

/// Fills Result and Assigns.
void summarize(const clang::FunctionDecl *F, const clang::Stmt *Body,
               const Scopes &In, Names &TheNames, Function &Out);

/// The value with which a field or a global variable begins; none if it is not
/// a number. `Init`: null for what begins with 0.
std::optional<Assignment> initialValue(const clang::ValueDecl *D,
                                       const clang::Expr *Init,
                                       const clang::ASTContext &Context,
                                       Names &TheNames);

} // namespace autoprof::audit
