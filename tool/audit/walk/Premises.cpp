// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/walk/Premises.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

bool Premises::excludes(const Premises &O) const {
  return llvm::any_of(All, [&](const Premise &One) {
    return llvm::any_of(
        O.All, [&](const Premise &Other) { return One.excludes(Other); });
  });
}

bool Premises::implies(const Premises &O) const {
  return O.IsWhole && llvm::all_of(O.All, [&](const Premise &Other) {
           return llvm::any_of(
               All, [&](const Premise &One) { return One.implies(Other); });
         });
}

bool Premises::isOpposite(const Premises &O) const {
  return IsWhole && O.IsWhole && All.size() == 1 && O.All.size() == 1 &&
         All[0].Of == O.All[0].Of && All[0].Number == O.All[0].Number &&
         All[0].Is != O.All[0].Is;
}

/// Appends a name for what a term of a function asks for; returns false if that
/// is more than fields, global variables and constants.
static bool spell(const Project &P, unsigned Function, const Term &What,
                  std::string &Out) {
  if (What.Class == Term::Result) {
    const int Callee = P.definition(What.Name, P.functions()[Function].Unit);
    return Callee >= 0 && What.Parts.empty() &&
           P.functions()[Callee].Model->Result.Class == Term::Slot &&
           spell(P, Function, P.functions()[Callee].Model->Result, Out);
  }
  if (What.Class < Term::Not && What.Class != Term::Slot &&
      What.Class != Term::Constant)
    return false;
  Out += "(" + std::to_string(What.Class) + " " + std::to_string(What.Number) +
         What.Name;
  for (const Term &Part : What.Parts)
    if (!spell(P, Function, Part, Out))
      return false;
  Out += ")";
  return true;
}

Premises PremiseMaker::of(unsigned Function, const Term &When,
                          llvm::function_ref<bool(const Term &)> IsKept) {
  constexpr unsigned Most = 8;
  Premises Result;
  Result.IsWhole = true;
  llvm::SmallVector<std::pair<const Term *, bool>, 4> Worklist = {
      {&When, true}};
  while (!Worklist.empty() && Result.All.size() < Most) {
    auto [Asked, Holds] = Worklist.pop_back_val();
    for (; Asked->Class == Term::Not; Asked = &Asked->Parts[0])
      Holds = !Holds;
    if (Asked->Class == (Holds ? Term::Both : Term::Either)) {
      for (const Term &Part : Asked->Parts)
        Worklist.push_back({&Part, Holds});
      continue;
    }
    Premise Says{0, !Holds, 0};
    const Term *Value = Asked;
    if (Asked->Class == Term::Equal)
      for (unsigned I : {0, 1})
        if (Asked->Parts[I].Class == Term::Constant) {
          Says = {0, Holds, Asked->Parts[I].Number};
          Value = &Asked->Parts[1 - I];
          break;
        }
    std::string Key;
    if (spell(P, Function, *Value, Key) && IsKept(*Asked)) {
      Says.Of = Numbers.try_emplace(Key, Numbers.size() + 1).first->second;
      Result.All.push_back(Says);
    } else {
      Result.IsWhole = false;
    }
  }
  // `from->OnGpu && !to->OnGpu` is about two objects.
  const llvm::SmallVector<Premise, 1> Said = Result.All;
  llvm::erase_if(Result.All, [&](const Premise &One) {
    return llvm::any_of(
        Said, [&](const Premise &Other) { return One.excludes(Other); });
  });
  Result.IsWhole &= Worklist.empty() && Result.All.size() == Said.size();
  return Result;
}

} // namespace autoprof::audit
