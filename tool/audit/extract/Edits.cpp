// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Edits.h"

#include "clang/AST/Expr.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

/// Extends a range to the whole line, including its end, if only blanks
/// surround it.
static void takeLine(StringRef File, unsigned &Begin, unsigned &End) {
  const StringRef Before = File.take_front(Begin), After = File.substr(End);
  const unsigned Indent = Before.size() - Before.rtrim(" \t").size();
  const StringRef Rest = After.ltrim(" \t\r");
  const bool First = Indent == Begin || File[Begin - Indent - 1] == '\n';
  if (!First || !(Rest.empty() || Rest.starts_with("\n")))
    return;
  Begin -= Indent;
  End = File.size() - Rest.size() + (Rest.empty() ? 0 : 1);
}

Range removalOf(const Expr *Call, const Scopes &BodyScopes,
                const ASTContext &Context, const Locate &PlaceOf) {
  const Stmt *Parent = BodyScopes.Parents.lookup(Call);
  if (!llvm::isa_and_nonnull<CompoundStmt>(Parent) ||
      Call->getBeginLoc().isMacroID() || Call->getEndLoc().isMacroID())
    return {};
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Next = Lexer::findLocationAfterToken(
      Call->getEndLoc(), tok::semi, SM, Context.getLangOpts(),
      /*SkipTrailingWhitespaceAndNewLine=*/false);
  if (Next.isInvalid())
    return {};
  unsigned Begin = SM.getFileOffset(Call->getBeginLoc());
  unsigned End = SM.getFileOffset(Next);
  const FileID File = SM.getFileID(Next);
  takeLine(SM.getBufferData(File), Begin, End);
  return {PlaceOf(SM.getComposedLoc(File, Begin)), End - Begin};
}

} // namespace autoprof::audit
