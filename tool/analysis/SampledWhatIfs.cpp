// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Analysis.h"
#include "analysis/Stages.h"

#include "trace/timeline/PartOf.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <cstdlib>
#include <limits>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::Timeline;

namespace {

int64_t meanTime(llvm::ArrayRef<Step> Steps) {
  int64_t Sum = 0;
  for (const Step &S : Steps)
    Sum += S.Time;
  return Sum / int64_t(Steps.size());
}

/// `Count` consecutive steps of `All`: tries some places in the run, and takes
/// the one whose mean time is nearest to that of all steps.
llvm::ArrayRef<Step> typicalSteps(llvm::ArrayRef<Step> All, size_t Count) {
  constexpr size_t Places = 16;
  const int64_t Mean = meanTime(All);
  llvm::ArrayRef<Step> Best;
  for (size_t I = 0; I < Places; ++I) {
    auto Part = All.slice(I * (All.size() - Count) / (Places - 1), Count);
    if (Best.empty() ||
        std::abs(meanTime(Part) - Mean) < std::abs(meanTime(Best) - Mean))
      Best = Part;
  }
  return Best;
}

/// Rows of the part's sites become rows of the whole's. Answers about transfers
/// are left out.
class Translator {
  const Result &Whole, &Part;
  const double Factor; ///< How many times as many steps.

  std::optional<uint32_t> rowOf(uint32_t PartRow) const {
    const SiteRow &PartSite = Part.Sites[PartRow];
    auto It = llvm::find_if(Whole.Sites, [&PartSite](const SiteRow &Row) {
      return Row.Site == PartSite.Site && Row.Call == PartSite.Call;
    });
    if (It == Whole.Sites.end())
      return std::nullopt;
    return uint32_t(It - Whole.Sites.begin());
  }

  /// Of the rows, or of all, in the steps that count.
  int64_t exposedOf(const std::vector<uint32_t> &Rows) const {
    int64_t Sum = 0;
    for (uint32_t I = 0; I < Whole.Sites.size(); ++I)
      if (Whole.Sites[I].Steps && (Rows.empty() || llvm::is_contained(Rows, I)))
        Sum += Whole.Sites[I].Steps->Exposed;
    return Sum;
  }

  Gain stretch(Gain G,
               int64_t Limit = std::numeric_limits<int64_t>::max()) const {
    return {std::min(Limit, int64_t(double(G.Low) * Factor)),
            std::min(Limit, int64_t(double(G.High) * Factor))};
  }

public:
  Translator(const Result &Whole, const Result &Part, double Factor)
      : Whole(Whole), Part(Part), Factor(Factor) {}
  double factor() const { return Factor; }

  std::vector<WhatIfRow> rows(std::vector<WhatIfRow> Rows) const {
    for (WhatIfRow &Row : Rows) {
      for (uint32_t &Site : Row.Rows)
        Site = rowOf(Site).value_or(trace::None);
      Row.Saved = stretch(Row.Saved, exposedOf(Row.Rows));
      Row.Beyond = stretch(Row.Beyond);
      Row.Operators = stretch(Row.Operators);
      if (Row.Unrecorded)
        Row.Unrecorded = {int64_t(double(Row.Unrecorded->Middle) * Factor),
                          int64_t(double(Row.Unrecorded->Low) * Factor),
                          int64_t(double(Row.Unrecorded->High) * Factor)};
      if (Row.Alone)
        Row.Alone = stretch(*Row.Alone);
    }
    llvm::erase_if(Rows, [](const WhatIfRow &Row) {
      return llvm::is_contained(Row.Rows, trace::None) ||
             Row.Transfer != trace::None;
    });
    return Rows;
  }
};

WhatIfTable sample(const Timeline &T, const Result &R, size_t MaxOps) {
  if (!R.InSteps || !R.Steps.FromGpu || !R.Steps.measured())
    return {};
  const llvm::ArrayRef<Step> All =
      llvm::ArrayRef(R.Steps.List).drop_front(R.Steps.WarmUp);
  const size_t Count = size_t(double(MaxOps) * double(R.Steps.List.size()) /
                              double(T.Ops.size()));
  if (Count < 2 * MinSampledSteps || Count > All.size())
    return {};
  const llvm::ArrayRef<Step> Chosen = typicalSteps(All, Count);
  const Timeline Part = partOf(T, {Chosen.front().Start, Chosen.back().End});
  llvm::Expected<Steps> Found =
      R.Steps.Site ? llvm::Expected<Steps>(findStepsOfSite(Part, R.Steps.Site))
                   : findSteps(Part, "");
  if (!Found) {
    llvm::consumeError(Found.takeError());
    return {};
  }
  if (!areAlike(R.Steps, *Found) || Found->measured() < MinSampledSteps)
    return {};
  const Result OfPart = analyse(Part, std::move(*Found), R.Measured);
  if (!OfPart.InSteps)
    return {};
  const size_t Replayed = OfPart.Steps.measured();
  const Translator Translate(R, OfPart, double(All.size()) / double(Replayed));
  WhatIfTable Result;
  if (OfPart.WhatIfs.UnrecordedWhole)
    Result.UnrecordedWhole =
        int64_t(double(*OfPart.WhatIfs.UnrecordedWhole) * Translate.factor());
  Result.UnrecordedStep = OfPart.WhatIfs.UnrecordedStep;
  Result.MayHandOver = OfPart.WhatIfs.MayHandOver;
  Result.Answers = Translate.rows(OfPart.WhatIfs.Answers);
  Result.Order = Translate.rows(OfPart.WhatIfs.Order);
  if (!Result.Answers.empty())
    Result.Sampled = {
        Replayed,
        meanTime(
            llvm::ArrayRef(OfPart.Steps.List).drop_front(OfPart.Steps.WarmUp)),
        meanTime(All)};
  return Result;
}

} // namespace

WhatIfTable autoprof::analysis::sampleWhatIfs(const Timeline &T,
                                              const Result &R, size_t MaxOps) {
  WhatIfTable Table = sample(T, R, MaxOps);
  if (!Table.Sampled)
    Table.Sampled.emplace();
  return Table;
}
