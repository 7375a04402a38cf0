// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/waits/Attribution.h"

#include "llvm/ADT/SmallVector.h"

using namespace autoprof;
using namespace autoprof::analysis;
using trace::HostKind;
using trace::None;

/// The stack was taken in one of the calls inside the outermost one.
static void addStacks(const trace::Timeline &T, Attribution &A) {
  const trace::HostEvents &H = T.Host;
  std::vector<uint32_t> ByStack;
  for (uint32_t I = 0; I < H.size(); ++I)
    if (H.isCall(I) && H.Site[I] != None && A.Site[I] == None)
      ByStack.push_back(I);
  for (uint32_t I : ByStack)
    for (uint32_t Call : {I, A.Outer[I]}) {
      A.Site[Call] = H.Site[I];
      A.IsByStack[Call] = true;
    }
}

Attribution autoprof::analysis::attribute(const trace::Timeline &T) {
  const trace::HostEvents &H = T.Host;
  struct Stack {
    llvm::SmallVector<uint32_t, 4> Sites;
    uint32_t Call = None;
  };
  std::vector<Stack> Stacks(T.Threads.size());
  Attribution Result;
  Result.Site.assign(H.size(), None);
  Result.Outer.assign(H.size(), None);
  Result.IsByStack.assign(H.size(), false);
  for (uint32_t I = 0; I < H.size(); ++I) {
    if (H.Kind[I] == HostKind::Range)
      continue;
    Stack &S = Stacks[H.Thread[I]];
    while (!S.Sites.empty() && H.End[S.Sites.back()] <= H.Start[I])
      S.Sites.pop_back();
    if (H.Kind[I] == HostKind::Site) {
      S.Sites.push_back(I);
      continue;
    }
    if (S.Call == None || H.End[S.Call] <= H.Start[I])
      S.Call = I;
    Result.Outer[I] = S.Call;
    if (!S.Sites.empty() && H.End[I] <= H.End[S.Sites.back()])
      Result.Site[I] = H.Site[S.Sites.back()];
  }
  addStacks(T, Result);
  return Result;
}
