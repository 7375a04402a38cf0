// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Baseline.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

namespace autoprof::audit {

const AcceptedFinding *Baseline::find(llvm::StringRef Fingerprint) const {
  const auto Found = llvm::find_if(Entries, [&](const AcceptedFinding &E) {
    return E.Fingerprint == Fingerprint;
  });
  return Found == Entries.end() ? nullptr : &*Found;
}

static bool isAboutCorrectness(llvm::StringRef Rule) {
  return Rule.starts_with("autoprof-unsafe-");
}

static bool isSameCall(const AcceptedFinding &E, llvm::StringRef Call,
                       llvm::StringRef Rule) {
  return !Call.empty() && E.Call == Call && !isAboutCorrectness(Rule) &&
         !isAboutCorrectness(E.Rule);
}

const AcceptedFinding *Baseline::entryOf(const Finding &F,
                                         const llvm::StringSet<> &Found) const {
  if (const AcceptedFinding *E = find(F.Fingerprint))
    return E;
  const auto Same = llvm::find_if(Entries, [&](const AcceptedFinding &E) {
    return isSameCall(E, F.Call, F.Rule) && !Found.contains(E.Fingerprint);
  });
  return Same == Entries.end() ? nullptr : &*Same;
}

/// Whether two of the three properties match: it is then assumed to be the same
/// place after a change.
static bool isSimilar(const AcceptedFinding &A, const AcceptedFinding &B) {
  return A.Rule == B.Rule &&
         (A.File == B.File) + (A.Function == B.Function) + (A.Code == B.Code) >=
             2;
}

static void carryReasons(const std::vector<AcceptedFinding> &Lost,
                         llvm::ArrayRef<AcceptedFinding *> Added) {
  for (const AcceptedFinding &Old : Lost) {
    if (Old.Reason.empty())
      continue;
    const auto Same = llvm::find_if(Added, [&](const AcceptedFinding *New) {
      return isSameCall(Old, New->Call, New->Rule);
    });
    if (Same != Added.end()) {
      (*Same)->Reason = Old.Reason;
      continue;
    }
    AcceptedFinding *Only = nullptr;
    unsigned Count = 0;
    for (AcceptedFinding *New : Added)
      if (isSimilar(Old, *New)) {
        Only = New;
        ++Count;
      }
    if (Count == 1 && Only->Reason.empty())
      Only->Reason = Old.Reason;
  }
}

/// Takes over the reasons of entries for the same calls, the first one for each
/// call.
static void takeReasons(const std::vector<AcceptedFinding> &Kept,
                        llvm::ArrayRef<AcceptedFinding *> Added) {
  llvm::StringMap<const AcceptedFinding *> ByCall;
  for (const AcceptedFinding &E : Kept)
    if (!E.Reason.empty() && isSameCall(E, E.Call, E.Rule))
      ByCall.try_emplace(E.Call, &E);
  for (AcceptedFinding *New : Added)
    if (const AcceptedFinding *E = ByCall.lookup(New->Call);
        E && isSameCall(*E, New->Call, New->Rule))
      New->Reason = E->Reason;
}

Baseline update(const Baseline &Old, std::vector<AcceptedFinding> Found,
                llvm::function_ref<bool(const AcceptedFinding &)> Keeps) {
  Baseline Result{std::move(Found)};
  std::vector<AcceptedFinding *> Added;
  for (AcceptedFinding &E : Result.Entries)
    if (const AcceptedFinding *Known = Old.find(E.Fingerprint))
      E.Reason = Known->Reason;
    else
      Added.push_back(&E);
  std::vector<AcceptedFinding> Kept, Lost;
  for (const AcceptedFinding &E : Old.Entries)
    if (!Result.find(E.Fingerprint))
      (Keeps(E) ? Kept : Lost).push_back(E);
  takeReasons(Kept, Added);
  carryReasons(Lost, Added);
  llvm::append_range(Result.Entries, Kept);
  auto KeyOf = [](const AcceptedFinding &E) {
    return std::tie(E.File, E.Function, E.Code, E.Rule, E.Fingerprint);
  };
  llvm::sort(Result.Entries,
             [&](const auto &A, const auto &B) { return KeyOf(A) < KeyOf(B); });
  return Result;
}

} // namespace autoprof::audit
