// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/text/Placement.h"

#include "source/ast/Functions.h"
#include "source/ast/Loops.h"

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

/// Whether the node has no text of its own.
bool isImplicit(const Stmt *S) {
  return llvm::isa<FullExpr, ImplicitCastExpr, MaterializeTemporaryExpr,
                   CXXBindTemporaryExpr>(S);
}

/// Whether `Child` is where the grammar has "statement", so that the value of
/// the expression is not used.
bool isStatementOf(const Ancestor &Parent, const Stmt *Child) {
  if (Parent.D)
    return llvm::isa<CapturedDecl>(Parent.D);
  const Stmt *P = Parent.S;
  if (llvm::isa<CompoundStmt, LabelStmt, AttributedStmt>(P))
    return true;
  if (const auto *Directive = llvm::dyn_cast<OMPExecutableDirective>(P))
    return Directive->hasAssociatedStmt() &&
           Child == Directive->getAssociatedStmt();
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

/// Whether the semicolon of `S` is outside the range that the AST has for `S`.
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

/// Whether `E` is an expression of its own, which parentheses and a comma
/// before it do not change. The name of a method before its arguments is not,
/// nor is anything in braces.
bool mayWrap(const Expr *E, const LangOptions &LangOpts) {
  if (!LangOpts.CPlusPlus && !E->isPRValue())
    return false; // `({x})` is not an lvalue in C.
  if (const auto *Member = llvm::dyn_cast<MemberExpr>(E))
    return !Member->hasPlaceholderType(BuiltinType::BoundMember);
  return llvm::isa<CallExpr, BinaryOperator, UnaryOperator, ParenExpr,
                   AbstractConditionalOperator, ExplicitCastExpr, StmtExpr,
                   CXXNewExpr, CXXDeleteExpr, CXXTemporaryObjectExpr,
                   CXXUnresolvedConstructExpr, ArraySubscriptExpr>(E);
}

/// Whether the statement contains others: what these do is not due to the
/// macro.
bool isControl(const Stmt *S) {
  return llvm::isa<IfStmt, ForStmt, CXXForRangeStmt, WhileStmt, DoStmt,
                   SwitchStmt, CXXTryStmt>(S);
}

/// Whether a label in `S`, or a case of a switch around it, is after `Loc`, so
/// that a jump may pass a variable declared there.
bool holdsLabel(const Stmt *S, SourceLocation Loc, const SourceManager &SM,
                bool InOtherSwitch = false) {
  if (!S || llvm::isa<LambdaExpr>(S))
    return false;
  if ((llvm::isa<LabelStmt>(S) ||
       (llvm::isa<SwitchCase>(S) && !InOtherSwitch)) &&
      !SM.isBeforeInTranslationUnit(S->getBeginLoc(), Loc))
    return true;
  InOtherSwitch |= llvm::isa<SwitchStmt>(S);
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return holdsLabel(Child, Loc, SM, InOtherSwitch);
  });
}

/// Whether it is `[&] { ... }()`, where `Way` ends in the lambda.
bool isCalledOnTheSpot(Trail Way) {
  const Stmt *Lambda = Way.back().S;
  for (size_t I = Way.size() - 1; I-- > 0;) {
    const Stmt *S = Way[I].S;
    if (!S)
      return false;
    if (const auto *Call = llvm::dyn_cast<CXXOperatorCallExpr>(S))
      return Call->getOperator() == OO_Call &&
             Call->getArg(0)->IgnoreImplicit()->IgnoreParens() == Lambda;
    if (const auto *Call = llvm::dyn_cast<CallExpr>(S))
      return Call->getCallee()->IgnoreImplicit()->IgnoreParens() == Lambda;
    if (!isImplicit(S) && !llvm::isa<ParenExpr>(S))
      return false;
  }
  return false;
}

/// Whether the rest of this line is blank or a comment.
bool endsLine(const char *Text) {
  while (*Text == ' ' || *Text == '\t' || *Text == '\r')
    ++Text;
  return !*Text || *Text == '\n' || StringRef(Text, 2) == "//";
}

/// In C, a compound literal lives as long as the enclosing block, and a probe
/// would add a smaller one.
bool holdsCompoundLiteral(const Stmt *S) {
  return S && (llvm::isa<CompoundLiteralExpr>(S) ||
               llvm::any_of(S->children(), holdsCompoundLiteral));
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

Place Placer::inMacro(SourceLocation Loc, StringRef Reason) const {
  return none("inside macro " + macroName(Loc) + ", " + Reason.str());
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
    if (llvm::isa<LambdaExpr>(S)) {
      if (!isCalledOnTheSpot(Way))
        return inMacro(InMacro, "in a lambda that the macro takes");
      continue;
    }
    std::optional<Range> R = inFile(S);
    const auto *E = llvm::dyn_cast<Expr>(S);
    if (R && E && (S == Call || mayWrap(E, LangOpts)))
      return expression(Way, *R);
    if (Way.size() < 2 || !isStatementOf(Way[Way.size() - 2], S))
      continue;
    if (R || endsWithSemicolonIn(S, Expansion))
      return statement(Way, Expansion);
    if (Place P = bracketOfExpansion(Way, Expansion); P.Shape != Place::None)
      return P;
  }
  return inMacro(InMacro, NotWhole);
}

