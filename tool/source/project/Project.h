// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which files belong to the user's project, and names them in tables
// and reports. A header that is not a system header is the user's if it is
// under the project's root. The main file is always the user's.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace autoprof::source {

class Project {
public:
  /// `Root` and all paths are absolute, without . and .. components.
  explicit Project(std::string Root);

  /// Names that mark the root of a project, with a leading slash: .autoprof,
  /// .git, and the manifest of an annotated tree, where ids must be the
  /// project's.
  static constexpr const char *RootMarks[] = {"/.autoprof", "/.git",
                                              "/autoprof-sites.json"};

  /// Whether the folder contains one of RootMarks.
  static bool isMarked(llvm::StringRef Folder);

  /// The nearest folder at or above `Folder` that contains one of RootMarks;
  /// else the source folder of CMake, if the compiler is started at or below a
  /// build folder of it (`Start`, absolute) and `Folder` is below it; else "".
  static std::string findKnownRoot(llvm::StringRef Folder,
                                   llvm::StringRef Start = "");

  /// The known root; else the first folder of `Database` and `Start` that
  /// contains `Folder`; else `Folder`. `Database` is the project of the
  /// compile_commands.json, or "".
  static std::string findRoot(llvm::StringRef Folder,
                              llvm::StringRef Start = "",
                              llvm::StringRef Database = "");

  /// The source folder of a CMake build folder, or "".
  static std::string cmakeSource(llvm::StringRef BuildFolder);

  /// Ends with a slash.
  llvm::StringRef root() const { return Root; }

  bool holds(llvm::StringRef Path) const { return Path.starts_with(Root); }

  /// `Path` below the root without it; other paths as they are.
  std::string relative(llvm::StringRef Path) const;

private:
  std::string Root;
};

} // namespace autoprof::source
