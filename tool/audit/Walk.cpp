// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Walk.h"

namespace autoprof::audit {

std::vector<EventRef> eventsOf(const Function &F, Event::Kind Kind,
                               unsigned Index) {
  std::vector<EventRef> Result;
  for (unsigned B = 0; B < F.Blocks.size(); ++B)
    for (unsigned I = 0; I < F.Blocks[B].Events.size(); ++I)
      if (F.Blocks[B].Events[I].Class == Kind &&
          F.Blocks[B].Events[I].Index == Index)
        Result.push_back({B, I});
  return Result;
}

void walkForward(const Function &F, EventRef Start, Visitor Visit) {
  std::vector<bool> Entered(F.Blocks.size());
  std::vector<unsigned> Worklist;
  auto VisitBlock = [&](unsigned B, size_t Begin) {
    const std::vector<Event> &Events = F.Blocks[B].Events;
    for (size_t I = Begin; I < Events.size(); ++I)
      if (!Visit(Events[I]))
        return;
    for (unsigned Next : F.Blocks[B].Next)
      if (!Entered[Next]) {
        Entered[Next] = true;
        Worklist.push_back(Next);
      }
  };
  VisitBlock(Start.Block, Start.Index + 1);
  while (!Worklist.empty()) {
    const unsigned B = Worklist.back();
    Worklist.pop_back();
    VisitBlock(B, 0);
  }
}

} // namespace autoprof::audit
