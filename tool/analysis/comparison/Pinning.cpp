// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/Diff.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::MemoryKind;

namespace {

/// Those of the steps that count.
std::vector<const TransferRow *> transfers(const RunSummary &Run,
                                           MemoryKind Memory) {
  std::vector<const TransferRow *> Result;
  for (const TransferRow &T : Run.R.Transfers)
    if (T.Memory == Memory && T.Site != trace::None && T.Steps &&
        T.Steps->Bytes)
      Result.push_back(&T);
  return Result;
}

/// Into Difference::Sites; nullopt: the site is not compared.
std::optional<size_t> siteOf(const Difference &D, const TransferRow &T,
                             const SiteRow *SiteChange::*Side) {
  for (size_t I = 0; I < D.Sites.size(); ++I)
    if (const SiteRow *Row = D.Sites[I].*Side)
      if (Row->Site == T.Site && Row->Call == T.Call)
        return I;
  return std::nullopt;
}

/// Whether the replay has an answer for pinned memory.
bool isReplayed(const Result &R, const TransferRow &T) {
  return llvm::any_of(R.WhatIfs.Answers, [&](const WhatIfRow &Row) {
    return Row.Transfer != trace::None && &R.Transfers[Row.Transfer] == &T;
  });
}

double bytesPerStep(const TransferRow &T, const RunSummary &Run) {
  return double(T.Steps->Bytes) / double(Run.R.InSteps->Count);
}

/// Whether the new site may copy what the base's did: it is the same, or one
/// that only the new program has in a file where the base's no longer runs.
bool mayReplace(const Difference &D, size_t Base, size_t New) {
  if (Base == New)
    return true;
  const SiteChange &B = D.Sites[Base], &N = D.Sites[New];
  return B.InNew == Presence::NotRun && N.InBase == Presence::NotRun &&
         B.BasePlace->File == N.NewPlace->File;
}

} // namespace

std::vector<PinnedCopy> analysis::findPinned(const Difference &D,
                                             MemoryKind Before) {
  std::vector<PinnedCopy> Result;
  const RunSummary &Base = D.Base[0], &New = D.New[0];
  if (!D.PerStep || !Base.R.InSteps || !New.R.InSteps ||
      !Base.R.InSteps->Count || !New.R.InSteps->Count)
    return Result;
  const bool IsPinned = Before == MemoryKind::Pageable;
  const MemoryKind After = IsPinned ? MemoryKind::Pinned : MemoryKind::Pageable;
  constexpr double SameSize = 0.01; // Steps at the ends may be cut.
  for (const TransferRow *B : transfers(Base, Before)) {
    for (const TransferRow *N : transfers(New, After)) {
      const double Bytes = bytesPerStep(*B, Base);
      const auto Old = siteOf(D, *B, &SiteChange::Base),
                 Now = siteOf(D, *N, &SiteChange::New);
      if (!(IsPinned ? isReplayed(Base.R, *B) : isReplayed(New.R, *N)) ||
          B->Dir != N->Dir || !Old || !Now || !mayReplace(D, *Old, *Now) ||
          std::abs(bytesPerStep(*N, New) - Bytes) > SameSize * Bytes)
        continue;
      Result.push_back({*Old, *Now, B, N});
      break;
    }
  }
  return Result;
}
