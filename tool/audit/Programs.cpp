// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Programs.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

static bool hasMain(const TranslationUnit &TU) {
  return llvm::any_of(TU.Functions,
                      [](const Function &F) { return F.Name == "main"; });
}

namespace {

struct Program {
  llvm::BitVector Units;
  bool MayHoldMore = false;
};

} // namespace

static Program programOf(unsigned Main, llvm::ArrayRef<TranslationUnit> Units,
                         Programs::UnitOf Lookup) {
  Program Result{llvm::BitVector(Units.size()), false};
  Result.Units.set(Main);
  std::vector<unsigned> Worklist = {Main};
  while (!Worklist.empty()) {
    const unsigned Unit = Worklist.back();
    Worklist.pop_back();
    for (const std::string &Usr : Units[Unit].Elsewhere) {
      const int Next = Lookup(Usr, Unit);
      Result.MayHoldMore |= Next < 0;
      if (Next < 0 || Result.Units.test(Next))
        continue;
      Result.Units.set(Next);
      Worklist.push_back(Next);
    }
  }
  return Result;
}

Programs::Programs(llvm::ArrayRef<TranslationUnit> Units, UnitOf Lookup) {
  std::vector<Program> List;
  llvm::BitVector HasMain(Units.size());
  for (unsigned I = 0; I < Units.size(); ++I)
    if (hasMain(Units[I])) {
      HasMain.set(I);
      List.push_back(programOf(I, Units, Lookup));
    }
  Certain.assign(Units.size(), llvm::BitVector(List.size()));
  for (unsigned P = 0; P < List.size(); ++P)
    for (unsigned I : List[P].Units.set_bits())
      Certain[I].set(P);
  Possible = Certain;
  for (unsigned P = 0; P < List.size(); ++P)
    for (unsigned I = 0; I < Units.size(); ++I)
      if (!HasMain.test(I) && (List[P].MayHoldMore || Certain[I].none()))
        Possible[I].set(P);
}

bool Programs::mayShare(unsigned A, unsigned B) const {
  return Certain[A].anyCommon(Possible[B]) ||
         Possible[A].anyCommon(Certain[B]) ||
         (Certain[A].none() && Certain[B].none());
}

} // namespace autoprof::audit
