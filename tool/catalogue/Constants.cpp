// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catalogue/Constants.h"

#include <algorithm>

using namespace autoprof::catalogue;

llvm::StringRef autoprof::catalogue::memoryName(bool Pinned) {
  return Pinned ? "pinned" : "pageable";
}

std::vector<CopyRate> autoprof::catalogue::copyRates(const Constants &C) {
  std::vector<CopyRate> Result;
  for (bool ToDevice : {true, false})
    for (bool Pinned : {true, false}) {
      std::vector<const CopyTime *> Times;
      for (const CopyTime &One : C.Copies)
        if (One.ToDevice == ToDevice && One.Pinned == Pinned)
          Times.push_back(&One);
      std::sort(Times.begin(), Times.end(),
                [](const CopyTime *A, const CopyTime *B) {
                  return A->Bytes < B->Bytes;
                });
      if (Times.size() < 2)
        continue;
      const CopyTime &Large = *Times.back(), &Next = *Times[Times.size() - 2],
                     &Small = *Times.front();
      const double Bytes = double(Large.Bytes - Next.Bytes),
                   Ns = double(Large.Median - Next.Median);
      if (Bytes <= 0 || Ns <= 0)
        continue;
      const double Rate = Bytes / Ns; // Bytes per ns.
      Result.push_back(
          {ToDevice, Pinned,
           std::max<int64_t>(0, Small.Median -
                                    int64_t(double(Small.Bytes) / Rate)),
           int64_t(Rate * 1e9)});
    }
  return Result;
}
