// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Databases.h"

#include "config/Suggestion.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <vector>

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

/// The folder beside `Path` that has a database and nearly the same name, or
/// "".
static std::string nearestBuild(StringRef Path) {
  Path = Path.rtrim('/');
  const StringRef Parent = path::parent_path(Path);
  std::vector<std::string> Names;
  std::error_code Failed;
  for (fs::directory_iterator It(Parent.empty() ? "." : Parent, Failed), End;
       !Failed && It != End; It.increment(Failed))
    if (fs::exists(It->path() + "/" + support::DatabaseName))
      Names.push_back(path::filename(It->path()).str());
  llvm::sort(Names);
  const StringRef Nearest = nearest(
      path::filename(Path), std::vector<StringRef>(Names.begin(), Names.end()));
  if (Nearest.empty())
    return "";
  llvm::SmallString<128> Full(Parent);
  path::append(Full, Nearest);
  return Full.str().str();
}

llvm::Expected<std::string> support::databaseAt(StringRef Path) {
  if (!fs::exists(Path))
    if (const std::string Nearest = nearestBuild(Path); !Nearest.empty())
      return llvm::createStringError("the folder '" + Path +
                                     "' does not exist; did you mean '" +
                                     Nearest + "'?");
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
