// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the data of a site goes: the uses that it reaches through variables,
// fields, and called functions.
#include "audit/Link.h"
#include "audit/Slots.h"

#include "llvm/ADT/STLExtras.h"

#include <deque>
#include <set>
#include <tuple>

using llvm::StringRef;

namespace autoprof::audit {

namespace {

/// A call by which data entered a function: it leaves by the same call.
struct Entry {
  unsigned Callee, Caller, Call;
  friend bool operator<(const Entry &A, const Entry &B) {
    return std::tie(A.Callee, A.Caller, A.Call) <
           std::tie(B.Callee, B.Caller, B.Call);
  }
};

/// A use on the way of data, and the calls it is in, the innermost last. If
/// there are none, data may leave by any call.
struct DataStep {
  unsigned Function;
  const Use *Model;
  unsigned Fields; ///< See Destination.
  std::vector<Entry> Calls;
};

} // namespace

/// The calls that data is in after a step to a use, or none if it cannot get
/// there.
static std::optional<std::vector<Entry>>
callsAfter(const DataStep &From, unsigned Function, const Use &Next) {
  constexpr size_t MaxCalls = 3; // Others are forgotten.
  std::vector<Entry> Calls = From.Calls;
  const StringRef Slot = From.Model->TargetSlot;
  if (Slot.starts_with("P:")) {
    if (!From.Model->Into)
      return std::vector<Entry>();
    Calls.push_back({Function, From.Function, From.Model->Into});
    if (Calls.size() > MaxCalls)
      Calls.erase(Calls.begin());
    return Calls;
  }
  const bool Leaves = Slot.starts_with("R:") || Slot.starts_with("O:");
  if (!Leaves || Calls.empty() || Calls.back().Callee != From.Function)
    return std::vector<Entry>();
  const Entry By = Calls.back();
  if (By.Caller != Function || (Next.From && Next.From != By.Call))
    return std::nullopt;
  Calls.pop_back();
  return Calls;
}

std::vector<Destination> Project::destinations(const LinkedSite &S) const {
  // From there on the calls are forgotten, as the ways to a use through layers
  // of helpers may be as many as there are combinations of calls.
  constexpr size_t MaxSteps = 5'000;
  std::deque<DataStep> Worklist; // The fewest fields first.
  const Function &F = functionOf(S);
  const int Number = S.Model - F.Sites.data();
  for (const Use &U : F.Uses)
    if (U.Site == Number)
      Worklist.push_back({S.Function, &U, 0, {}});
  std::set<std::pair<const Use *, std::vector<Entry>>> Seen;
  std::set<const Use *> Found;
  std::vector<Destination> Result;
  while (!Worklist.empty()) {
    DataStep Current = std::move(Worklist.front());
    Worklist.pop_front();
    if (!Seen.insert({Current.Model, Current.Calls}).second)
      continue;
    if (Current.Model->Class != Use::Stored) {
      if (Found.insert(Current.Model).second)
        Result.push_back({Current.Function, Current.Model, Current.Fields});
      continue;
    }
    StringRef TargetSlot = Current.Model->TargetSlot;
    const bool Field =
        TargetSlot.starts_with("F:") || TargetSlot.starts_with("G:");
    for (auto [Function, Next] :
         TheSlots->usesOf(TargetSlot, Functions[Current.Function].Unit))
      if (std::optional<std::vector<Entry>> Calls =
              callsAfter(Current, Function, *Next)) {
        if (Seen.size() > MaxSteps)
          Calls->clear();
        DataStep Then{Function, Next, Current.Fields + Field,
                      std::move(*Calls)};
        if (Field)
          Worklist.push_back(std::move(Then));
        else
          Worklist.push_front(std::move(Then));
      }
  }
  llvm::sort(Result, [](const Destination &A, const Destination &B) {
    return std::tie(A.Model->Location.File, A.Model->Location.Offset,
                    A.Model->Class) < std::tie(B.Model->Location.File,
                                               B.Model->Location.Offset,
                                               B.Model->Class);
  });
  return Result;
}

} // namespace autoprof::audit
