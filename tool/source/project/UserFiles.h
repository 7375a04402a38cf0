// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps a source location to the user's view of it: file, line and column as in
// compiler messages (#line and the line markers of preprocessed input are
// followed), and whether the file is the user's to instrument.
#pragma once

#include "source/project/Project.h"
#include "source/project/Site.h"

#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringMap.h"

namespace autoprof::source {

class UserFiles {
public:
  /// `MainFile`: the absolute path of the file that the user compiles.
  UserFiles(const clang::SourceManager &SM, Project P, std::string MainFile)
      : SM(SM), P(std::move(P)), MainFile(std::move(MainFile)) {}

  bool isUsers(clang::SourceLocation Loc);
  Position position(clang::SourceLocation Loc);

  /// Returns an absolute path, with symbolic links resolved if the file exists.
  static std::string absolute(llvm::StringRef Path,
                              const clang::FileManager &Files);

private:
  struct File {
    bool IsUsers;
    std::string Relative;
  };
  const File &file(clang::SourceLocation Loc, llvm::StringRef PresumedName);

  const clang::SourceManager &SM;
  Project P;
  std::string MainFile;
  llvm::StringMap<File> Known; ///< Indexed by presumed name.
};

/// The path that the user gave for the main file: for preprocessed input, the
/// one in its first line marker.
std::string mainFileName(const clang::SourceManager &SM, bool Preprocessed);

} // namespace autoprof::source
