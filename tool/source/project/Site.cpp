// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/project/Site.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace autoprof::source {

uint64_t siteId(StringRef Path, StringRef Function, StringRef Callee,
                unsigned Ordinal) {
  uint64_t Hash = 0xcbf29ce484222325; // FNV-1a, 64 bits: offset basis
  auto Add = [&Hash](StringRef Bytes) {
    for (unsigned char Byte : Bytes)
      Hash = (Hash ^ Byte) * 0x100000001b3; // FNV prime
  };
  const StringRef Separator("\0", 1);
  Add(Path);
  Add(Separator);
  Add(Function);
  Add(Separator);
  Add(Callee);
  Add(Separator);
  Add(std::to_string(Ordinal));
  return Hash;
}

std::string hex(uint64_t Id) {
  std::string Digits = llvm::utohexstr(Id, /*LowerCase=*/true);
  return "0x" + std::string(16 - Digits.size(), '0') + Digits;
}

static std::string escape(StringRef Text) {
  const StringRef Plain = "_./:,<>()*&~=+ @#$!^{}-[]";
  std::string Result;
  for (char C : Text) {
    if (llvm::isAlnum(C) || Plain.contains(C))
      Result += C;
    else
      Result += {'%', llvm::hexdigit(static_cast<unsigned char>(C) >> 4),
                 llvm::hexdigit(C & 15)};
  }
  return Result;
}

static std::string row(const Site &S) {
  std::string Result = hex(S.Id);
  for (const std::string &Field :
       {S.Kind, std::to_string(S.Location.Line),
        std::to_string(S.Location.Column), escape(S.Location.File),
        escape(S.Function), escape(S.Callee)})
    Result += "|" + Field;
  return Result + ";";
}

std::vector<std::string> tableRows(llvm::ArrayRef<Site> Sites, StringRef Step,
                                   size_t Limit) {
  std::vector<std::string> Pieces;
  auto Add = [&](const Site &S) {
    std::string Row = row(S);
    if (Pieces.empty() || Pieces.back().size() + Row.size() >= Limit)
      Pieces.emplace_back();
    Pieces.back() += Row;
  };
  for (const Site &S : Sites)
    Add(S);
  if (!Sites.empty() && !Step.empty())
    Add({siteId("", "", ("<step>" + Step).str(), 0),
         "step",
         {},
         "",
         Step.str()});
  return Pieces;
}

} // namespace autoprof::source
