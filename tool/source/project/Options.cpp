// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/project/Options.h"

#include "source/project/UserFiles.h"

#include "clang/Basic/CharInfo.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/Path.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::source {

std::string startOf(const FileManager &Files) {
  llvm::ErrorOr<std::string> Folder =
      Files.getVirtualFileSystem().getCurrentWorkingDirectory();
  return Folder ? *Folder : "";
}

Project projectOf(const RewriteOptions &Options, StringRef MainFile,
                  const FileManager &Files) {
  return Project(Options.Root
                     ? UserFiles::absolute(*Options.Root, Files)
                     : Project::findRoot(llvm::sys::path::parent_path(MainFile),
                                         startOf(Files)));
}

bool isAnnotated(StringRef Text) {
  for (size_t Pos = Text.find("autoprof/annotated.h"); Pos != StringRef::npos;
       Pos = Text.find("autoprof/annotated.h", Pos + 1)) {
    StringRef Line = Text.take_front(Pos);
    Line = Line.substr(Line.rfind('\n') + 1).ltrim();
    if (!Line.consume_front("#"))
      continue;
    Line = Line.ltrim();
    if (Line.starts_with("include") || (!Line.empty() && isDigit(Line[0])))
      return true;
  }
  return false;
}

bool isModuleUnit(StringRef Text, const LangOptions &LangOpts) {
  if (!LangOpts.CPlusPlusModules)
    return false;
  Lexer Raw(SourceLocation(), LangOpts, Text.begin(), Text.begin(), Text.end());
  Token Tok;
  auto Next = [&] { return !Raw.LexFromRawLexer(Tok); };
  bool More = Next();
  while (More && Tok.is(tok::hash) && Tok.isAtStartOfLine())
    while ((More = Next()) && !Tok.isAtStartOfLine())
      ;
  auto IsWord = [&](StringRef Word) {
    return More && Tok.is(tok::raw_identifier) &&
           Tok.getRawIdentifier() == Word;
  };
  if (IsWord("export"))
    More = Next();
  return IsWord("module") && Next() &&
         Tok.isOneOf(tok::semi, tok::raw_identifier);
}

} // namespace autoprof::source
