// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-thrust-element-access: the host reads or writes one element of a
// device_vector in a loop: each access is a separate copy.
#include "audit/rules/Common.h"

namespace autoprof::audit {

using llvm::StringRef;

/// `v.front()` returns a reference, whose conversion is the site that copies.
static bool copiesElement(const LinkedSite &S) {
  StringRef Name = S.cudaRow();
  return S.Effects.Wait == catalogue::Waits::Yes &&
         (Name == "thrust::device_vector::operator[]" ||
          Name.starts_with("thrust::device_reference::"));
}

/// A launching loop, otherwise any other loop around the site in its function.
static Hot anyLoop(const Project &P, const LinkedSite &S) {
  Hot H = P.hot(S);
  if (H.IsHot)
    return H;
  const int Loop = P.loopAround(S.Function, S.Model->Scope);
  if (Loop < 0)
    return {};
  H.IsHot = true;
  H.Function = S.Function;
  H.Loop = Loop;
  H.Path = {{P.functionOf(S).Scopes[Loop].Location, "in this loop"}};
  return H;
}

void checkThrustElementAccess(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (!copiesElement(S))
      continue;
    Hot H = anyLoop(P, S);
    if (!H.IsHot)
      continue;
    Finding F = findingAt(P, S, H);
    if (!P.launches(H.Function, H.Loop))
      F.Level = Severity::Low;
    F.Message = "the host copies one element of a device_vector and waits for "
                "it " +
                eachIteration(P, H) +
                (S.Effects.Reason.empty() ? "" : ": " + S.Effects.Reason);
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
