// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compilation/Headers.h"
#include "compilation/ClangVersion.h"
#include "support/Paths.h"

#include "llvm/Support/FileSystem.h"

std::string autoprof::sources::headerFolder() {
  return support::installed("../include/autoprof");
}

std::string autoprof::sources::clangProgram() {
  std::string Own = support::installed("../bin/clang++");
  const bool HasHeaders =
      llvm::sys::fs::is_directory(GetResourcesPath(Own) + "/include");
  return HasHeaders ? Own : AUTOPROF_CLANG;
}
