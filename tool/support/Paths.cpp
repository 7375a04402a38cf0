// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Paths.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

std::string autoprof::support::pathFromHere(llvm::StringRef File) {
  llvm::SmallString<256> Folder;
  llvm::StringRef Below = File;
  if (!llvm::sys::fs::current_path(Folder) && Below.consume_front(Folder) &&
      Below.consume_front("/"))
    return Below.str();
  return File.str();
}

std::string autoprof::support::installed(llvm::StringRef FromProgram) {
  llvm::SmallString<256> Path;
  if (llvm::sys::fs::real_path("/proc/self/exe", Path))
    Path = "/usr/bin/autoprof"; // Without /proc.
  llvm::sys::path::remove_filename(Path);
  llvm::sys::path::append(Path, FromProgram);
  llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}
