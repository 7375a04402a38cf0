// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/project/Project.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;
namespace path = llvm::sys::path;

namespace autoprof::source {

Project::Project(std::string Root) : Root(std::move(Root)) {
  if (!StringRef(this->Root).ends_with("/"))
    this->Root += '/';
}

bool Project::isMarked(StringRef Folder) {
  for (const char *Mark : RootMarks)
    if (llvm::sys::fs::exists(Folder + Mark))
      return true;
  return false;
}

std::string Project::cmakeSource(StringRef BuildFolder) {
  auto Cache = llvm::MemoryBuffer::getFile(BuildFolder + "/CMakeCache.txt");
  if (!Cache)
    return "";
  for (llvm::line_iterator Line(**Cache); !Line.is_at_end(); ++Line)
    if (StringRef Value = *Line;
        Value.consume_front("CMAKE_HOME_DIRECTORY:INTERNAL="))
      return Value.str();
  return "";
}

static bool isBelow(StringRef Path, StringRef Folder) {
  return !Folder.empty() && Path.consume_front(Folder) &&
         (Path.empty() || Path.starts_with("/"));
}

/// `Outer` as `Folder` is spelled, if it contains `Folder`; else "".
static std::string outerFolder(StringRef Outer, StringRef Folder) {
  if (isBelow(Folder, Outer))
    return Outer.str();
  llvm::SmallString<256> Real;
  if (!Outer.empty() && !llvm::sys::fs::real_path(Outer, Real) &&
      isBelow(Folder, Real))
    return Real.str().str();
  return "";
}

std::string Project::findKnownRoot(StringRef Folder, StringRef Start) {
  for (StringRef Dir = Folder; !Dir.empty(); Dir = path::parent_path(Dir))
    if (isMarked(Dir))
      return Dir.str();
  for (StringRef Dir = Start; !Dir.empty(); Dir = path::parent_path(Dir))
    if (std::string Source = outerFolder(cmakeSource(Dir), Folder);
        !Source.empty())
      return Source;
  return "";
}

std::string Project::findRoot(StringRef Folder, StringRef Start,
                              StringRef Database) {
  if (std::string Known = findKnownRoot(Folder, Start); !Known.empty())
    return Known;
  for (StringRef Outer : {Database, Start})
    if (path::has_relative_path(Outer)) // "/" holds other projects.
      if (std::string Found = outerFolder(Outer, Folder); !Found.empty())
        return Found;
  return Folder.str();
}

std::string Project::relative(StringRef Path) const {
  Path.consume_front(Root);
  return Path.str();
}

} // namespace autoprof::source
