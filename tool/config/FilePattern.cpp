// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "config/FilePattern.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/GlobPattern.h"

using namespace autoprof;
using llvm::StringRef;

static bool matches(const std::string &Glob, StringRef Path) {
  llvm::Expected<llvm::GlobPattern> Pattern =
      llvm::GlobPattern::create(Glob, /*MaxSubPatterns=*/1024);
  if (Pattern)
    return Pattern->match(Path);
  llvm::consumeError(Pattern.takeError());
  return false;
}

bool FilePattern::match(StringRef Path) const {
  StringRef Text = Written;
  while (Text.consume_front("./"))
    Text = Text.ltrim('/');
  const std::string Plain = Text.rtrim('/').str();
  return (!Text.ends_with("/") && matches(Plain, Path)) ||
         matches(Plain + "/*", Path);
}

std::vector<FilePattern>
autoprof::filePatterns(const std::vector<std::string> &Patterns) {
  return std::vector<FilePattern>(Patterns.begin(), Patterns.end());
}

const FilePattern *
autoprof::firstMatch(const std::vector<FilePattern> &Patterns, StringRef Path) {
  const auto Found = llvm::find_if(
      Patterns, [&](const FilePattern &P) { return P.match(Path); });
  return Found == Patterns.end() ? nullptr : &*Found;
}
