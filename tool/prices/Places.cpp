// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prices/Places.h"

#include "llvm/Support/Path.h"

#include <tuple>

using namespace autoprof::prices;
using llvm::StringRef;

namespace {

std::string lineKey(const Place &P) {
  return (llvm::sys::path::filename(P.File) + ":" + llvm::Twine(P.Line)).str();
}

/// Whether `Path` ends with `End`, at the beginning of a name.
bool endsWithPath(StringRef Path, StringRef End) {
  return !End.empty() && Path.consume_back(End) &&
         (Path.empty() || Path.ends_with("/"));
}

} // namespace

uint64_t autoprof::prices::parseId(StringRef Text) {
  uint64_t Id = 0;
  if (!Text.consume_front("0x") || Text.size() != 16 ||
      Text.getAsInteger(16, Id))
    return 0;
  return Id;
}

bool autoprof::prices::mayBeSameFile(StringRef A, StringRef B) {
  return endsWithPath(A, B) || endsWithPath(B, A);
}

PlaceIndex::PlaceIndex(llvm::ArrayRef<Place> Places) : Places(Places) {
  for (uint32_t I = 0; I < Places.size(); ++I) {
    if (Places[I].Id)
      ById.try_emplace(Places[I].Id, I);
    if (Places[I].Line)
      ByLine[lineKey(Places[I])].push_back(I);
  }
}

std::optional<Match> PlaceIndex::find(const Place &Recorded,
                                      unsigned *Candidates) const {
  if (Candidates)
    *Candidates = 0;
  if (auto It = ById.find(Recorded.Id); Recorded.Id && It != ById.end())
    return Match{It->second, false};
  auto It = Recorded.Line ? ByLine.find(lineKey(Recorded)) : ByLine.end();
  if (It == ByLine.end())
    return std::nullopt;
  std::optional<Match> Found;
  unsigned Number = 0;
  for (uint32_t I : It->second) {
    const Place &P = Places[I];
    if (P.Call != Recorded.Call || !mayBeSameFile(P.File, Recorded.File))
      continue;
    // The plugin names functions as the audit does; debug information does not.
    if (Recorded.Id && P.Function != Recorded.Function)
      continue;
    if (Found &&
        std::tie(Places[Found->Index].File, Places[Found->Index].Column) ==
            std::tie(P.File, P.Column))
      continue; // A macro uses its argument twice.
    Found = Match{I, true};
    ++Number;
  }
  if (Candidates)
    *Candidates = Number;
  return Number == 1 ? Found : std::nullopt;
}
