// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/SiteTexts.h"

#include "trace/timeline/Places.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <map>

using namespace autoprof;
using namespace autoprof::trace;
using trace::Site;

namespace {

/// Sites of which one text is read, by what they are. Stacks of one place are
/// several sites that are the same.
using Group = std::map<std::string, std::vector<Site *>>;

std::string identity(const Site &S) {
  return S.key() + "\n" + S.Function + "\n" + std::to_string(S.EndLine) + ":" +
         std::to_string(S.EndColumn);
}

bool areDistinct(const Group &All, const PlaceDetails &More) {
  llvm::StringMap<char> Seen;
  return llvm::all_of(All, [&](const auto &One) {
    return Seen.try_emplace(place(*One.second[0], More)).second;
  });
}

/// How many folders of the paths it takes to tell all files apart.
unsigned foldersToDiffer(const Group &All) {
  constexpr unsigned Most = 8;
  for (unsigned Folders = 1; Folders < Most; ++Folders) {
    llvm::StringMap<llvm::StringRef> FileOf;
    if (llvm::all_of(All, [&](const auto &One) {
          Site Bare;
          Bare.File = One.second[0]->File;
          return FileOf.try_emplace(place(Bare, {Folders}), One.second[0]->File)
                     .first->second == One.second[0]->File;
        }))
      return Folders;
  }
  return Most;
}

void label(Group &All) {
  PlaceDetails More;
  auto Differ = [&All](auto Member) {
    const Site &First = *All.begin()->second[0];
    return llvm::any_of(All, [&](const auto &One) {
      return One.second[0]->*Member != First.*Member;
    });
  };
  if (Differ(&Site::File))
    More.Folders = foldersToDiffer(All);
  if (!areDistinct(All, More))
    More.Column = Differ(&Site::Column);
  if (!areDistinct(All, More))
    More.Function = Differ(&Site::Function);
  const bool AreNumbered = !areDistinct(All, More);
  unsigned Number = 0;
  for (auto &[Identity, Same] : All) {
    const std::string Suffix =
        AreNumbered ? " #" + std::to_string(++Number) : "";
    for (Site *S : Same)
      S->Label = place(*S, More) + Suffix;
  }
}

} // namespace

void report::labelSites(trace::Timeline &T) {
  std::map<std::string, Group> ByText;
  for (Site &S : T.Sites)
    if (!S.File.empty())
      ByText[S.Kind + " " + placeAndCall(S, S.Callee)][identity(S)].push_back(
          &S);
  for (auto &[Text, All] : ByText)
    if (All.size() > 1)
      label(All);
}
