// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/Placement.h"

#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::source {

namespace {

Place none(std::string Reason) {
  return {Place::None, {}, {}, std::move(Reason)};
}

/// Nodes without text of their own.
bool isImplicit(const Stmt *S) {
  return llvm::isa<FullExpr, ImplicitCastExpr, MaterializeTemporaryExpr,
                   CXXBindTemporaryExpr>(S);
}

/// Does `Child` stand where the grammar says "statement"? The value of the
/// expression is not used there.
bool isStatementOf(const Ancestor &Parent, const Stmt *Child) {
  if (Parent.D)
    return llvm::isa<CapturedDecl>(Parent.D);
  const Stmt *P = Parent.S;
  if (llvm::isa<CompoundStmt, LabelStmt, AttributedStmt>(P))
    return true;
  if (const auto *If = llvm::dyn_cast<IfStmt>(P))
    return Child != If->getCond();
  if (const auto *For = llvm::dyn_cast<ForStmt>(P))
    return Child != For->getCond();
  if (const auto *For = llvm::dyn_cast<CXXForRangeStmt>(P))
    return Child == For->getBody() || Child == For->getInit();
  if (const auto *While = llvm::dyn_cast<WhileStmt>(P))
    return Child == While->getBody();
  if (const auto *Do = llvm::dyn_cast<DoStmt>(P))
    return Child == Do->getBody();
  if (const auto *Switch = llvm::dyn_cast<SwitchStmt>(P))
    return Child != Switch->getCond();
  if (const auto *Case = llvm::dyn_cast<SwitchCase>(P))
    return Child == Case->getSubStmt();
  return false;
}

/// Is the semicolon of `S` outside what the AST says `S` covers?
bool needsSemicolon(const Stmt *S) {
  if (const auto *If = llvm::dyn_cast<IfStmt>(S))
    return needsSemicolon(If->getElse() ? If->getElse() : If->getThen());
  if (const auto *For = llvm::dyn_cast<ForStmt>(S))
    return needsSemicolon(For->getBody());
  if (const auto *For = llvm::dyn_cast<CXXForRangeStmt>(S))
    return needsSemicolon(For->getBody());
  if (const auto *While = llvm::dyn_cast<WhileStmt>(S))
    return needsSemicolon(While->getBody());
  if (const auto *Switch = llvm::dyn_cast<SwitchStmt>(S))
    return needsSemicolon(Switch->getBody());
  if (const auto *Case = llvm::dyn_cast<SwitchCase>(S))
    return needsSemicolon(Case->getSubStmt());
  if (const auto *Label = llvm::dyn_cast<LabelStmt>(S))
    return needsSemicolon(Label->getSubStmt());
  if (const auto *Attributed = llvm::dyn_cast<AttributedStmt>(S))
    return needsSemicolon(Attributed->getSubStmt());
  return !llvm::isa<CompoundStmt, CXXTryStmt, DeclStmt, NullStmt>(S);
}

const char NotWhole[] = "whose expansion is no whole expression or statement";

/// Would braces around `S` hide something that the text behind it may use?
bool declaresOrLabels(const Stmt *S) {
  return llvm::isa<DeclStmt, LabelStmt, SwitchCase>(S);
}

} // namespace

std::optional<Placer::Range> Placer::inFile(const Stmt *S) const {
  Range R{S->getBeginLoc(), S->getEndLoc()};
  if (R.Begin.isInvalid() || R.LastToken.isInvalid())
    return std::nullopt;
  if (R.Begin.isMacroID() &&
      !Lexer::isAtStartOfMacroExpansion(R.Begin, SM, LangOpts, &R.Begin))
    return std::nullopt;
  if (R.LastToken.isMacroID() &&
      !Lexer::isAtEndOfMacroExpansion(R.LastToken, SM, LangOpts, &R.LastToken))
    return std::nullopt;
  if (SM.getFileID(R.Begin) != SM.getFileID(R.LastToken))
    return std::nullopt;
  return R;
}

SourceLocation Placer::behind(SourceLocation Token) const {
  return Lexer::getLocForEndOfToken(Token, 0, SM, LangOpts);
}

std::string Placer::macroName(SourceLocation Loc) const {
  return Lexer::getSourceText(
             CharSourceRange::getTokenRange(SM.getExpansionLoc(Loc)), SM,
             LangOpts)
      .str();
}

