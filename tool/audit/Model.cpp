// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Model.h"

#include <algorithm>

namespace autoprof::audit {

bool operator==(const Value &A, const Value &B) {
  return A.Unknown == B.Unknown &&
         (A.Unknown || (A.Mask == B.Mask && A.From == B.From));
}

Value join(Value A, const Value &B) {
  A.Unknown |= B.Unknown;
  A.Mask |= B.Mask;
  std::vector<std::string> Both;
  std::set_union(A.From.begin(), A.From.end(), B.From.begin(), B.From.end(),
                 std::back_inserter(Both));
  A.From = std::move(Both);
  if (!A.At.Line && B.At.Line) {
    A.At = B.At;
    A.By = B.By;
  }
  return A;
}

} // namespace autoprof::audit
