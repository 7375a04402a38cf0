// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Model.h"

#include <algorithm>

namespace autoprof::audit {

bool operator==(const Value &A, const Value &B) {
  return A.Unknown == B.Unknown &&
         (A.Unknown || (A.Mask == B.Mask && A.Slots == B.Slots));
}

bool operator==(const Term &A, const Term &B) {
  return A.Class == B.Class && A.Number == B.Number && A.Name == B.Name &&
         A.Parts == B.Parts;
}

Value join(Value A, const Value &B) {
  A.Unknown |= B.Unknown;
  A.Mask |= B.Mask;
  std::vector<std::string> Both;
  std::set_union(A.Slots.begin(), A.Slots.end(), B.Slots.begin(), B.Slots.end(),
                 std::back_inserter(Both));
  A.Slots = std::move(Both);
  if (!A.Location.Line && B.Location.Line) {
    A.Location = B.Location;
    A.Maker = B.Maker;
  }
  return A;
}

} // namespace autoprof::audit
