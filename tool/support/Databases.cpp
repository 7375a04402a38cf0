// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Databases.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace autoprof;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

std::string support::findDatabase(StringRef Folder) {
  for (; !Folder.empty(); Folder = path::parent_path(Folder))
    for (const char *Below : {"/", "/build/"})
      if (std::string Found = (Folder + Below + DatabaseName).str();
          fs::exists(Found))
        return Found;
  return "";
}

llvm::Expected<std::string> support::databaseAt(StringRef Path) {
  llvm::SmallString<256> File(Path);
  if (fs::is_directory(Path))
    path::append(File, DatabaseName);
  if (!fs::exists(File))
    return llvm::createStringError("'" + File +
                                   "' does not exist; configure with "
                                   "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or run "
                                   "'bear -- make'");
  return File.str().str();
}
