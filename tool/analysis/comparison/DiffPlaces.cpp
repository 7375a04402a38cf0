// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/DiffPlaces.h"

#include "analysis/comparison/Match.h"

using namespace autoprof::analysis;
using autoprof::trace::None;

size_t DiffPlaces::add() {
  Guesses.emplace_back();
  return Guesses.size() - 1;
}

DiffPlaces::DiffPlaces(const std::vector<RunSummary> &Base,
                       const std::vector<RunSummary> &New) {
  OfBase.emplace_back();
  for (size_t I = 0; I < Base[0].Table.size(); ++I)
    OfBase[0].push_back(add());
  OfNew.emplace_back();
  for (const Match &M : matchSites(Base[0].Table, New[0].Table)) {
    OfNew[0].push_back(M.Base == None ? add() : OfBase[0][M.Base]);
    Guesses[OfNew[0].back()] = M.Guess;
  }
  addRepeats(Base, OfBase);
  addRepeats(New, OfNew);
}

/// Later runs of a side are of the same program, where a guess would be wrong.
void DiffPlaces::addRepeats(const std::vector<RunSummary> &Side,
                            std::vector<std::vector<size_t>> &PlacesOf) {
  for (size_t R = 1; R < Side.size(); ++R) {
    PlacesOf.emplace_back();
    for (const Match &M : matchSites(Side[0].Table, Side[R].Table))
      PlacesOf[R].push_back(
          M.Base != None && M.Guess.empty() ? PlacesOf[0][M.Base] : add());
  }
}