/// If `Way` ends in the range of a range-for: why no temporary may be created
/// there; otherwise "".
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

Place Placer::forArgument(const Expr *Argument) const {
  const Expr *E = Argument->IgnoreImplicit();
  std::optional<Range> R = inFile(E);
  if (!R)
    return none("an initialiser that is partly written in a macro");
  // 0 is a null pointer only without a comma before it.
  if (llvm::isa<InitListExpr, OverloadExpr, PackExpansionExpr>(E) ||
      Argument->getType()->isPointerType())
    return none("an initialiser whose first argument must stay as it is");
  return {Place::Parentheses, R->Begin, behind(R->LastToken), {}};
}

/// Whether the value of the statement at the end of `Way` is that of a `({ })`.
static bool isValue(Trail Way) {
  if (Way.size() < 3 || !llvm::isa_and_nonnull<StmtExpr>(Way[Way.size() - 3].S))
    return false;
  const auto *Block =
      llvm::dyn_cast_or_null<CompoundStmt>(Way[Way.size() - 2].S);
  return Block && Block->body_back() == Way.back().S;
}

Place Placer::expression(Trail Way, Range R) const {
  while (Way.size() > 1 && Way[Way.size() - 2].S &&
         isImplicit(Way[Way.size() - 2].S))
    Way = Way.drop_back();
  Place Parenthesised = {Place::Parentheses, R.Begin, behind(R.LastToken), {}};
  if (!LangOpts.CPlusPlus && holdsCompoundLiteral(Way.back().S))
    return none("a compound literal in it would end too early");
  if (Way.size() < 2)
    return Parenthesised;

  const Ancestor &Parent = Way[Way.size() - 2];
  const bool IsStatement = isStatementOf(Parent, Way.back().S);
  if (!LangOpts.CPlusPlus) {
    if (!IsStatement || llvm::isa_and_nonnull<ForStmt>(Parent.S) ||
        isValue(Way))
      return Parenthesised;
    Place P = aroundStatement(Way.back().S);
    return P.Shape == Place::None ? Parenthesised : P;
  }
  if (IsStatement || llvm::isa_and_nonnull<ReturnStmt>(Parent.S))
    return {Place::Prefix, R.Begin, behind(R.LastToken), {}};
  if (StringRef Reason = inRangeInit(Way); !Reason.empty())
    return none(Reason.str());
  return Parenthesised;
}

/// The place for a statement that is not an expression of its own text.
Place Placer::statement(Trail Way, Range Expansion) const {
  const Stmt *S = Way.back().S;
  if (isValue(Way))
    return inMacro(Expansion.Begin, "which has the value of a block");
  if (!LangOpts.CPlusPlus && holdsCompoundLiteral(S))
    return inMacro(Expansion.Begin, "with a compound literal in it");
  if (llvm::isa<DeclStmt>(S))
    return bracketOfExpansion(Way, Expansion);
  if (llvm::isa<LabelStmt, SwitchCase>(S))
    return inMacro(Expansion.Begin, "which makes a label");
  const std::optional<Range> R = inFile(S);
  if (R && (R->Begin != Expansion.Begin ||
            (isControl(S) && R->LastToken != Expansion.LastToken)))
    return inMacro(Expansion.Begin, NotWhole);
  Place P = aroundStatement(S);
  P.AtRisk = isControl(S) && !llvm::isa<DoStmt>(S);
  return P;
}

/// Whether the expansion consists of `S` and a semicolon. For a simple macro
/// its definition shows that.
bool Placer::endsWithSemicolonIn(const Stmt *S, Range Expansion) const {
  SourceLocation Begin = S->getBeginLoc(), Last = S->getEndLoc();
  if (!Begin.isMacroID() || !Last.isMacroID() ||
      !Lexer::isAtStartOfMacroExpansion(Begin, SM, LangOpts, &Begin) ||
      Begin != Expansion.Begin || SM.getExpansionLoc(Last) != Expansion.Begin)
    return false;
  // The last token may be part of an argument; then the definition has the
  // parameter.
  while (SM.isMacroArgExpansion(Last)) {
    if (!Lexer::isAtEndOfMacroExpansion(Last, SM, LangOpts) &&
        !Lexer::findNextToken(SM.getSpellingLoc(Last), SM, LangOpts)
             ->isOneOf(tok::r_paren, tok::comma))
      return false;
    Last = SM.getImmediateExpansionRange(Last).getBegin();
  }
  if (!Last.isMacroID() ||
      SM.getImmediateExpansionRange(Last).getBegin() != Expansion.Begin)
    return false;
  std::optional<Token> Semicolon =
      Lexer::findNextToken(SM.getSpellingLoc(Last), SM, LangOpts);
  return Semicolon && Semicolon->is(tok::semi) &&
         endsLine(SM.getCharacterData(Semicolon->getEndLoc()));
}

