// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-copy-small-scattered: an array is copied piece by piece in a loop.
#include "audit/rules/Common.h"

namespace autoprof::audit {

/// Whether both addresses change with the loop.
static bool bothMove(const LinkedSite &S) {
  const bool TwoDimensional = S.cudaRow().contains("2D");
  const Arg *To = argument(S, 0), *From = argument(S, TwoDimensional ? 2 : 1);
  return To && From && To->Moves && From->Moves;
}

void checkCopySmallScattered(const Project &P, std::vector<Finding> &Out) {
  constexpr int64_t Small = 64 << 10;
  for (const LinkedSite &S : P.sites()) {
    if (!isBetweenHostAndDevice(S) || S.Effects.Wait != catalogue::Waits::Yes ||
        !bothMove(S))
      continue;
    const int Loop = P.loopAround(S.Function, S.Model->Scope);
    if (Loop < 0 || P.launches(S.Function, Loop) || P.hot(S).IsHot)
      continue;
    const Scope &LoopScope = P.functionOf(S).Scopes[Loop];
    const std::optional<int64_t> Bytes = bytesOf(S);
    const bool Nested = P.loopAround(S.Function, LoopScope.Parent) >= 0;
    if (!Nested && (!Bytes || *Bytes > Small))
      continue;
    Finding F = findingAt(P, S, {});
    F.Level = Severity::Low;
    F.Message = S.Model->Callee + " copies " +
                (Bytes ? std::to_string(*Bytes) + " bytes" : "one piece") +
                " and waits for them in each iteration of a loop";
    F.Path = {{LoopScope.Location, "in this loop"}};
    F.Replacement = "copy everything at once (cudaMemcpy2D or cudaMemcpy3D for "
                    "pitched parts), from a packed buffer if necessary";
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
