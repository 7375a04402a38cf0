// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compilation/Headers.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

std::string autoprof::sources::headerFolder() {
  llvm::SmallString<256> Folder;
  if (fs::real_path("/proc/self/exe", Folder))
    Folder = "/usr/bin/autoprof-source";
  path::remove_filename(Folder);
  path::append(Folder, "..", "include", "autoprof");
  path::remove_dots(Folder, /*remove_dot_dot=*/true);
  return Folder.str().str();
}
