// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/KernelName.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace {

/// Where the parameter list begins: the first parenthesis outside of template
/// arguments that opens no unnamed namespace.
size_t endOfName(StringRef S) {
  int Depth = 0;
  for (size_t I = 0; I < S.size(); ++I) {
    if (S[I] == '(' && !Depth && I &&
        !S.substr(I).starts_with("(anonymous namespace)"))
      return I;
    Depth += S[I] == '<' || S[I] == '('   ? 1
             : S[I] == '>' || S[I] == ')' ? -1
                                          : 0;
  }
  return S.size();
}

/// Where the name begins after a return type, which only templates have: the
/// last blank outside of template arguments and parentheses.
size_t startOfName(StringRef S) {
  int Depth = 0;
  size_t Start = 0;
  for (size_t I = 0; I < S.size(); ++I) {
    if (S[I] == '<' || S[I] == '(')
      ++Depth;
    else if (S[I] == '>' || S[I] == ')')
      --Depth;
    else if (S[I] == ' ' && !Depth)
      Start = I + 1;
  }
  return Start;
}

/// Without the namespaces inside of template arguments.
std::string withoutQualifiers(StringRef S) {
  std::string Result;
  size_t Word = 0; // Where the last identifier of Result begins.
  int Depth = 0;
  for (size_t I = 0; I < S.size(); ++I) {
    if (Depth && S.substr(I).starts_with("::")) {
      Result.resize(Word);
      ++I;
      continue;
    }
    if (!llvm::isAlnum(S[I]) && S[I] != '_')
      Word = Result.size() + 1;
    Depth += S[I] == '<' ? 1 : S[I] == '>' ? -1 : 0;
    Result += S[I];
  }
  return Result;
}

void replaceAll(std::string &Text, StringRef Pattern, StringRef Replacement) {
  for (size_t Pos; (Pos = Text.find(Pattern)) != std::string::npos;)
    Text.replace(Pos, Pattern.size(), Replacement);
}

} // namespace

std::string autoprof::analysis::shortName(StringRef Demangled,
                                          size_t MaxLength) {
  StringRef Name = Demangled.take_front(endOfName(Demangled));
  Name = Name.drop_front(startOfName(Name));
  std::string Result = Name.str();
  replaceAll(Result, "(anonymous namespace)::", "");
  replaceAll(Result, "> >", ">>");
  Result = withoutQualifiers(Result);
  if (Result.empty())
    Result = Demangled.str();
  if (Result.size() > MaxLength) {
    Result.resize(MaxLength - 3);
    Result += "...";
  }
  return Result;
}
