// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/project/Project.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace autoprof::source {

Project::Project(std::string Root, std::optional<llvm::Regex> HeaderFilter,
                 std::optional<llvm::Regex> Exclude)
    : Root(std::move(Root)), HeaderFilter(std::move(HeaderFilter)),
      Exclude(std::move(Exclude)) {
  if (!StringRef(this->Root).ends_with("/"))
    this->Root += '/';
}

bool Project::isMarked(StringRef Folder) {
  for (const char *Mark : RootMarks)
    if (llvm::sys::fs::exists(Folder + Mark))
      return true;
  return false;
}

std::string Project::findRoot(StringRef Folder) {
  for (StringRef Dir = Folder; !Dir.empty();
       Dir = llvm::sys::path::parent_path(Dir))
    if (isMarked(Dir))
      return Dir.str();
  return Folder.str();
}

bool Project::wantsHeader(StringRef Path) const {
  if (Exclude && Exclude->match(Path))
    return false;
  return HeaderFilter ? HeaderFilter->match(Path) : Path.starts_with(Root);
}

std::string Project::relative(StringRef Path) const {
  Path.consume_front(Root);
  return Path.str();
}

} // namespace autoprof::source
