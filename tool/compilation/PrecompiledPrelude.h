// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most of what clang parses for a small CUDA source is the same for every
// source: its own CUDA headers and nvcc_compat.h. For autoprof-nvcc, which
// spends most of its time on them, they are kept precompiled in the user's
// cache folder.
#pragma once

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace autoprof::sources {

class PrecompiledPrelude {
public:
  /// Makes `CI`, which must not have run anything yet, load the prelude;
  /// precompiles it first if necessary. If that is impossible, `CI` does not
  /// change.
  explicit PrecompiledPrelude(clang::CompilerInstance &CI);

  bool isUsed() const { return !File.empty(); }

  /// Makes `CI` parse the headers as before. The file remains.
  void restore();

  /// Removes the file, because the headers have changed.
  void remove() const;

private:
  bool precompile(llvm::ArrayRef<std::string> Headers);
  bool isShadowed() const;

  clang::CompilerInstance &CI;
  const std::vector<std::string> Includes; ///< Those of `CI`, before.
  std::string File;                        ///< "": it is not used.
};

} // namespace autoprof::sources
