// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of a term on a path, and in which loops it may change.
#pragma once

#include "audit/walk/Trace.h"

namespace autoprof::audit {

/// Where a term is evaluated.
struct Surroundings {
  unsigned Function = 0;
  llvm::ArrayRef<Known> Params;
  int Depth = -1;     ///< Of the loop around the call of the function.
  int Innermost = -1; ///< Depth of the innermost loop around the term.
  /// The depth of the loop with this scope of the function, or -1.
  llvm::function_ref<int(int Scope)> DepthOf;
  /// The depth of the innermost loop that may change a slot, or -1.
  llvm::function_ref<int(const std::string &Slot)> LevelOf;
  /// See Known::Default.
  llvm::function_ref<Default(const std::string &Slot)> DefaultOf;
};

Known evaluate(const Project &P, const Term &T, const Surroundings &In,
               unsigned CallDepth = 0);

/// Whether the condition of what follows an early return mostly holds: the
/// return is for an empty input or a null pointer. As compilers guess branches
/// (Ball and Larus, 1993: equality is rarer than inequality).
bool mostlyHolds(const Term &T);

/// Whether it is not known, or a part of it other than an element is not.
bool isPartlyOpaque(const Term &T);

/// Whether a condition only asks if a pointer is not null.
bool isNonNull(const Term &Condition, const Term &Pointer);

/// Whether it is a parameter or a counter: as a condition, that it is not 0.
bool isNumber(const Term &T);

/// Whether it asks if a number is positive, or not negative.
bool isThere(const Term &T);

/// Whether a loop with this number of iterations hardly repeats anything: at
/// most four, as far as it is known.
bool isFew(const Term &Trips, const Known &Value);

} // namespace autoprof::audit
