// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/replay/TransferWhatIfs.h"

using namespace autoprof::analysis;
using autoprof::trace::MemoryKind;

namespace {

/// The number of transfers that are replayed.
constexpr size_t MaxTransfers = 3;

/// How much shorter or longer pageable copies of one size are in other
/// processes, which get other pages: 87 runs of six programs on two machines
/// with an H100 (docs/predictions.md, "Transfers").
constexpr double PageableSpread = 0.1;

/// A gain in runs other than the recorded one.
Gain widened(const Gain &G, const TransferRow &Row, bool OfSteps,
             uint64_t Parts) {
  if (Row.Memory != MemoryKind::Pageable || !Parts)
    return G;
  const TransferSums &S = OfSteps && Row.Steps ? *Row.Steps : Row.Run;
  const auto Spread =
      int64_t(PageableSpread * double(std::max(S.Host - S.Waiting, S.Gpu)) /
              double(Parts));
  return {std::max<int64_t>(0, G.Low - Spread), G.High + Spread};
}

/// The questions that make sense.
std::vector<Edit> questions(const TransferRow &Row) {
  std::vector<Edit> Result;
  // If the kind of memory is unknown, so is the effect of pinning it.
  if (Row.Memory == MemoryKind::Pageable) {
    Result.push_back(Edit::Pin);
    // Of pinned copies that block, the sites' answers have it.
    if (Row.Blocks)
      Result.push_back(Edit::PinAsync);
  }
  Result.push_back(Edit::RemoveTransfer);
  return Result;
}

} // namespace

bool autoprof::analysis::isWorthAsking(const TransferRow &Row, int64_t Whole) {
  const TransferSums &S = Row.Steps ? *Row.Steps : Row.Run;
  const int64_t Cost = std::max(S.Host - S.Waiting, S.Gpu);
  return S.Count && S.Bytes / S.Count >= SmallTransfer && 100 * Cost >= Whole;
}

std::vector<WhatIfRow>
autoprof::analysis::answerTransfers(const Replay &Player,
                                    const std::vector<TransferRow> &Rows,
                                    bool OfSteps, bool Full, int64_t Whole) {
  std::vector<WhatIfRow> Result;
  size_t Asked = 0;
  for (size_t I = 0; I < Rows.size() && Asked < MaxTransfers; ++I) {
    if (!isWorthAsking(Rows[I], Whole))
      continue;
    ++Asked;
    for (Edit Kind : questions(Rows[I])) {
      Plan P;
      P.Kind = Kind;
      P.Groups = {Rows[I].Group};
      P.Dir = Rows[I].Dir;
      WhatIfRow Row;
      Row.Kind = Row.Replayed = Kind;
      Row.Transfer = uint32_t(I);
      Gains Found = Player.gain(P);
      auto Widened = [&](const Gain &G, uint64_t Parts = 1) {
        return widened(G, Rows[I], OfSteps, Parts);
      };
      Row.Saved = Widened(OfSteps ? Found.Steps : Found.Run);
      Row.Step = Found.Median;
      if (Full) {
        auto Estimated = [&](const Estimate &E, uint64_t Parts = 1) {
          const Gain G = Widened({E.Low, E.High}, Parts);
          return Estimate{(G.Low + G.High) / 2, G.Low, G.High};
        };
        const Estimates Plain = Player.gainUnrecorded(P);
        Row.Unrecorded = Estimated(OfSteps ? Plain.Steps : Plain.Run);
        if (OfSteps)
          Row.UnrecordedStep = Estimated(Plain.Median, Player.steps());
      }
      if (Player.collectives()) {
        P.HoldCollectives = true;
        Found = Player.gain(P);
        Row.Alone = OfSteps ? Found.Steps : Found.Run;
      }
      Result.push_back(std::move(Row));
    }
  }
  return Result;
}
