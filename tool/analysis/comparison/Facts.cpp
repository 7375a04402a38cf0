// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/Facts.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace autoprof::analysis;

namespace {

bool waits(const Difference &D, const SiteRow *Row) {
  return Row && (D.PerStep ? Row->Steps && Row->Steps->Waits : Row->Waits > 0);
}

std::optional<Fact> waitFact(const Difference &D, const SiteChange &C) {
  const bool Before = waits(D, C.Base), After = waits(D, C.New);
  if (Before == After || C.InBase == Presence::NotReached ||
      C.InNew == Presence::NotReached)
    return std::nullopt;
  if (Before)
    return Fact{C.New ? FactKind::NoLongerWaits : FactKind::Gone, &C};
  return Fact{C.Base ? FactKind::NowWaits : FactKind::Added, &C};
}

/// Calls before and after the steps count, too, and so a tenth of a call is no
/// difference.
std::optional<Fact> countFact(const Difference &D, const SiteChange &C) {
  constexpr double Least = 0.1;
  const RunSummary &B = D.Base[0], &N = D.New[0];
  if (!D.PerStep || !C.Base || !C.New || B.Limited || N.Limited || B.CutOff ||
      N.CutOff)
    return std::nullopt;
  const double Base = double(C.Base->Count) / double(B.R.Steps.List.size()),
               New = double(C.New->Count) / double(N.R.Steps.List.size());
  if (std::abs(New - Base) < Least)
    return std::nullopt;
  return Fact{FactKind::CallsPerStep, &C, Base, New};
}

} // namespace

llvm::StringRef autoprof::analysis::name(FactKind K) {
  constexpr llvm::StringLiteral Names[] = {
      "gone",           "added",     "no_longer_waits", "now_waits",
      "calls_per_step", "lead_kept", "lead_drained"};
  return Names[unsigned(K)];
}

std::vector<Fact> autoprof::analysis::findFacts(const Difference &D) {
  std::vector<Fact> Facts;
  auto Known = [](const RunSummary &S) { return S.R.WaitsKnown; };
  const bool WaitsKnown =
      llvm::all_of(D.Base, Known) && llvm::all_of(D.New, Known);
  for (const SiteChange &C : D.Sites) {
    std::optional<Fact> F;
    if (WaitsKnown)
      F = waitFact(D, C);
    if (!F)
      F = countFact(D, C);
    if (F)
      Facts.push_back(*F);
  }
  if (D.Step && D.Base[0].R.Steps.FromGpu && !D.Step->BaseLead &&
      D.Step->NewLead)
    Facts.push_back({FactKind::LeadKept});
  if (D.Step && D.Base[0].R.Steps.FromGpu && D.Step->BaseLead &&
      !D.Step->NewLead)
    Facts.push_back({FactKind::LeadDrained});
  return Facts;
}
