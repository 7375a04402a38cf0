// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/steps/StepCandidates.h"

#include "analysis/common/WorkOwners.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <map>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::None;
using trace::Timeline;

std::vector<StepCandidate>
autoprof::analysis::findStepCandidates(const Timeline &T) {
  const trace::HostEvents &H = T.Host;
  const LaunchedWork Work(T);
  std::map<std::pair<uint32_t, uint32_t>, StepCandidate> Candidates;
  std::vector<llvm::SmallVector<uint32_t, 8>> Open(T.Threads.size());
  for (uint32_t I = 0; I < H.size(); ++I) {
    if (H.Kind[I] != trace::HostKind::Range)
      continue;
    const uint32_t Site = H.Site[I];
    auto &Stack = Open[H.Thread[I]];
    while (!Stack.empty() && H.End[Stack.back()] <= H.Start[I])
      Stack.pop_back();
    // Of a recursion only the outermost run counts.
    const bool Inside = llvm::any_of(
        Stack, [&](uint32_t Outer) { return H.Site[Outer] == Site; });
    if (Site != None && !Inside) {
      StepCandidate &C = Candidates[{Site, H.Thread[I]}];
      C.Site = Site;
      C.Thread = H.Thread[I];
      C.Depth = std::min<unsigned>(C.Depth, Stack.size());
      C.GpuTime += Work.in(I);
      C.HostTime += H.End[I] - H.Start[I];
      C.Ranges.push_back(I);
    }
    Stack.push_back(I);
  }
  std::vector<StepCandidate> Result;
  for (auto &[Key, C] : Candidates) {
    if (const trace::Site &S = T.Sites[C.Site]; S.Kind != "loop")
      C.Name = S.Function;
    Result.push_back(std::move(C));
  }
  return Result;
}
