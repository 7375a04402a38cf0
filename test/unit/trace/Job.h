// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job of several ranks, each a Simulator, that meet in an all-reduce in every
// step: it ends on all of them when the last has reached it and the data has
// been moved.
#pragma once

#include "Simulator.h"

namespace autoprof::test {

struct JobRank {
  int64_t KernelNs = 20'000; ///< Of each of its kernels.
  bool Reads = false;        ///< Reads the loss back in every step...
  int64_t PrintNs = 100'000; ///< ... and then spends this on the host.
  bool ReadsAgain = false;   ///< Before that, it reads another value.
  int64_t ClockNs = 0;       ///< Its clock is ahead by this.
};

struct Job {
  unsigned Steps = 40, Kernels = 10;
  int64_t TransferNs = 30'000;
  std::vector<JobRank> Ranks;
};

/// One timeline per rank. `Dropped`: of this rank, the read is left out; -1: of
/// none; the number of ranks: of all.
std::vector<trace::Timeline> simulateJob(const Job &J, int Dropped = -1);

} // namespace autoprof::test
