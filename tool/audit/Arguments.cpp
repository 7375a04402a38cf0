// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which argument of a copy is what.
#include "audit/Link.h"

using llvm::StringRef;

namespace autoprof::audit {

std::vector<unsigned> sizeArguments(StringRef Row) {
  if (Row.starts_with("cudaMemcpy2D"))
    return Row.contains("Array") ? std::vector<unsigned>{}
                                 : std::vector<unsigned>{4, 5};
  if (Row.starts_with("cudaMemcpyPeer"))
    return {4};
  if (Row.starts_with("cublasSetVector") || Row.starts_with("cublasGetVector"))
    return {0, 1};
  if (Row.starts_with("cublasSetMatrix") || Row.starts_with("cublasGetMatrix"))
    return {0, 1, 2};
  if (Row == "cudaMemcpy" || Row == "cudaMemcpyAsync" ||
      Row.starts_with("cudaMemcpyToSymbol") ||
      Row.starts_with("cudaMemcpyFromSymbol") ||
      Row.starts_with("cuMemcpyHtoD") || Row.starts_with("cuMemcpyDtoH"))
    return {2};
  return {};
}

const Arg *argument(const LinkedSite &S, unsigned I) {
  return I < S.Model->Args.size() ? &S.Model->Args[I] : nullptr;
}

const Arg *hostArgument(const LinkedSite &S, bool ToHost) {
  const StringRef Row = S.cudaRow();
  if (Row.starts_with("cublasGetVector"))
    return argument(S, 4);
  if (Row.starts_with("cublasGetMatrix"))
    return argument(S, 5);
  if (Row.starts_with("cublasSetVector"))
    return argument(S, 2);
  if (Row.starts_with("cublasSetMatrix"))
    return argument(S, 3);
  return argument(S, ToHost ? 0 : Row.contains("2D") ? 2 : 1);
}

bool isAsynchronous(const LinkedSite &S) {
  return S.cudaRow().contains("Async");
}

} // namespace autoprof::audit
