// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Walk.h"

namespace autoprof::audit {

std::vector<EventRef> eventsOf(const Function &F, Event::Kind What,
                               unsigned Index) {
  std::vector<EventRef> Result;
  for (unsigned B = 0; B < F.Blocks.size(); ++B)
    for (unsigned I = 0; I < F.Blocks[B].Events.size(); ++I)
      if (F.Blocks[B].Events[I].What == What &&
          F.Blocks[B].Events[I].Index == Index)
        Result.push_back({B, I});
  return Result;
}

void walkForward(const Function &F, EventRef From, Visitor Visit) {
  std::vector<bool> Entered(F.Blocks.size());
  std::vector<unsigned> Open;
  auto Through = [&](unsigned B, size_t Begin) {
    const std::vector<Event> &Events = F.Blocks[B].Events;
    for (size_t I = Begin; I < Events.size(); ++I)
      if (!Visit(Events[I]))
        return;
    for (unsigned Next : F.Blocks[B].Next)
      if (!Entered[Next]) {
        Entered[Next] = true;
        Open.push_back(Next);
      }
  };
  Through(From.Block, From.Index + 1);
  while (!Open.empty()) {
    const unsigned B = Open.back();
    Open.pop_back();
    Through(B, 0);
  }
}

void walkBackward(const Function &F, EventRef From, Visitor Visit) {
  std::vector<std::vector<unsigned>> Before(F.Blocks.size());
  for (unsigned B = 0; B < F.Blocks.size(); ++B)
    for (unsigned Next : F.Blocks[B].Next)
      Before[Next].push_back(B);
  std::vector<bool> Entered(F.Blocks.size());
  std::vector<unsigned> Open;
  auto Through = [&](unsigned B, size_t End) {
    const std::vector<Event> &Events = F.Blocks[B].Events;
    for (size_t I = End; I-- > 0;)
      if (!Visit(Events[I]))
        return;
    for (unsigned Previous : Before[B])
      if (!Entered[Previous]) {
        Entered[Previous] = true;
        Open.push_back(Previous);
      }
  };
  Through(From.Block, From.Index);
  while (!Open.empty()) {
    const unsigned B = Open.back();
    Open.pop_back();
    Through(B, F.Blocks[B].Events.size());
  }
}

} // namespace autoprof::audit
