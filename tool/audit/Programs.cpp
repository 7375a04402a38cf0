// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Programs.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

static bool hasMain(const TranslationUnit &TU) {
  return llvm::any_of(TU.Functions,
                      [](const auto &F) { return F->Name == "main"; });
}

size_t sharedFolders(llvm::StringRef A, llvm::StringRef B) {
  size_t I = 0, Folder = 0;
  for (; I < A.size() && I < B.size() && A[I] == B[I]; ++I)
    if (A[I] == '/')
      Folder = I;
  return Folder;
}

bool Programs::mayShare(unsigned UnitA, unsigned UnitB) const {
  if (UnitA != UnitB &&
      llvm::any_of(Contested[UnitA], [&](llvm::StringRef Usr) {
        return Contested[UnitB].count(Usr);
      }))
    return false;
  return Of[UnitA].anyCommon(Of[UnitB]) ||
         (Of[UnitA].none() && Of[UnitB].none());
}

Programs::Programs(llvm::ArrayRef<TranslationUnit> Units, UnitOf Lookup,
                   UnitsOf Candidates) {
  std::vector<unsigned> Mains;
  for (unsigned I = 0; I < Units.size(); ++I)
    if (hasMain(Units[I]))
      Mains.push_back(I);
  Contested.resize(Units.size());
  Of.assign(Units.size(), llvm::BitVector(Mains.size()));
  for (unsigned P = 0; P < Mains.size(); ++P) {
    std::vector<unsigned> Worklist = {Mains[P]};
    while (!Worklist.empty()) {
      const unsigned Unit = Worklist.back();
      Worklist.pop_back();
      if (Of[Unit].test(P))
        continue;
      Of[Unit].set(P);
      for (const std::string &Usr : Units[Unit].Elsewhere)
        if (const int Next = Lookup(Usr, Unit); Next >= 0)
          Worklist.push_back(Next);
        else
          for (unsigned Candidate : Candidates(Usr)) {
            Contested[Candidate].insert(Usr);
            if (!hasMain(Units[Candidate]))
              Worklist.push_back(Candidate);
          }
    }
  }
  for (unsigned I = 0; I < Units.size(); ++I) {
    if (Of[I].any())
      continue;
    auto Nearness = [&](unsigned Main) {
      return sharedFolders(Units[I].MainFile, Units[Main].MainFile);
    };
    size_t Nearest = 0;
    for (unsigned Main : Mains)
      Nearest = std::max(Nearest, Nearness(Main));
    for (unsigned P = 0; P < Mains.size(); ++P)
      if (Nearness(Mains[P]) == Nearest)
        Of[I].set(P);
  }
}

} // namespace autoprof::audit
