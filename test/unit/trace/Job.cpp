// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Job.h"

using namespace autoprof;
using namespace autoprof::test;
using trace::HostKind;

namespace {

struct RankState {
  Simulator S;
  uint32_t Stream, Loop, Read, Next;
};

/// The last call of a step. The read comes in the next one.
void meet(std::vector<RankState> &Ranks, const Job &J) {
  int64_t End = 0;
  for (size_t I = 0; I < Ranks.size(); ++I)
    End = std::max(End, Ranks[I].S.nextStart(Ranks[I].Stream) -
                            J.Ranks[I].ClockNs + J.TransferNs);
  for (size_t I = 0; I < Ranks.size(); ++I) {
    RankState &R = Ranks[I];
    const int64_t Start = R.S.nextStart(R.Stream) - J.Ranks[I].ClockNs;
    R.S.launch(R.Stream, End - Start,
               "ncclDevKernel_AllReduce_Sum_f32_RING_LL");
  }
}

} // namespace

std::vector<trace::Timeline> autoprof::test::simulateJob(const Job &J,
                                                         int Dropped) {
  std::vector<RankState> Ranks(J.Ranks.size());
  for (size_t I = 0; I < Ranks.size(); ++I) {
    RankState &R = Ranks[I];
    R.Stream = R.S.stream(7, trace::StreamFlag::Null);
    R.Loop = R.S.site(0x11, "loop", 12, "for");
    R.Read = R.S.site(0x13, "copy", 88, "cudaMemcpy");
    R.Next = R.S.site(0x14, "copy", 89, "cudaMemcpy");
    R.S.Now = J.Ranks[I].ClockNs;
    if (Dropped == int(I) || Dropped == int(Ranks.size()))
      R.S.Dropped = "cudaMemcpy";
  }
  for (unsigned Step = 0; Step < J.Steps; ++Step) {
    for (size_t I = 0; I < Ranks.size(); ++I) {
      RankState &R = Ranks[I];
      R.S.enter(HostKind::Range, R.Loop);
      if (J.Ranks[I].Reads && Step) {
        R.S.enter(HostKind::Site, R.Read);
        R.S.readBack(R.Stream);
        R.S.leave();
        if (J.Ranks[I].ReadsAgain) {
          R.S.enter(HostKind::Site, R.Next);
          R.S.readBack(R.Stream);
          R.S.leave();
        }
        R.S.work(J.Ranks[I].PrintNs);
      }
      for (unsigned K = 0; K < J.Kernels; ++K)
        R.S.launch(R.Stream, J.Ranks[I].KernelNs);
    }
    meet(Ranks, J);
    for (RankState &R : Ranks)
      R.S.leave();
  }
  std::vector<trace::Timeline> Result;
  Result.reserve(Ranks.size()); // A copy's strings would be the original's.
  for (size_t I = 0; I < Ranks.size(); ++I) {
    Ranks[I].S.synchronizeDevice();
    Result.push_back(Ranks[I].S.finish());
    trace::Process &Info = Result.back().Info;
    Info.Rank = Info.LocalRank = int64_t(I);
    Info.Ranks = int64_t(Ranks.size());
    Info.Pid += int64_t(I);
  }
  return Result;
}