SourceLocation Placer::behindSemicolon(SourceLocation Token) const {
  return Lexer::findLocationAfterToken(
      Token, tok::semi, SM, LangOpts,
      /*SkipTrailingWhitespaceAndNewLine=*/false);
}

Place Placer::aroundStatement(const Stmt *S) const {
  if (llvm::isa<OMPExecutableDirective>(S))
    return none("the statement is an OpenMP directive");
  if (belongsToPragma(S, SM))
    return none("the statement belongs to a pragma");
  if (LangOpts.Coroutines && suspends(S))
    return none("the statement suspends the coroutine");
  const CharSourceRange Outermost = SM.getExpansionRange(S->getBeginLoc());
  if (endsWithSemicolonIn(S, {Outermost.getBegin(), Outermost.getEnd()}))
    return {Place::Block, Outermost.getBegin(), behind(Outermost.getEnd()), {}};
  std::optional<Range> R = inFile(S);
  if (!R)
    return none("the statement is partly written in a macro");
  if (!needsSemicolon(S))
    return {Place::Block, R->Begin, behind(R->LastToken), {}};
  SourceLocation End = behindSemicolon(R->LastToken);
  if (End.isInvalid())
    return none("the end of the statement is written in a macro");
  return {Place::Block, R->Begin, End, {}};
}

//===-- Brackets ----------------------------------------------------------===//

Place Placer::bracketOfExpansion(Trail Way, Range Expansion) const {
  const auto *Block =
      Way.size() > 1
          ? llvm::dyn_cast_or_null<CompoundStmt>(Way[Way.size() - 2].S)
          : nullptr;
  if (!Block)
    return inMacro(Expansion.Begin, NotWhole);
  auto IsFrom = [&](SourceLocation Loc) {
    return Loc.isMacroID() && SM.getExpansionLoc(Loc) == Expansion.Begin;
  };
  llvm::SmallVector<const Stmt *, 4> Run;
  for (const Stmt *S : Block->body())
    if (S == Way.back().S || IsFrom(S->getBeginLoc()) || IsFrom(S->getEndLoc()))
      Run.push_back(S);
  if (IsFrom(Block->getLBracLoc()) || IsFrom(Block->getRBracLoc()) ||
      isValue(Way) || llvm::any_of(Run, llvm::IsaPred<LabelStmt, SwitchCase>))
    return inMacro(Expansion.Begin, NotWhole);
  // If a control statement continues after the expansion, its body is the
  // user's.
  if (isControl(Run.back()) && !IsFrom(Run.back()->getEndLoc()))
    return inMacro(Expansion.Begin, NotWhole);
  Place P = bracket(Block, Run);
  return P.Shape == Place::None ? inMacro(Expansion.Begin, P.Reason) : P;
}

Place Placer::bracket(const CompoundStmt *Block,
                      llvm::ArrayRef<const Stmt *> Run) const {
  SourceLocation Begin = Run.front()->getBeginLoc();
  if (Begin.isMacroID() &&
      !Lexer::isAtStartOfMacroExpansion(Begin, SM, LangOpts, &Begin))
    return none(NotWhole);
  const SourceLocation Last = Run.back()->getEndLoc();
  const SourceLocation LastToken = SM.getExpansionRange(Last).getEnd();
  SourceLocation End = behindSemicolon(LastToken);
  // Otherwise the semicolon is in the expansion, or is the last token.
  if (End.isInvalid()) {
    if (!Last.isMacroID() && needsSemicolon(Run.back()))
      return none("whose end is written in another macro");
    End = behind(LastToken);
  }
  if (LangOpts.Coroutines && llvm::any_of(Run, suspends))
    return none("which suspends the coroutine");
  if (llvm::none_of(Run, llvm::IsaPred<DeclStmt>))
    return {Place::Block, Begin, End, {}};
  if (holdsLabel(Block, Begin, SM))
    return none("which stands before a label in its block");
  return {Place::Bracket, Begin, End, {}};
}

Place Placer::forVariable(Trail Way) const {
  Way = Way.drop_back();
  const Stmt *Declaration = Way.empty() ? nullptr : Way.back().S;
  const auto *Block =
      Way.size() > 1
          ? llvm::dyn_cast_or_null<CompoundStmt>(Way[Way.size() - 2].S)
          : nullptr;
  if (!Declaration || !Block)
    return none("a variable that no block holds");
  const SourceLocation Begin = Declaration->getBeginLoc();
  const CharSourceRange Outermost = SM.getExpansionRange(Begin);
  Place P =
      Begin.isMacroID()
          ? bracketOfExpansion(Way, {Outermost.getBegin(), Outermost.getEnd()})
          : bracket(Block, Declaration);
  if (P.Shape == Place::None)
    P.Reason = "a variable " + P.Reason;
  return P;
}

} // namespace autoprof::source
