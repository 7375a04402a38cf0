// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-copy-small-scattered: an array is copied piece by piece in a loop.
#include "audit/rules/Common.h"

namespace autoprof::audit {

using llvm::StringRef;

/// Both addresses change with the loop.
static bool bothMove(const LinkedSite &S) {
  const bool TwoDimensional = StringRef(S.Its->Row).contains("2D");
  const Arg *To = argument(S, 0), *From = argument(S, TwoDimensional ? 2 : 1);
  return To && From && To->Moves && From->Moves;
}

void checkCopySmallScattered(const Project &P, std::vector<Finding> &Out) {
  constexpr int64_t Small = 64 << 10;
  for (const LinkedSite &S : P.sites()) {
    if (!isBetweenHostAndDevice(S) || S.Does.Wait != catalogue::Waits::Yes ||
        !bothMove(S))
      continue;
    const int Loop = P.loopAround(S.Function, S.Its->Scope);
    if (Loop < 0 || P.launches(S.Function, Loop) || P.hot(S).Is)
      continue;
    const Scope &Around = P.functionOf(S).Scopes[Loop];
    const std::optional<int64_t> Bytes = bytesOf(S);
    const bool Nested = P.loopAround(S.Function, Around.Parent) >= 0;
    if (!Nested && (!Bytes || *Bytes > Small))
      continue;
    Finding F = findingAt(P, S, {});
    F.How = Severity::Low;
    F.Message = S.Its->Callee + " copies " +
                (Bytes ? std::to_string(*Bytes) + " bytes" : "one piece") +
                " and waits for them in each iteration of a loop";
    F.Path = {{Around.At, "in this loop"}};
    F.Replacement = "one copy of the whole (cudaMemcpy2D, cudaMemcpy3D for "
                    "pitched parts), from a packed buffer if need be";
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
