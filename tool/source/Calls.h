// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which calls are sites: kernel launches, and calls of catalogued functions
// that move work or memory or may make the host wait. A function counts as
// catalogued by its name and by where it is declared, so that a function of
// the user's with the same name does not.
#ifndef AUTOPROF_SOURCE_CALLS_H
#define AUTOPROF_SOURCE_CALLS_H

#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace autoprof::source {

struct CataloguedCall {
  llvm::StringRef Kind;
  std::string Callee; ///< The kernel, or the function without suffixes.
};

/// What `Call` is, if it is a site.
std::optional<CataloguedCall> catalogued(const clang::CallExpr *Call,
                                         const clang::SourceManager &SM);

/// The functions that `Call` may call: one, or in a template the overloads
/// among which its instantiation will choose. None through a pointer.
llvm::SmallVector<const clang::FunctionDecl *, 1>
callees(const clang::CallExpr *Call);

} // namespace autoprof::source

#endif // AUTOPROF_SOURCE_CALLS_H
