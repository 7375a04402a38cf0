// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the text of a probe can go.
// A probe is text, so it can only be put where the file's own text shows the
// call. Four forms are enough:
//
//     AP_SITE(id) f(x);             prefix: before a whole statement, or the
//                                   operand of return. The comma binds weakest,
//                                   so the rest of the statement is unchanged.
//     e = (AP_SITE(id) f(x));       parentheses: anywhere else in an expression
//     {AP_SITE_SCOPE(id) CHECK(f(x));}  block: before a statement that is not
//     an
//                                   expression, which only macros make here
//     AP_SITE_BEGIN(id) DECLARE(e, f(x)); AP_SITE_END(id)  bracket: around
//                                   statements of a block that braces would
//                                   change, because they declare something or
//                                   are several
//
// A call that comes from a macro cannot be edited: an edit of the argument
// would change what #arg makes of it, and an edit of the definition would
// change all its uses. So the probe goes around the smallest expression or
// statement that begins and ends in the file's own text, or where the outermost
// expansion does; otherwise around all statements of the block to which the
// expansion contributes; otherwise nowhere, and the caller gets the reason. A
// lambda that is called immediately is a part of its expression; any other
// lambda runs elsewhere.
#pragma once

#include "source/ast/Trail.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceManager.h"
#include <optional>
#include <string>

namespace autoprof::source {

struct Place {
  enum Form { Prefix, Parentheses, Block, Bracket, Object, None } Shape = None;
  clang::SourceLocation Begin; ///< In a file: the first character.
  clang::SourceLocation End;   ///< In a file: after the last character.
  std::string Reason;          ///< For None.
  bool AtRisk = false;         ///< See TextRendering::isAtRisk.
};

class Placer {
public:
  Placer(const clang::SourceManager &SM, const clang::LangOptions &LangOpts)
      : SM(SM), LangOpts(LangOpts) {}

  /// The place of a probe for the call at the end of `Way`.
  Place forCall(Trail Way) const;

  /// The same for the declaration of a variable, at the end of `Way`.
  Place forVariable(Trail Way) const;

  /// The same for the first argument of a constructor.
  Place forArgument(const clang::Expr *Argument) const;

  /// The text of a whole statement, with its semicolon, as a place for braces
  /// around it.
  Place aroundStatement(const clang::Stmt *S) const;

  /// The location after the last character of the token that begins there.
  clang::SourceLocation behind(clang::SourceLocation Token) const;

  /// The name of the outermost macro from which `Loc` comes.
  std::string macroName(clang::SourceLocation Loc) const;

private:
  struct Range {
    clang::SourceLocation Begin, LastToken;
    bool operator==(const Range &O) const {
      return Begin == O.Begin && LastToken == O.LastToken;
    }
  };

  std::optional<Range> inFile(const clang::Stmt *S) const;
  clang::SourceLocation behindSemicolon(clang::SourceLocation Token) const;
  bool endsWithSemicolonIn(const clang::Stmt *S, Range Expansion) const;
  llvm::StringRef inRangeInit(Trail Way) const;
  Place expression(Trail Way, Range R) const;
  Place statement(Trail Way, Range Expansion) const;
  Place bracket(const clang::CompoundStmt *Block,
                llvm::ArrayRef<const clang::Stmt *> Run) const;
  Place bracketOfExpansion(Trail Way, Range Expansion) const;
  Place inMacro(clang::SourceLocation Loc, llvm::StringRef Reason) const;

  const clang::SourceManager &SM;
  const clang::LangOptions &LangOpts;
};

} // namespace autoprof::source
