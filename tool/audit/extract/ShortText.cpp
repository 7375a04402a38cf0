// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/ShortText.h"

#include "clang/Basic/CharInfo.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace autoprof::audit {

std::string shortText(SourceRange R, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  CharSourceRange Text = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(R), SM, Context.getLangOpts());
  // Text from a macro is shown as written: by the macro's name.
  if (Text.isInvalid())
    Text = SM.getExpansionRange(R);
  std::string Result;
  bool Space = false;
  for (char C : Lexer::getSourceText(Text, SM, Context.getLangOpts())) {
    if (isWhitespace(C)) {
      Space = !Result.empty();
      continue;
    }
    if (Space)
      Result += ' ';
    Space = false;
    Result += C;
    if (Result.size() > 60)
      return Result.substr(0, 57) + "...";
  }
  return Result;
}

} // namespace autoprof::audit
