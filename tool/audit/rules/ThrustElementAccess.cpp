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

static bool isAlgorithm(StringRef Element) {
  return !Element.empty() && Element != "thrust::device_ptr";
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

static std::string whatIsCopied(const LinkedSite &S) {
  const std::string &Element = S.Model->Element;
  if (Element.empty())
    return "one element of a device_vector";
  return Element == "thrust::device_ptr"
             ? "one element through a thrust::device_ptr"
             : "the element that " + Element + " found";
}

/// For the result of an algorithm, there is no range to copy.
static void adviseForResult(StringRef Algorithm, Finding &F) {
  F.Message += "; " + Algorithm.str() + " itself waits, too";
  const char *Reduction = Algorithm.ends_with("::max_element")   ? "ArgMax"
                          : Algorithm.ends_with("::min_element") ? "ArgMin"
                                                                 : nullptr;
  F.Replacement = Reduction
                      ? "keep the result on the GPU: cub::DeviceReduce::" +
                            std::string(Reduction) +
                            " writes the element and its index to device memory"
                      : std::string("keep the result on the GPU");
  F.Replacement += ", or copy the element once, where the host needs it";
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
    F.Message = "the host copies " + whatIsCopied(S) + " and waits for it " +
                eachIteration(P, H);
    if (isAlgorithm(S.Model->Element))
      adviseForResult(S.Model->Element, F);
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
