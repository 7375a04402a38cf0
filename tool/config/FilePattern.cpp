// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "config/FilePattern.h"

#include "llvm/ADT/STLExtras.h"

using namespace autoprof;
using llvm::StringRef;

static llvm::Error compile(StringRef Text,
                           std::optional<llvm::GlobPattern> &Out) {
  llvm::Expected<llvm::GlobPattern> Glob =
      llvm::GlobPattern::create(Text, /*MaxSubPatterns=*/1024);
  if (!Glob)
    return Glob.takeError();
  Out = std::move(*Glob);
  return llvm::Error::success();
}

llvm::Expected<FilePattern> FilePattern::create(StringRef Text) {
  FilePattern Result;
  Result.Written = Text.str();
  while (Text.consume_front("./"))
    Text = Text.ltrim('/');
  const bool OnlyFolders = Text.ends_with("/");
  const std::string Path = Text.rtrim('/').str();
  Result.FileText = std::make_shared<std::string>(Path);
  Result.BelowText = std::make_shared<std::string>(Path + "/*");
  std::optional<llvm::GlobPattern> File;
  if (llvm::Error E = compile(*Result.FileText, File))
    return std::move(E);
  if (!OnlyFolders)
    Result.File = std::move(File);
  if (llvm::Error E = compile(*Result.BelowText, Result.Below))
    return std::move(E);
  return Result;
}

std::vector<FilePattern>
autoprof::filePatterns(const std::vector<std::string> &Patterns) {
  std::vector<FilePattern> Result;
  for (const std::string &Text : Patterns)
    if (llvm::Expected<FilePattern> Pattern = FilePattern::create(Text))
      Result.push_back(std::move(*Pattern));
    else
      llvm::consumeError(Pattern.takeError());
  return Result;
}

const FilePattern *
autoprof::firstMatch(const std::vector<FilePattern> &Patterns, StringRef Path) {
  const auto Found = llvm::find_if(
      Patterns, [&](const FilePattern &P) { return P.match(Path); });
  return Found == Patterns.end() ? nullptr : &*Found;
}
