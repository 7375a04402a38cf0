// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Model.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace autoprof::audit {

const std::string FileName::None;

FileName::FileName(llvm::StringRef Name) {
  static llvm::StringMap<std::string> All;
  if (!Name.empty())
    Text = &All.try_emplace(Name, Name.str()).first->second;
}

bool operator==(const Value &A, const Value &B) {
  return A.Unknown == B.Unknown &&
         (A.Unknown || (A.Mask == B.Mask && A.Slots == B.Slots));
}

bool operator==(const Assignment &A, const Assignment &B) {
  return A.Slot == B.Slot && A.Value == B.Value && A.Class == B.Class &&
         A.Sometimes == B.Sometimes && A.IsFlag == B.IsFlag &&
         A.Scope == B.Scope;
}

bool operator==(const Term &A, const Term &B) {
  return A.Class == B.Class && A.Number == B.Number && A.Name == B.Name &&
         A.Parts == B.Parts;
}

std::optional<int64_t> compute(Term::Kind Operation, int64_t A, int64_t B) {
  int64_t Result = 0;
  switch (Operation) {
  case Term::Add:
    return llvm::AddOverflow(A, B, Result) ? std::nullopt
                                           : std::optional(Result);
  case Term::Subtract:
    return llvm::SubOverflow(A, B, Result) ? std::nullopt
                                           : std::optional(Result);
  case Term::Multiply:
    return llvm::MulOverflow(A, B, Result) ? std::nullopt
                                           : std::optional(Result);
  case Term::Divide:
    return B && B != -1 ? std::optional(A / B) : std::nullopt;
  case Term::Remainder:
    return B && B != -1 ? std::optional(A % B) : std::nullopt;
  case Term::BitAnd:
    return A & B;
  case Term::Less:
    return A < B;
  case Term::Equal:
    return A == B;
  case Term::Least:
    return std::min(A, B);
  case Term::Most:
    return std::max(A, B);
  default:
    return std::nullopt;
  }
}

Value join(Value A, const Value &B) {
  A.Unknown |= B.Unknown;
  A.Mask |= B.Mask;
  std::vector<std::string> Both;
  std::set_union(A.Slots.begin(), A.Slots.end(), B.Slots.begin(), B.Slots.end(),
                 std::back_inserter(Both));
  A.Slots = std::move(Both);
  if (!A.Location.Line)
    A.Location = B.Location;
  return A;
}

std::vector<EventRef> eventsOf(const Function &F, Event::Kind Kind,
                               unsigned Index) {
  std::vector<EventRef> Result;
  for (unsigned B = 0; B < F.Blocks.size(); ++B)
    for (unsigned I = 0; I < F.Blocks[B].Events.size(); ++I)
      if (F.Blocks[B].Events[I].Class == Kind &&
          F.Blocks[B].Events[I].Index == Index)
        Result.push_back({B, I});
  return Result;
}

} // namespace autoprof::audit
