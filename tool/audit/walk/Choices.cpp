// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/walk/Choices.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

const std::vector<bool> &Choices::reaching(unsigned Function) {
  auto [It, New] = Reaching.try_emplace(Function);
  if (New) {
    It->second.resize(P.functions().size());
    It->second[Function] = true;
    addCallers(P, It->second);
  }
  return It->second;
}

unsigned Choices::before(const Trace &T, const Step &S, int Loop) {
  int Frame = -1;
  T.seenFrom(T.Loops[Loop].Frame, S, &Frame);
  const unsigned Decides = T.Frames[Frame].Function;
  unsigned Result = 0;
  for (int G = S.Guard; G >= 0 && !T.isGuardIn(T.Loops[Loop].Guard, G);
       G = T.Guards[G].Parent) {
    const Guard &Chosen = T.Guards[G];
    if (!Chosen.Virtual || Chosen.Virtual->Uncertain || Chosen.Again)
      continue;
    const LinkedFunction &By = P.functions()[T.Frames[Chosen.Frame].Function];
    Result += llvm::any_of(
        By.Callees[Chosen.Virtual - By.Model->Calls.data()],
        [&](unsigned F) { return Launching[F] && !reaching(Decides)[F]; });
  }
  return Result;
}

} // namespace autoprof::audit
