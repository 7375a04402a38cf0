// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The annotated tree as files. It has the files of the project, at the same
// places, so that relative includes, build scripts and data files are found;
// only files with probes differ. Files that do not belong to the sources are
// omitted: version control, build folders, other annotated trees.
//
// A file is written only if it changes, under another name first, so that a
// build that reads the tree meanwhile sees complete files, and the next build
// compiles only what is new. A file that was removed from the project is
// removed from the tree: the manifest of the last run lists the files that are
// ours.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace autoprof::tree {

/// Writes `Text` to `Path` unless the file already has that text; creates
/// parent folders. `ModeOf`: an existing file that gives the permissions, or
/// "".
llvm::Error writeFile(llvm::StringRef Path, llvm::StringRef Text,
                      llvm::StringRef ModeOf = "");

/// The files of a project.
class Mirror {
public:
  /// Both paths are absolute and without symbolic links; `Tree` need not exist.
  /// `BuildFolder`: the one that the user named, or "".
  Mirror(std::string Root, std::string Tree, std::string BuildFolder);

  /// Reads the project's folders. Fails if one cannot be read.
  llvm::Error scan();

  /// Whether the file, given by its absolute path, is part of the tree.
  bool holds(llvm::StringRef Path) const;

  const std::string &root() const { return Root; } ///< No slash at the end.

  /// The place in the tree of a path at or below the root.
  std::string inTree(llvm::StringRef Path) const;

  /// Writes the tree. `Annotated`: new texts, by absolute path.
  llvm::Error write(const std::map<std::string, std::string> &Annotated) const;

  /// Removes those of the files `Previous`, relative to the root, that are no
  /// longer in the project.
  llvm::Error removeOthers(llvm::ArrayRef<std::string> Previous) const;

  /// Files and symbolic links, relative to the root, sorted.
  const std::vector<std::string> &files() const { return Files; }

private:
  bool isLeftOut(llvm::StringRef Folder) const;
  llvm::Error scan(const std::string &Folder);
  llvm::Error writeLink(const std::string &From, const std::string &To) const;
  llvm::Error copy(const std::string &From, const std::string &To) const;
  llvm::Error link(const std::string &Target, const std::string &To) const;

  std::string Root, Tree, BuildFolder;
  std::vector<std::string> Files;
  llvm::StringSet<> Known; ///< Files, for lookups.
};

} // namespace autoprof::tree
