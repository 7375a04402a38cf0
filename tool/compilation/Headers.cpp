// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compilation/Headers.h"
#include "compilation/ClangVersion.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Returns the name of the folder <folder of this program>/../A/B.
static std::string ownFolder(llvm::StringRef A, llvm::StringRef B) {
  llvm::SmallString<256> Folder;
  if (fs::real_path("/proc/self/exe", Folder))
    Folder = "/usr/bin/autoprof-source";
  path::remove_filename(Folder);
  path::append(Folder, "..", A, B);
  path::remove_dots(Folder, /*remove_dot_dot=*/true);
  return Folder.str().str();
}

std::string autoprof::sources::headerFolder() {
  return ownFolder("include", "autoprof");
}

std::string autoprof::sources::clangProgram() {
  std::string Own = ownFolder("bin", "clang++");
  const bool HasHeaders = fs::is_directory(GetResourcesPath(Own) + "/include");
  return HasHeaders ? Own : AUTOPROF_CLANG;
}
