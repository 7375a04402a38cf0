// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Slots.h"

#include "catalogue/Facts.h"

#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

namespace autoprof::audit {

std::string Project::Slots::canonical(StringRef Slot, unsigned Unit) const {
  if (Slot.starts_with("F:") || Slot.starts_with("G:"))
    return Slot.str();
  // P:<usr>#1*, R:<usr>
  const size_t Hash =
      Slot.starts_with("R:") ? StringRef::npos : Slot.rfind('#');
  const int F = Lookup(Slot.slice(2, Hash), Unit);
  if (F < 0)
    return "";
  StringRef Rest = Hash == StringRef::npos ? "" : Slot.substr(Hash);
  return Slot.take_front(2).str() + std::to_string(F) + Rest.str();
}

unsigned Project::Slots::numberOf(StringRef Canonical) {
  auto [It, New] = Numbers.try_emplace(Canonical, Contents.size());
  if (New) {
    Contents.emplace_back();
    Spelled.push_back(Canonical.str());
  }
  return It->second;
}

void Project::Slots::add(const TranslationUnit &TU, unsigned Unit) {
  for (const Flow &F : TU.Flows)
    add(F, Unit);
  for (const std::shared_ptr<const Function> &In : TU.Functions)
    for (const Flow &F : In->Flows)
      add(F, Unit);
}

void Project::Slots::add(const Flow &F, unsigned Unit) {
  const std::string To = canonical(F.Slot, Unit);
  if (To.empty())
    return;
  Content Added;
  Added.HasFlow = true;
  Added.Unknown = F.Val.Unknown;
  Added.Mask = F.Val.Mask;
  Added.Location = F.Val.Location;
  for (const std::string &Slot : F.Val.Slots) {
    const std::string From = canonical(Slot, Unit);
    if (From.empty())
      Added.Unknown = true; // The slot is of a function outside the project.
    else
      Added.Sources.push_back(numberOf(From));
  }
  Content &Known = Contents[numberOf(To)];
  absorb(Known, Added);
  Known.HasFlow = true;
  Known.Sources.insert(Known.Sources.end(), Added.Sources.begin(),
                       Added.Sources.end());
}

bool Project::Slots::absorb(Content &To, const Content &From) const {
  const bool Changed = (From.Mask & ~To.Mask) || (From.Unknown && !To.Unknown);
  To.Mask |= From.Mask;
  To.Unknown |= From.Unknown;
  if (!To.Location.Line)
    To.Location = From.Location;
  return Changed;
}

bool Project::Slots::isLeftAlone(const Content &C, StringRef Name) const {
  return !C.HasFlow && Name.starts_with("O:");
}

void Project::Slots::solve() {
  for (size_t I = 0; I < Contents.size(); ++I)
    if (!Contents[I].HasFlow && !isLeftAlone(Contents[I], Spelled[I]))
      Contents[I].Unknown = true;
  for (Content &C : Contents) { // Units store the same in one slot.
    llvm::sort(C.Sources);
    C.Sources.erase(llvm::unique(C.Sources), C.Sources.end());
  }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Content &C : Contents)
      for (unsigned From : C.Sources)
        Changed |= absorb(C, Contents[From]);
  }
  // A null pointer among other values is the state before the allocation.
  constexpr uint32_t Null = catalogue::values::Null;
  for (Content &C : Contents)
    if (C.Mask & ~Null)
      C.Mask &= ~Null;
}

Resolved Project::Slots::resolve(const Value &V, unsigned Unit) const {
  Resolved Result;
  if (V.Unknown || V.isNothing())
    return Result;
  uint32_t Mask = V.Mask;
  Place Location = V.Location;
  for (const std::string &Slot : V.Slots) {
    const std::string Name = canonical(Slot, Unit);
    auto It = Numbers.find(Name);
    if (Name.empty())
      return Result;
    if (It == Numbers.end()) {
      if (StringRef(Name).starts_with("O:"))
        continue;
      return Result;
    }
    const Content &C = Contents[It->second];
    if (C.Unknown)
      return Result;
    Mask |= C.Mask;
    if (!Location.Line)
      Location = C.Location;
  }
  if (!Mask)
    return Result;
  Result.Mask = Mask;
  Result.Location = Location;
  return Result;
}

void Project::Slots::addUse(const Use &U, unsigned Function, unsigned Unit) {
  if (U.Site >= 0)
    return;
  if (std::string Slot = canonical(U.Slot, Unit); !Slot.empty())
    Uses[Slot].push_back({Function, &U});
}

llvm::ArrayRef<std::pair<unsigned, const Use *>>
Project::Slots::usesOf(StringRef Slot, unsigned Unit) const {
  auto It = Uses.find(canonical(Slot, Unit));
  if (It == Uses.end())
    return {};
  return It->second;
}

} // namespace autoprof::audit
