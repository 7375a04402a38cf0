// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What conditions say of values that a loop keeps, so that two conditions can
// be seen to exclude each other, or one to hold wherever the other does.
#pragma once

#include "audit/Link.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <string>

namespace autoprof::audit {

/// That a value is a number, or that it is not. A truth value is 0, or is not.
struct Premise {
  unsigned Of = 0; ///< The value.
  bool Is = false;
  int64_t Number = 0;

  bool excludes(const Premise &O) const {
    return Of == O.Of && (Is || O.Is) && (Is == O.Is) != (Number == O.Number);
  }
  bool implies(const Premise &O) const {
    return Of == O.Of && (Is || !O.Is) && (Is == O.Is) == (Number == O.Number);
  }
};

/// What a condition says if it holds.
struct Premises {
  llvm::SmallVector<Premise, 1> All;
  bool IsWhole = false; ///< The condition says no more.

  bool excludes(const Premises &O) const;
  bool implies(const Premises &O) const;
  /// Whether one of the two holds, and never both.
  bool isOpposite(const Premises &O) const;
};

/// Numbers the values that conditions ask for.
class PremiseMaker {
  const Project &P;
  std::map<std::string, unsigned> Numbers; ///< See Premise::Of.

public:
  explicit PremiseMaker(const Project &P) : P(P) {}

  /// `IsKept`: whether the loop keeps what a part of the condition asks for.
  Premises of(unsigned Function, const Term &When,
              llvm::function_ref<bool(const Term &)> IsKept);
};

} // namespace autoprof::audit