Place Placer::inMacro(SourceLocation Loc, StringRef Why) const {
  return none("inside macro " + macroName(Loc) + ", " + Why.str());
}

Place Placer::forCall(Trail Way) const {
  const Stmt *Call = Way.back().S;
  SourceLocation InMacro =
      Call->getBeginLoc().isMacroID() ? Call->getBeginLoc() : Call->getEndLoc();
  CharSourceRange Outermost = SM.getExpansionRange(InMacro);
  const Range Expansion{Outermost.getBegin(), Outermost.getEnd()};

  for (; !Way.empty(); Way = Way.drop_back()) {
    const Stmt *S = Way.back().S;
    if (!S && llvm::isa<VarDecl>(Way.back().D))
      continue;
    if (!S)
      break;
    if (llvm::isa<LambdaExpr>(S))
      return inMacro(InMacro, "in a lambda that the macro takes");
    std::optional<Range> R = inFile(S);
    if (!R)
      continue;
    if (llvm::isa<Expr>(S) && (S == Call || *R == Expansion))
      return expression(Way, *R);
    if (Way.size() > 1 && isStatementOf(Way[Way.size() - 2], S))
      return statement(S, *R, Expansion);
  }
  return inMacro(InMacro, NotWhole);
}

/// Why no temporary may be made in the range of a range-for, if `Way` ends in
/// one.
StringRef Placer::inRangeInit(Trail Way) const {
  for (; Way.size() > 1 && llvm::isa_and_nonnull<Expr>(Way.back().S);
       Way = Way.drop_back()) {
    const auto *For =
        llvm::dyn_cast_or_null<CXXForRangeStmt>(Way[Way.size() - 2].S);
    if (!For || Way.back().S != For->getRangeInit())
      continue;
    if (LangOpts.CPlusPlus23)
      return "in the range of a range-for, whose temporaries live as long as "
             "the loop since C++23";
    if (*SM.getCharacterData(SM.getFileLoc(Way.back().S->getBeginLoc())) == '{')
      return "in the braced range of a range-for, which nvcc cannot take with "
             "a probe in it";
  }
  return "";
}

Place Placer::expression(Trail Way, Range R) const {
  const SourceLocation End = behind(R.LastToken);
  while (Way.size() > 1 && Way[Way.size() - 2].S &&
         isImplicit(Way[Way.size() - 2].S))
    Way = Way.drop_back();
  if (Way.size() < 2)
    return {Place::Parentheses, R.Begin, End, {}};

  const Ancestor &Parent = Way[Way.size() - 2];
  if (isStatementOf(Parent, Way.back().S) ||
      llvm::isa_and_nonnull<ReturnStmt>(Parent.S))
    return {Place::Prefix, R.Begin, End, {}};
  if (StringRef Why = inRangeInit(Way); !Why.empty())
    return none(Why.str());
  return {Place::Parentheses, R.Begin, End, {}};
}

Place Placer::statement(const Stmt *S, Range R, Range Expansion) const {
  if (llvm::isa<Expr>(S))
    return {Place::Prefix, R.Begin, behind(R.LastToken), {}};
  if (R.Begin != Expansion.Begin)
    return inMacro(Expansion.Begin, NotWhole);
  if (declaresOrLabels(S))
    return inMacro(Expansion.Begin, "which declares variables or labels");
  Place P = aroundStatement(S);
  P.AtRisk = !llvm::isa<DoStmt, CompoundStmt>(S);
  return P;
}

Place Placer::aroundStatement(const Stmt *S) const {
  std::optional<Range> R = inFile(S);
  if (!R)
    return none("the statement is partly written in a macro");
  if (llvm::isa<OMPExecutableDirective>(S))
    return none("the statement is an OpenMP directive");
  if (!needsSemicolon(S))
    return {Place::Block, R->Begin, behind(R->LastToken), {}};
  SourceLocation End =
      Lexer::findLocationAfterToken(R->LastToken, tok::semi, SM, LangOpts,
                                    /*SkipTrailingWhitespaceAndNewLine=*/false);
  if (End.isInvalid())
    return none("the end of the statement is written in a macro");
  return {Place::Block, R->Begin, End, {}};
}

} // namespace autoprof::source
