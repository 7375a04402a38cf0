// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Slots.h"

#include "catalogue/Facts.h"

using llvm::StringRef;

namespace autoprof::audit {

std::string Project::Slots::canonical(StringRef Slot, unsigned Unit) const {
  if (Slot.starts_with("F:") || Slot.starts_with("G:"))
    return Slot.str();
  // P:<usr>#1*, R:<usr>
  const size_t Hash =
      Slot.starts_with("R:") ? StringRef::npos : Slot.rfind('#');
  const int F = Find(Slot.slice(2, Hash), Unit);
  if (F < 0)
    return "";
  StringRef Rest = Hash == StringRef::npos ? "" : Slot.substr(Hash);
  return Slot.take_front(2).str() + std::to_string(F) + Rest.str();
}

unsigned Project::Slots::number(StringRef Canonical) {
  auto [It, New] = Numbers.try_emplace(Canonical, All.size());
  if (New) {
    All.emplace_back();
    Spelled.push_back(Canonical.str());
  }
  return It->second;
}

void Project::Slots::add(const Flow &F, unsigned Unit) {
  const std::string To = canonical(F.Slot, Unit);
  if (To.empty())
    return;
  Content Is;
  Is.HasFlow = true;
  Is.Unknown = F.Is.Unknown;
  Is.Mask = F.Is.Mask;
  Is.At = F.Is.At;
  Is.By = F.Is.By;
  for (const std::string &Slot : F.Is.From) {
    const std::string From = canonical(Slot, Unit);
    if (From.empty())
      Is.Unknown = true; // of a function that is not in the project
    else
      Is.From.push_back(number(From));
  }
  Content &Known = All[number(To)];
  absorb(Known, Is);
  Known.HasFlow = true;
  Known.From.insert(Known.From.end(), Is.From.begin(), Is.From.end());
}

bool Project::Slots::absorb(Content &To, const Content &From) const {
  const bool Changed = (From.Mask & ~To.Mask) || (From.Unknown && !To.Unknown);
  To.Mask |= From.Mask;
  To.Unknown |= From.Unknown;
  if (!To.At.Line && From.At.Line) {
    To.At = From.At;
    To.By = From.By;
  }
  return Changed;
}

bool Project::Slots::isLeftAlone(const Content &C, StringRef Name) const {
  return !C.HasFlow && Name.starts_with("O:");
}

void Project::Slots::solve() {
  for (size_t I = 0; I < All.size(); ++I)
    if (!All[I].HasFlow && !isLeftAlone(All[I], Spelled[I]))
      All[I].Unknown = true;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Content &C : All)
      for (unsigned From : C.From)
        Changed |= absorb(C, All[From]);
  }
  // A null pointer beside others is the time before the allocation.
  constexpr uint32_t Null = catalogue::values::Null;
  for (Content &C : All)
    if (C.Mask & ~Null)
      C.Mask &= ~Null;
}

Resolved Project::Slots::resolve(const Value &V, unsigned Unit) const {
  Resolved Result;
  if (V.Unknown || V.isNothing())
    return Result;
  uint32_t Mask = V.Mask;
  Place At = V.At;
  std::string By = V.By;
  for (const std::string &Slot : V.From) {
    const std::string Name = canonical(Slot, Unit);
    auto It = Numbers.find(Name);
    if (Name.empty())
      return Result;
    if (It == Numbers.end()) {
      if (StringRef(Name).starts_with("O:"))
        continue;
      return Result;
    }
    const Content &C = All[It->second];
    if (C.Unknown)
      return Result;
    Mask |= C.Mask;
    if (!At.Line) {
      At = C.At;
      By = C.By;
    }
  }
  if (!Mask)
    return Result;
  Result.Mask = Mask;
  Result.At = std::move(At);
  Result.By = std::move(By);
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
