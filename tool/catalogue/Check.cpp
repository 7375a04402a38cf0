// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fails the build if a row of the catalogue is wrong, and names the row. The
// .def files are included a second time here, as assertions; a row's index in
// the table comes from the compiler's __COUNTER__, which each row advances by
// its number of assertions.
#include "catalogue/Table.h"

#include <iterator>
#include <string_view>

namespace autoprof::catalogue {

constexpr std::string_view view(const llvm::StringLiteral &S) {
  return {S.data(), S.size()};
}

constexpr bool sameCall(const Row &A, const Row &B) {
  return view(A.Name) == view(B.Name);
}

/// Comparing numbers first spares the compiler from comparing every pair of
/// names character by character.
struct Hashes {
  uint32_t List[std::size(Table)] = {};
  constexpr Hashes() {
    for (size_t I = 0; I < std::size(Table); ++I)
      for (char C : view(Table[I].Name))
        List[I] = List[I] * 31 + uint32_t(C);
  }
};
constexpr Hashes NameHashes;

constexpr size_t generalOf(size_t Index) {
  while (Index && !Table[Index].General)
    --Index;
  return Index;
}

constexpr bool hasSource(size_t Index) {
  return !view(Table[Index].Source).empty();
}

/// A call has one general row; its other rows follow that one.
constexpr bool standsInPlace(size_t Index) {
  if (!Table[Index].General)
    return Index && sameCall(Table[Index], Table[Index - 1]);
  const uint32_t Hash = NameHashes.List[Index];
  for (const uint32_t *List = NameHashes.List; List < NameHashes.List + Index;
       ++List)
    if (*List == Hash && sameCall(Table[List - NameHashes.List], Table[Index]))
      return false;
  return true;
}

/// The condition restricts something and can be met.
constexpr bool hasCondition(size_t Index) {
  const Row &R = Table[Index];
  return R.General || (R.Condition.any() && !R.Condition.impossible());
}

constexpr bool isReachable(size_t Index) {
  if (Table[Index].General)
    return true;
  for (size_t I = generalOf(Index) + 1; I < Index; ++I)
    if (Table[I].Condition.covers(Table[Index].Condition))
      return false;
  return true;
}

constexpr bool namesTarget(size_t Index) {
  const Row &R = Table[Index];
  return mayWait(R.Wait) == (R.Target != WaitsFor::Nothing);
}

constexpr bool saysWhy(size_t Index) {
  const Row &R = Table[Index];
  return (R.Wait != Waits::Maybe && R.Wait != Waits::Slow) ||
         !view(R.Reason).empty();
}

/// A call that may wait has a replacement; one that never does needs none.
constexpr bool hasReplacement(size_t Index) {
  const Row &R = Table[Index];
  if (!R.General || R.Wait == Waits::Slow)
    return true;
  return mayWait(R.Wait) == !view(R.Replacement).empty();
}

constexpr bool fitsClass(size_t Index) {
  const Row &R = Table[Index];
  bool Family = view(R.Name).back() == '*';
  return (R.Class != CallClass::Query || R.Wait == Waits::No) &&
         (R.Class != CallClass::Sync || R.Wait == Waits::Yes) &&
         (!Family || R.Wait == Waits::No);
}

constexpr std::string_view FactNames[NumFacts] = {
    "direction", "destination",  "source", "stream",
    "size",      "pointer_mode", "flag"};

/// Which facts "direction=kind, destination=dst" names; bit NumFacts for
/// anything else.
constexpr unsigned factsNamed(std::string_view Text) {
  unsigned Result = 0;
  while (!Text.empty()) {
    size_t Equals = Text.find('='), Comma = Text.find(", ");
    unsigned Index = 0;
    while (Index < NumFacts && Text.substr(0, Equals) != FactNames[Index])
      ++Index;
    Result |= 1u << Index;
    bool Last = Comma == std::string_view::npos;
    if (Equals == std::string_view::npos || Equals + 1 >= Text.size() ||
        Equals + 1 == Comma)
      Result |= 1u << NumFacts;
    Text = Last ? std::string_view() : Text.substr(Comma + 2);
  }
  return Result;
}

constexpr bool namesKnownFacts(size_t Index) {
  return !(factsNamed(view(Table[Index].DecidedBy)) >> NumFacts);
}

/// The general row names each fact of its conditions, and no other.
constexpr bool namesItsFacts(size_t Index) {
  if (!Table[Index].General)
    return true;
  unsigned Used = 0;
  for (size_t I = Index + 1; I < std::size(Table) && !Table[I].General; ++I)
    for (unsigned F = 0; F < NumFacts; ++F)
      if (Table[I].Condition.knows(Fact(F)))
        Used |= 1u << F;
  return Used ==
         (factsNamed(view(Table[Index].DecidedBy)) & ((1u << NumFacts) - 1));
}

#define AUTOPROF_CHECK(FUNCTION, ROW, PROBLEM)                                 \
  static_assert(FUNCTION((__COUNTER__ - Base) / 9),                            \
                "catalogue: " ROW " " PROBLEM);
#define AUTOPROF_CHECK_ROW(ROW)                                                \
  AUTOPROF_CHECK(hasSource, ROW, "has no source")                              \
  AUTOPROF_CHECK(standsInPlace, ROW,                                           \
                 "is duplicated, or is not after the general row of its call") \
  AUTOPROF_CHECK(hasCondition, ROW, "has no condition, or an impossible one")  \
  AUTOPROF_CHECK(isReachable, ROW,                                             \
                 "is never reached: an earlier row covers its condition")      \
  AUTOPROF_CHECK(namesTarget, ROW,                                             \
                 "waits without naming for what, or the reverse")              \
  AUTOPROF_CHECK(saysWhy, ROW, "does not state what it depends on")            \
  AUTOPROF_CHECK(hasReplacement, ROW,                                          \
                 "may wait and has no replacement, or the reverse")            \
  AUTOPROF_CHECK(fitsClass, ROW,                                               \
                 "is a query or a family that waits, or a sync that does not") \
  AUTOPROF_CHECK(namesKnownFacts, ROW,                                         \
                 "is decided by a fact that does not exist")

#define AUTOPROF_CALL(NAME, CLASS, DECIDED_BY, WAIT, TARGET, WHY, REPLACEMENT, \
                      SOURCE)                                                  \
  AUTOPROF_CHECK_ROW(#NAME)
#define AUTOPROF_WHEN(NAME, CONDITION, WAIT, TARGET, WHY, SOURCE)              \
  AUTOPROF_CHECK_ROW(#NAME " when " #CONDITION)
constexpr size_t Base = __COUNTER__ + 1;
#include AUTOPROF_CATALOGUE_ROWS
#undef AUTOPROF_CALL
#undef AUTOPROF_WHEN

#define AUTOPROF_CALL(NAME, ...)                                               \
  static_assert(namesItsFacts(__COUNTER__ - NextBase),                         \
                "catalogue: " #NAME                                            \
                " must name in its third column the facts "                    \
                "of its conditions, and no other");
#define AUTOPROF_WHEN(NAME, ...) AUTOPROF_CALL(NAME)
constexpr size_t NextBase = __COUNTER__ + 1;
#include AUTOPROF_CATALOGUE_ROWS

} // namespace autoprof::catalogue
