// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/rules/Thrust.h"

#include "audit/rules/Common.h"

namespace autoprof::audit {

using catalogue::CallClass;
using llvm::StringRef;

bool isThrustAlgorithm(const LinkedSite &S) {
  if (!S.Row || S.Row->Library != "thrust")
    return false;
  return S.kind() == CallClass::Launch || S.cudaRow() == "thrust::copy" ||
         S.cudaRow() == "thrust::copy_n";
}

const Arg *policyOf(const LinkedSite &S) {
  const Arg *First = argument(S, 0);
  if (!First)
    return nullptr;
  StringRef Text = First->Text;
  const bool IsPolicy = !First->Definition.empty() ||
                        Text == "thrust::device" || Text == "device" ||
                        Text.contains("cuda::par") || Text.starts_with("par") ||
                        Text.contains_insensitive("policy") ||
                        Text.contains(".on(");
  return IsPolicy ? First : nullptr;
}

StringRef policyText(const Arg &Policy) {
  return Policy.Definition.empty() ? Policy.Text : Policy.Definition;
}

std::string noSyncForm(StringRef Policy) {
  if (Policy == "thrust::device")
    return "thrust::cuda::par_nosync";
  StringRef Rest = Policy;
  if (Rest.consume_front("thrust::cuda::par") &&
      (Rest.empty() || Rest.starts_with(".") || Rest.starts_with("(")))
    return "thrust::cuda::par_nosync" + Rest.str();
  return "";
}

} // namespace autoprof::audit
