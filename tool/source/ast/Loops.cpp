// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/ast/Loops.h"

#include "source/ast/Functions.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/CharInfo.h"
#include "llvm/Support/Regex.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::source {

const Stmt *loopBody(const Stmt *S) {
  if (const auto *For = llvm::dyn_cast<ForStmt>(S))
    return For->getBody();
  if (const auto *For = llvm::dyn_cast<CXXForRangeStmt>(S))
    return For->getBody();
  if (const auto *While = llvm::dyn_cast<WhileStmt>(S))
    return While->getBody();
  if (const auto *Do = llvm::dyn_cast<DoStmt>(S))
    return runsOnce(Do) ? nullptr : Do->getBody();
  return nullptr;
}

/// Removes the last line from `Text`, with the lines that it continues.
static StringRef takeLastLine(StringRef &Text) {
  const StringRef Whole = Text;
  StringRef Before = Text;
  do
    Before = Before.contains('\n') ? Before.rsplit('\n').first : "";
  while (Before.rtrim("\r").ends_with("\\"));
  Text = Before;
  return Whole.drop_front(Before.size()).trim(" \t\r\n");
}

/// The number in `collapse(2)` or `ordered(2)`.
static unsigned loopsOfClause(StringRef Pragma, StringRef Clause) {
  const size_t Pos = Pragma.find(Clause);
  StringRef Rest =
      Pos == StringRef::npos ? "" : Pragma.substr(Pos + Clause.size()).ltrim();
  if (!Rest.consume_front("("))
    return 1;
  Rest = Rest.take_until([](char C) { return C == ')'; }).trim();
  unsigned Loops = 0;
  return Rest.getAsInteger(10, Loops) ? ~0u : Loops;
}

/// Removes the pragma at the end of `Text`, ignoring comments, and returns it;
/// "" if `Text` ends in something else.
static StringRef takePragma(StringRef &Text) {
  while (!Text.empty()) {
    StringRef Line = takeLastLine(Text);
    const bool IsLineMarker =
        Line.size() > 2 && Line.starts_with("# ") && isDigit(Line[2]);
    if (Line.empty() || Line.starts_with("//") || IsLineMarker)
      continue;
    if (Line.consume_front("_Pragma"))
      return Line.ltrim(" \t(\"");
    return Line.consume_front("#") &&
                   (Line = Line.ltrim()).consume_front("pragma")
               ? Line.ltrim()
               : "";
  }
  return "";
}

static StringRef textBefore(const Stmt *S, const SourceManager &SM) {
  const auto [File, Offset] =
      SM.getDecomposedLoc(SM.getExpansionLoc(S->getBeginLoc()));
  return SM.getBufferData(File).take_front(Offset);
}

bool belongsToPragma(const Stmt *S, const SourceManager &SM) {
  static const llvm::Regex WantsLoop(
      "^(no)?unroll|^loop|^ivdep|^clang loop|^GCC (unroll|ivdep|novector)|"
      "^(omp|acc).*[[:blank:]]"
      "(for|simd|loop|taskloop|distribute|tile|unroll|atomic)");
  if (*SM.getCharacterData(SM.getExpansionLoc(S->getBeginLoc())) == '#')
    return true;
  StringRef Text = textBefore(S, SM);
  for (StringRef Pragma; !(Pragma = takePragma(Text)).empty();)
    if (WantsLoop.match(Pragma))
      return true;
  return false;
}

static unsigned loopsCollapsedAt(const Stmt *Loop, const SourceManager &SM) {
  unsigned Loops = 1;
  StringRef Text = textBefore(Loop, SM);
  for (StringRef Pragma; !(Pragma = takePragma(Text)).empty();)
    if (Pragma.starts_with("omp") || Pragma.starts_with("acc"))
      Loops = std::max({Loops, loopsOfClause(Pragma, "collapse"),
                        loopsOfClause(Pragma, "ordered")});
  return Loops;
}

bool isCollapsed(Trail Way, const SourceManager &SM) {
  unsigned Depth = 0;
  for (; !Way.empty(); Way = Way.drop_back()) {
    if (Way.back().D && llvm::isa<CapturedDecl>(Way.back().D))
      continue;
    const Stmt *S = Way.back().S;
    if (!S || llvm::isa<LambdaExpr>(S))
      return false;
    if (const auto *Directive = llvm::dyn_cast<OMPLoopBasedDirective>(S))
      return Depth < Directive->getLoopsNumber();
    if (loopBody(S) && ++Depth < loopsCollapsedAt(S, SM))
      return true;
  }
  return false;
}

} // namespace autoprof::source
