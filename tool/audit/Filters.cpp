// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Filters.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace autoprof::audit {

NameGlobs::NameGlobs(StringRef Text) {
  llvm::SmallVector<StringRef, 8> Parts;
  llvm::SplitString(Text, Parts, ",\n");
  for (StringRef Part : Parts) {
    Part = Part.trim();
    const bool Takes = !Part.consume_front("-");
    if (Part.empty())
      continue;
    std::string Pattern = "^";
    for (char C : Part)
      Pattern += C == '*' ? ".*" : llvm::Regex::escape(StringRef(&C, 1));
    All.push_back({Takes, llvm::Regex(Pattern + "$")});
  }
}

bool NameGlobs::contains(StringRef Name) const {
  bool Result = false;
  for (const Glob &G : All)
    if (G.Pattern.match(Name))
      Result = G.Takes;
  return Result;
}

} // namespace autoprof::audit
