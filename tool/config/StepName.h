// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a user names the program's step: "function:NAME", "loop:FILE:LINE" or
// "range:NAME", or only the part after the first colon.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace autoprof {

struct StepName {
  static constexpr llvm::StringRef Kinds[] = {"function", "loop", "range"};

  bool Functions = true, Loops = true;
  bool Ranges = true; ///< NVTX ranges of the program's own.
  llvm::StringRef Text;

  /// `Name` must live as long.
  explicit StepName(llvm::StringRef Name);

  /// `Function` as net::train_step or net::train_step(int), which is also
  /// called train_step.
  bool meansFunction(llvm::StringRef Function) const;
  /// `File` may be given in full, from the project root on, or by its name.
  bool meansLoop(llvm::StringRef File, unsigned Line) const;
};

} // namespace autoprof
