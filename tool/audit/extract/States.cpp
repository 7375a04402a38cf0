// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a state, and joining two.
#include "audit/extract/State.h"

#include <climits>

using namespace clang;

namespace autoprof::audit {

Sources State::dataOfFields(const VarDecl *V) const {
  Sources Result;
  FieldData.forEachFrom({V, nullptr, INT_MIN},
                        [&](const CellKey &C, const Sources &D) {
                          if (C.Base == V)
                            Result.insert(D);
                          return C.Base == V;
                        });
  return Result;
}

void State::forgetFields(llvm::function_ref<bool(const CellKey &)> Keep) {
  FieldValues = {};
  PersistentMap<CellKey, Sources> Kept;
  FieldData.forEach([&](const CellKey &C, const Sources &D) {
    if (Keep(C))
      Kept.set(C, D);
  });
  FieldData = std::move(Kept);
}

bool State::join(const State &O,
                 llvm::function_ref<Value(const CellKey &)> Initial) {
  if (!Reached) {
    *this = O;
    return O.Reached;
  }
  const State Before = *this;
  auto Either = [&](const CellKey &C, const Value *A, const Value *B) {
    return audit::join(A ? *A : Initial(C), B ? *B : Initial(C));
  };
  auto IsSame = [](const Value &A, const Value &B) { return A == B; };
  Values.merge<true>(O.Values, Either, IsSame);
  FieldValues.merge<true>(O.FieldValues, Either, IsSame);
  auto All = [](const CellKey &, const Sources *A, const Sources *B) {
    Sources Result = *A;
    Result.insert(*B);
    return Result;
  };
  auto Same = [](const Sources &A, const Sources &B) { return A.isSame(B); };
  Data.merge<false>(O.Data, All, Same);
  FieldData.merge<false>(O.FieldData, All, Same);
  return !Before.Values.isSame(Values) || !Before.Data.isSame(Data) ||
         !Before.FieldValues.isSame(FieldValues) ||
         !Before.FieldData.isSame(FieldData);
}

} // namespace autoprof::audit
