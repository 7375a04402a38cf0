// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/ReplaceFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using llvm::StringRef;

llvm::Error autoprof::support::replaceFile(
    StringRef What, StringRef Path,
    llvm::function_ref<void(llvm::raw_ostream &)> Write) {
  llvm::SmallString<128> Temporary;
  int File;
  auto Failed = [&](std::error_code E) {
    return llvm::createStringError("cannot write " + What + " '" + Path +
                                   "': " + E.message());
  };
  if (std::error_code E =
          llvm::sys::fs::createUniqueFile(Path + "-%%%%%%", File, Temporary))
    return Failed(E);
  llvm::raw_fd_ostream Out(File, /*shouldClose=*/true);
  Write(Out);
  Out.close();
  std::error_code E = Out.error();
  Out.clear_error();
  if (!E)
    E = llvm::sys::fs::setPermissions(
        Temporary, llvm::sys::fs::perms(0666 & ~llvm::sys::fs::getUmask()));
  if (!E)
    E = llvm::sys::fs::rename(Temporary, Path);
  if (!E)
    return llvm::Error::success();
  llvm::sys::fs::remove(Temporary);
  return Failed(E);
}
