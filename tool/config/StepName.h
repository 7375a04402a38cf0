// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/protocol/RangeName.h"

#include "llvm/ADT/StringRef.h"

namespace autoprof {

/// How a user names the program's step.
struct StepName : runtime::RangeName {
  static constexpr llvm::StringRef Kinds[] = {"function", "loop", "range"};
  llvm::StringRef Text;

  /// `Name` must live as long.
  explicit StepName(llvm::StringRef Name)
      : RangeName(Name), Text(RangeName::Text) {}
};

} // namespace autoprof
