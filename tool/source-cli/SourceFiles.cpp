// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source-cli/SourceFiles.h"

#include "compilation/ClangArgs.h"
#include "source/project/Project.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace autoprof::sources {

bool isBuildToolSource(StringRef Path) {
  const StringRef Name = path::filename(Path);
  if (Name.starts_with("conftest.") || Name.starts_with("cmake_pch."))
    return true;
  bool IsCMakes = false;
  for (StringRef Folder :
       llvm::make_range(path::begin(path::parent_path(Path)),
                        path::end(path::parent_path(Path)))) {
    if (Folder == "meson-private")
      return true;
    // CMakeFiles/<target>.dir contains the target's unity sources.
    if (Folder == "CMakeFiles")
      IsCMakes = true;
    else if (Folder.ends_with(".dir"))
      IsCMakes = false;
  }
  return IsCMakes;
}

static bool isBazelLink(const fs::directory_entry &Entry) {
  return path::filename(Entry.path()).starts_with("bazel-") &&
         fs::is_symlink_file(Entry.path());
}

llvm::Expected<FolderSources> sourcesBelow(StringRef Folder) {
  FolderSources Result;
  std::error_code Failure;
  for (fs::recursive_directory_iterator I(Folder, Failure), End;
       I != End && !Failure; I.increment(Failure)) {
    const StringRef Path = path::remove_leading_dotslash(I->path());
    const StringRef Extension = path::extension(Path);
    if (path::filename(Path).starts_with(".") || isBazelLink(*I)) {
      I.no_push();
      continue;
    }
    StringRef Below = I->path(); // Folders above do not count.
    Below.consume_front(Folder);
    if (Extension == ".cu" || Extension == ".hip")
      (isBuildToolSource(Below) ? Result.Skipped : Result.Files)
          .push_back(Path.str());
    else
      Result.Others += isSource(Path) && !isBuildToolSource(Below);
  }
  if (Failure)
    return llvm::createStringError("cannot list '" + Folder +
                                   "': " + Failure.message());
  llvm::sort(Result.Files);
  llvm::sort(Result.Skipped);
  return Result;
}

std::string withoutSources(StringRef Folder, const FolderSources &Found) {
  return ("there are no .cu or .hip files below '" + Folder +
          (Found.Skipped.empty() ? "'"
                                 : "' except for build tools' own sources") +
          "; name other sources one by one, or a build folder with -p")
      .str();
}

std::string projectOf(StringRef Database, StringRef Source) {
  const StringRef Folder = path::parent_path(Database);
  if (std::string CMake = source::Project::cmakeSource(Folder);
      !CMake.empty()) {
    llvm::SmallString<256> Real;
    return fs::real_path(CMake, Real) ? CMake : Real.str().str();
  }
  for (StringRef Dir = Folder; path::has_relative_path(Dir);
       Dir = path::parent_path(Dir))
    if (StringRef Below = Source;
        Below.consume_front(Dir) && Below.starts_with("/"))
      return Dir.str();
  return "";
}

} // namespace autoprof::sources
