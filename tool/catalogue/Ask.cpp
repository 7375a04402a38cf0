// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derives what a call does from what is known of its arguments. The rows are
// tried in order: a row that cannot hold is skipped, a row that surely holds
// ends the search, and a row that may hold is kept as a candidate. If all
// candidates agree, that is the answer; otherwise it is "maybe".
#include "catalogue/Catalogue.h"

#include <algorithm>

using namespace autoprof::catalogue;

namespace {

std::vector<const Row *> possibleRows(const Row &General, const Facts &Known) {
  std::vector<const Row *> Result;
  for (const Row &R : conditional(General)) {
    if ((R.Condition & Known).impossible())
      continue;
    Result.push_back(&R);
    if (R.Condition.covers(Known))
      return Result;
  }
  Result.push_back(&General);
  return Result;
}

/// "it depends on the direction and the source", naming the facts that decide.
/// `Frees`: the call frees memory, which is what its destination then means.
std::string whatIsMissing(const std::vector<const Row *> &Rows,
                          const Facts &Known, bool Frees) {
  std::vector<std::string> Missing;
  for (unsigned I = 0; I < NumFacts; ++I) {
    uint32_t Possible = Known.Possible[I];
    if (std::any_of(Rows.begin(), Rows.end(), [&](const Row *R) {
          return Possible & ~R->Condition.Possible[I];
        }))
      Missing.push_back(name(Fact(I)).str());
  }
  std::string Result = "it depends on the ";
  for (size_t I = 0; I < Missing.size(); ++I)
    Result += (I ? I + 1 == Missing.size() ? " and the " : ", the " : "") +
              (Missing[I] == "pointer_mode"           ? "pointer mode"
               : Frees && Missing[I] == "destination" ? "memory that is freed"
                                                      : Missing[I]);
  return Result;
}

/// "no" and "slow" together are "slow".
Waits combined(const std::vector<const Row *> &Rows) {
  bool Some = false, All = true, Slow = false;
  for (const Row *R : Rows) {
    Some |= mayWait(R->Wait);
    All &= R->Wait == Waits::Yes;
    Slow |= R->Wait == Waits::Slow;
  }
  if (Some)
    return All ? Waits::Yes : Waits::Maybe;
  return Slow ? Waits::Slow : Waits::No;
}

} // namespace

Answer autoprof::catalogue::ask(const Row &General, const Facts &Known) {
  Facts Settled = settled(Known);
  Answer Result;
  Result.Rows = possibleRows(General, Settled);
  // The general row answers for unknown arguments; conditional rows that are
  // still candidates are more specific.
  std::vector<const Row *> Asked = Result.Rows;
  if (Asked.back() == &General && !Known.any())
    Asked = {&General};
  const Row &First = *Asked.front();
  Result.Wait = combined(Asked);
  for (const Row *R : Asked)
    Result.Target = std::max(Result.Target, R->Target);
  if (Asked.size() == 1)
    Result.Reason = First.Reason.str();
  else if (Result.Wait == Waits::Maybe)
    Result.Reason =
        whatIsMissing(Asked, Settled, General.Class == CallClass::Free);
  if (mayWait(Result.Wait) || Result.Wait == Waits::Slow)
    Result.Replacement = General.Replacement;
  Result.Source = First.Source.str();
  return Result;
}
