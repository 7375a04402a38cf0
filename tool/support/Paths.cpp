// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Paths.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

std::string autoprof::support::pathFromHere(llvm::StringRef File) {
  llvm::SmallString<256> Folder;
  llvm::StringRef Below = File;
  if (!llvm::sys::fs::current_path(Folder) && Below.consume_front(Folder) &&
      Below.consume_front("/"))
    return Below.str();
  return File.str();
}
