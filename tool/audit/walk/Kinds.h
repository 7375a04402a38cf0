// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What code is for, by the names of its file and of the folders around it.
#pragma once

#include "audit/Finding.h"

namespace autoprof::audit {

class Kinds {
public:
  /// Keeps a reference to the project.
  explicit Kinds(const Project &P);

  /// By a file of the function, below the root of its project: the folders
  /// above that say nothing. Where no other programs are, examples are what the
  /// project does.
  LoopKind of(unsigned Function, llvm::StringRef File) const;

private:
  LoopKind byPlace(unsigned Function, llvm::StringRef File) const;

  const Project &P;
  bool AreExamples = false; ///< All programs, but for tests and benchmarks.
};

} // namespace autoprof::audit
