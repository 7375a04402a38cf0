// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "source/ast/Trail.h"

#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"

namespace autoprof::source {

/// The body of a loop, null for other statements and for `do { } while (0)`.
const clang::Stmt *loopBody(const clang::Stmt *S);

/// Whether a directive of OpenMP or OpenACC collapses the loop at the end of
/// `Way` and the next one in it. Then nothing may be inserted between the two.
/// Directives that clang ignores (without -fopenmp) are read from the text,
/// because another compiler may honor them.
bool isCollapsed(Trail Way, const clang::SourceManager &SM);

/// Whether a pragma before `S`, or at its beginning, affects the compilation of
/// `S`. It requires a loop or an expression next, not a brace.
bool belongsToPragma(const clang::Stmt *S, const clang::SourceManager &SM);

} // namespace autoprof::source
