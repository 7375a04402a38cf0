// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Baseline.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

const AcceptedFinding *Baseline::find(llvm::StringRef Fingerprint) const {
  const auto Found = llvm::find_if(Entries, [&](const AcceptedFinding &E) {
    return E.Fingerprint == Fingerprint;
  });
  return Found == Entries.end() ? nullptr : &*Found;
}

/// Whether two of the three properties match: it is then assumed to be the same
/// place after a change.
static bool isSimilar(const AcceptedFinding &A, const AcceptedFinding &B) {
  return A.Rule == B.Rule && A.Loop.empty() == B.Loop.empty() &&
         (A.File == B.File) + (A.Function == B.Function) + (A.Code == B.Code) >=
             2;
}

static void carryReasons(const std::vector<AcceptedFinding> &Lost,
                         llvm::ArrayRef<AcceptedFinding *> Added) {
  for (const AcceptedFinding &Old : Lost) {
    if (Old.Reason.empty())
      continue;
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
  carryReasons(Lost, Added);
  llvm::append_range(Result.Entries, Kept);
  auto KeyOf = [](const AcceptedFinding &E) {
    return std::tie(E.File, E.Function, E.Code, E.Loop, E.Rule, E.Fingerprint);
  };
  llvm::sort(Result.Entries,
             [&](const auto &A, const auto &B) { return KeyOf(A) < KeyOf(B); });
  return Result;
}

} // namespace autoprof::audit
