// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/walk/Dispatch.h"

#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

namespace autoprof::audit {

Dispatch::Dispatch(const Project &P) : P(P) {
  for (const TranslationUnit &U : P.units())
    for (const Class &C : U.Classes)
      Numbers.try_emplace(C.Usr, Numbers.size());
  Bases.resize(Numbers.size());
  IsAbstract.resize(Numbers.size(), true);
  for (const TranslationUnit &U : P.units())
    for (const Class &C : U.Classes) {
      const unsigned Number = Numbers[C.Usr];
      IsAbstract[Number] = IsAbstract[Number] && C.Abstract;
      for (const std::string &Base : C.Bases)
        if (const auto It = Numbers.find(Base);
            It != Numbers.end() &&
            !llvm::is_contained(Bases[Number], It->second))
          Bases[Number].push_back(It->second);
    }
  HasObjects.resize(Numbers.size());
  for (unsigned C = 0; C < Numbers.size(); ++C)
    if (!IsAbstract[C])
      addObjects(C);
  for (const LinkedFunction &F : P.functions())
    if (!F.Model->Class.empty()) {
      Methods.try_emplace(F.Model->Usr, F.Model);
      for (const std::string &Base : F.Model->Overrides)
        Overriders[Base].push_back(F.Model);
    }
}

/// Notes that objects of the class exist, and so of its bases.
void Dispatch::addObjects(unsigned Class) {
  if (HasObjects[Class])
    return;
  HasObjects[Class] = true;
  for (unsigned Base : Bases[Class])
    addObjects(Base);
}

bool Dispatch::isDerived(unsigned Class, unsigned From) const {
  return Class == From || llvm::any_of(Bases[Class], [&](unsigned Base) {
           return isDerived(Base, From);
         });
}

const Objects &Dispatch::derivedFrom(StringRef Usr) {
  auto [It, New] = Derived.try_emplace(Usr);
  const auto From = Numbers.find(Usr);
  if (!New || From == Numbers.end() || !HasObjects[From->second])
    return It->second;
  It->second.resize(Bases.size());
  for (unsigned C = 0; C < Bases.size(); ++C)
    if (!IsAbstract[C] && isDerived(C, From->second))
      It->second.set(C);
  return It->second;
}

StringRef
Dispatch::finalOverrider(unsigned Class,
                         const std::map<unsigned, StringRef> &In) const {
  if (const auto It = In.find(Class); It != In.end())
    return It->second;
  for (unsigned Base : Bases[Class])
    if (const StringRef Inherited = finalOverrider(Base, In);
        !Inherited.empty())
      return Inherited;
  return "";
}

const Objects &Dispatch::classesOf(StringRef Method, StringRef Usr) {
  auto [It, New] = Known.try_emplace(Method.str());
  if (New) {
    std::map<unsigned, StringRef> ByClass;
    std::vector<StringRef> Worklist = {Method};
    auto Add = [&](const Function &F) {
      const auto Class = Numbers.find(F.Class);
      return Class != Numbers.end() &&
             ByClass.try_emplace(Class->second, F.Usr).second;
    };
    if (const auto Own = Methods.find(Method); Own != Methods.end())
      Add(*Own->second);
    for (size_t I = 0; I < Worklist.size(); ++I)
      for (const Function *F : Overriders.lookup(Worklist[I]))
        if (Add(*F))
          Worklist.push_back(F->Usr);
    for (unsigned C = 0; C < Bases.size(); ++C)
      if (const StringRef Final = finalOverrider(C, ByClass);
          !Final.empty() && !IsAbstract[C]) {
        Objects &Of = It->second[Final];
        Of.resize(Bases.size());
        Of.set(C);
      }
  }
  return It->second[Usr];
}

std::vector<std::pair<unsigned, Objects>>
Dispatch::targets(const Call &Made, llvm::ArrayRef<unsigned> Callees,
                  const Objects &Of) {
  std::vector<std::pair<unsigned, Objects>> Result, All;
  const Objects &Caller = Made.On == "this" ? Of : derivedFrom(Made.Object);
  for (unsigned Callee : Callees) {
    All.push_back({Callee, Caller});
    const Function &F = *P.functions()[Callee].Model;
    const auto Class = Numbers.find(F.Class);
    // Classes may derive from it in code that is not read.
    if (!Made.Virtual || Class == Numbers.end() || !HasObjects[Class->second]) {
      Result.push_back(All.back());
      continue;
    }
    Objects Own = classesOf(Made.Callee, F.Usr);
    if (!Caller.empty())
      Own &= Caller;
    if (Own.any())
      Result.push_back({Callee, std::move(Own)});
  }
  return Result.empty() ? All : Result;
}

} // namespace autoprof::audit
