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
                         Programs::UnitOf Find) {
  Program Result{llvm::BitVector(Units.size()), false};
  Result.Units.set(Main);
  std::vector<unsigned> Open = {Main};
  while (!Open.empty()) {
    const unsigned Unit = Open.back();
    Open.pop_back();
    for (const std::string &Usr : Units[Unit].Elsewhere) {
      const int Next = Find(Usr, Unit);
      Result.MayHoldMore |= Next < 0;
      if (Next < 0 || Result.Units.test(Next))
        continue;
      Result.Units.set(Next);
      Open.push_back(Next);
    }
  }
  return Result;
}

Programs::Programs(llvm::ArrayRef<TranslationUnit> Units, UnitOf Find) {
  std::vector<Program> All;
  llvm::BitVector HasMain(Units.size());
  for (unsigned I = 0; I < Units.size(); ++I)
    if (hasMain(Units[I])) {
      HasMain.set(I);
      All.push_back(programOf(I, Units, Find));
    }
  Surely.assign(Units.size(), llvm::BitVector(All.size()));
  for (unsigned P = 0; P < All.size(); ++P)
    for (unsigned I : All[P].Units.set_bits())
      Surely[I].set(P);
  Perhaps = Surely;
  for (unsigned P = 0; P < All.size(); ++P)
    for (unsigned I = 0; I < Units.size(); ++I)
      if (!HasMain.test(I) && (All[P].MayHoldMore || Surely[I].none()))
        Perhaps[I].set(P);
}

bool Programs::together(unsigned A, unsigned B) const {
  return Surely[A].anyCommon(Perhaps[B]) || Perhaps[A].anyCommon(Surely[B]) ||
         (Surely[A].none() && Surely[B].none());
}

} // namespace autoprof::audit
