// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/Unlaunched.h"

#include "llvm/ADT/STLExtras.h"

using namespace autoprof::analysis;
using namespace autoprof::trace;

Unlaunched autoprof::analysis::findUnlaunched(const Timeline &T) {
  const GpuOps &O = T.Ops;
  Unlaunched Result;
  std::vector<uint32_t> FirstLaunched(T.Queues.size(), None);
  for (uint32_t Op = 0; Op < O.size(); ++Op) {
    uint32_t &First = FirstLaunched[O.Queue[Op]];
    if (O.Launch[Op] == None) {
      ++Result.Count;
      if (First == None)
        Result.Before.push_back(Op);
    } else if (First == None) {
      First = Op;
    }
  }
  // Of a stream without launches nothing is known.
  llvm::erase_if(Result.Before, [&](uint32_t Op) {
    return FirstLaunched[O.Queue[Op]] == None;
  });
  return Result;
}
