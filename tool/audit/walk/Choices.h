// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Choices on a path among the functions that a call may reach: virtual calls,
// and stored functions.
#pragma once

#include "audit/walk/Trace.h"

namespace autoprof::audit {

class Choices {
public:
  /// Keeps a reference to the project.
  explicit Choices(const Project &P) : P(P), Launching(launching(P)) {}

  /// How many choices in an iteration of a loop decide whether a call is
  /// reached. It does not matter which of several functions is called for the
  /// same object, or if all of those that launch reach the code that makes the
  /// call.
  unsigned before(const Trace &T, const Step &S, int Loop);

private:
  const std::vector<bool> &reaching(unsigned Function);

  const Project &P;
  std::vector<bool> Launching; ///< By function: see launching().
  /// By function: those from which it is reached.
  std::map<unsigned, std::vector<bool>> Reaching;
};

} // namespace autoprof::audit
