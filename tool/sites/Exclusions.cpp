// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sites/Exclusions.h"

#include "config/Config.h"
#include "config/FilePattern.h"
#include "source/project/Project.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace autoprof;
using llvm::StringRef;
namespace path = llvm::sys::path;

bool sites::isExcluded(StringRef Source, StringRef Start) {
  const StringRef Folder = path::parent_path(Source);
  llvm::Expected<Config> Chosen = loadConfig(Folder);
  if (!Chosen) {
    llvm::consumeError(Chosen.takeError());
    return false;
  }
  if (Chosen->ExcludeFiles.empty())
    return false;
  llvm::SmallString<256> Root(
      Chosen->Root.value_or(source::Project::findRoot(Folder, Start)));
  path::remove_dots(Root, /*remove_dot_dot=*/true);
  const source::Project Project(Root.str().str(), std::nullopt, std::nullopt);
  return firstMatch(filePatterns(Chosen->ExcludeFiles),
                    Project.relative(Source)) != nullptr;
}
