// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/timeline/NumberedRanges.h"

#include "trace/timeline/TimelineBuilder.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <map>

using namespace autoprof::trace;
using llvm::StringRef;

namespace {

/// A name with a # in the place of its last number.
struct NumberedName {
  std::string Stem;
  uint64_t Number = 0;
  bool IsMarked = false; ///< By a # of its own: "ProfilerStep#3".
};

std::optional<NumberedName> splitNumber(StringRef Name) {
  const char *const Digits = "0123456789";
  const size_t Last = Name.find_last_of(Digits);
  if (Last == StringRef::npos)
    return std::nullopt;
  const StringRef Prefix = Name.take_front(Last + 1);
  const size_t Before = Prefix.find_last_not_of(Digits);
  const size_t First = Before == StringRef::npos ? 0 : Before + 1;
  NumberedName Result;
  if (Prefix.drop_front(First).getAsInteger(10, Result.Number))
    return std::nullopt;
  const StringRef Stem = Name.take_front(First);
  Result.IsMarked = Stem.ends_with("#");
  Result.Stem =
      (Stem.rtrim('#') + "#" + Name.drop_front(Last + 1).ltrim('#')).str();
  return Result;
}

/// Ranges whose names differ in their last number only.
struct Family {
  std::string Stem;
  uint32_t First = None; ///< Site.
  bool IsMarked = false;
  bool Rises = true;
  size_t MaxRanges = 0; ///< Ranges, on one thread.

  bool isOneRange() const {
    constexpr size_t FewestRanges = 3;
    return Rises && (IsMarked || MaxRanges >= FewestRanges);
  }
};

struct Counter {
  uint64_t Last = 0;
  size_t Count = 0;
};

} // namespace

void autoprof::trace::joinNumberedRanges(Timeline &T) {
  std::vector<Family> Families;
  std::vector<uint32_t> FamilyOf(T.Sites.size(), None); // None: not numbered.
  std::vector<uint64_t> Number(T.Sites.size());
  llvm::StringMap<uint32_t> Index;
  for (uint32_t I = 0; I < T.Sites.size(); ++I) {
    if (!T.Sites[I].isUserRange())
      continue;
    std::optional<NumberedName> Name = splitNumber(T.Sites[I].Function);
    if (!Name)
      continue;
    auto [It, New] = Index.try_emplace(T.Sites[I].Callee + "\n" + Name->Stem,
                                       uint32_t(Families.size()));
    if (New)
      Families.push_back({Name->Stem, I});
    FamilyOf[I] = It->second;
    Families[It->second].IsMarked |= Name->IsMarked;
    Number[I] = Name->Number;
  }
  if (Families.empty())
    return;

  HostEvents &H = T.Host;
  std::map<std::pair<uint32_t, uint32_t>, Counter> Counters;
  for (uint32_t I = 0; I < H.size(); ++I) {
    const uint32_t Site = H.Kind[I] == HostKind::Range ? H.Site[I] : None;
    if (Site == None || FamilyOf[Site] == None)
      continue;
    Counter &C = Counters[{H.Thread[I], FamilyOf[Site]}];
    Family &F = Families[FamilyOf[Site]];
    F.Rises &= C.Count == 0 || Number[Site] > C.Last;
    C.Last = Number[Site];
    F.MaxRanges = std::max(F.MaxRanges, ++C.Count);
  }

  for (const Family &F : Families)
    if (F.isOneRange()) {
      Site &S = T.Sites[F.First];
      S.Function = F.Stem;
      S.Id = userRangeId(S.Callee, F.Stem);
    }
  for (uint32_t &Site : H.Site)
    if (Site != None && FamilyOf[Site] != None &&
        Families[FamilyOf[Site]].isOneRange())
      Site = Families[FamilyOf[Site]].First;
}

StringRef autoprof::trace::withoutNumber(StringRef Name) {
  const StringRef Stem = Name.rtrim("0123456789");
  return Stem.ends_with("#") ? Stem : Name;
}
