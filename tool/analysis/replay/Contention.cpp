// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/replay/JointReplay.h"

#include "analysis/common/Statistics.h"
#include "analysis/common/Windows.h"

#include <map>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::Timeline;

namespace {

/// Fewer undisturbed runs of a kernel do not tell how long it takes.
constexpr size_t LeastRuns = 3;
/// NCCL occupies at most 32 multiprocessors, a quarter of an H100's. A larger
/// difference has another reason: a kernel that is always launched in the same
/// shape does more work, or the ranks' GPUs differ.
constexpr int64_t LeastPercent = 75;
constexpr int64_t Unknown = -1;

/// The kernels of all ranks, by name and launch shape. Of a rank's stages: the
/// number of its kernel, or None for collectives, copies, and sets.
class Kernels {
  std::map<std::pair<std::string, trace::LaunchShape>, uint32_t> Numbers;

public:
  std::vector<uint32_t> ofStages(const Timeline &T) {
    std::vector<uint32_t> Result(T.Stages.size(), trace::None);
    for (size_t I = 0; I < Result.size(); ++I) {
      const trace::Stage &S = T.Stages[I];
      if (S.Kind == trace::OpKind::Kernel && !isCollective(T, S))
        Result[I] =
            Numbers
                .try_emplace({T.Strings[S.Name].str(), S.Shape}, Numbers.size())
                .first->second;
    }
    return Result;
  }
  size_t count() const { return Numbers.size(); }
};

/// By operation: for how long a collective waited meanwhile, ns.
std::vector<int64_t> timesBeside(const WaitingRank &Rank) {
  const trace::GpuOps &O = Rank.T.Ops;
  std::vector<int64_t> Result;
  for (uint32_t Op = 0; Op < O.size(); ++Op)
    Result.push_back(overlap(Rank.Waiting, O.Start[Op], O.End[Op]));
  return Result;
}

} // namespace

std::vector<std::vector<int64_t>>
autoprof::analysis::durationsWithoutWaiting(llvm::ArrayRef<WaitingRank> Ranks) {
  Kernels All;
  std::vector<std::vector<uint32_t>> KernelOf; // By rank and stage.
  std::vector<std::vector<int64_t>> Beside;    // By rank and operation.
  for (const WaitingRank &Rank : Ranks) {
    KernelOf.push_back(All.ofStages(Rank.T));
    Beside.push_back(timesBeside(Rank));
  }
  std::vector<std::vector<int64_t>> Alone(All.count()), Result;
  for (size_t R = 0; R < Ranks.size(); ++R) {
    const trace::GpuOps &O = Ranks[R].T.Ops;
    std::vector<int64_t> &Times = Result.emplace_back();
    for (uint32_t Op = 0; Op < O.size(); ++Op) {
      Times.push_back(O.End[Op] - O.Start[Op]);
      const uint32_t Kernel = KernelOf[R][O.Stage[Op]];
      if (!Beside[R][Op] && Kernel != trace::None)
        Alone[Kernel].push_back(Times.back());
    }
  }
  std::vector<int64_t> Typical;
  for (std::vector<int64_t> &Times : Alone)
    Typical.push_back(Times.size() < LeastRuns ? Unknown
                                               : median(std::move(Times)));
  for (size_t R = 0; R < Ranks.size(); ++R)
    for (uint32_t Op = 0; Op < Result[R].size(); ++Op) {
      const uint32_t Kernel = KernelOf[R][Ranks[R].T.Ops.Stage[Op]];
      int64_t &Time = Result[R][Op];
      if (Kernel != trace::None && 2 * Beside[R][Op] >= Time &&
          Typical[Kernel] < Time &&
          100 * Typical[Kernel] >= LeastPercent * Time)
        Time = Typical[Kernel];
    }
  return Result;
}
