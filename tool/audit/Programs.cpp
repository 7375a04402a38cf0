// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Programs.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

static bool hasMain(const TranslationUnit &TU) {
  return llvm::any_of(TU.Functions,
                      [](const Function &F) { return F.Name == "main"; });
}

namespace {

/// One program, as far as it is known.
struct Program {
  llvm::BitVector Units;
  bool MayHoldAny = false;
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
      Result.MayHoldAny |= Next < 0;
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
  llvm::BitVector Led(Units.size()); // by some main
  for (unsigned I = 0; I < Units.size(); ++I)
    if (hasMain(Units[I])) {
      All.push_back(programOf(I, Units, Find));
      Led |= All.back().Units;
    }
  if (All.empty())
    All.push_back({llvm::BitVector(Units.size()), true});
  Of.assign(Units.size(), llvm::BitVector(All.size()));
  for (unsigned P = 0; P < All.size(); ++P)
    for (unsigned I = 0; I < Units.size(); ++I)
      if (All[P].MayHoldAny || All[P].Units.test(I) || !Led.test(I))
        Of[I].set(P);
}

} // namespace autoprof::audit
