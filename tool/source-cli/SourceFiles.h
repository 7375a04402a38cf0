// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which files of a folder are the user's sources.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace autoprof::sources {

/// Whether a build tool wrote the file for its own use: CMake's compiler checks
/// and precompiled headers, autoconf's and Meson's checks. CMake's unity
/// sources do not count, because they are how the user's code is compiled.
bool isBuildToolSource(llvm::StringRef Path);

/// The project of a compile_commands.json: CMake's source folder, else the
/// nearest folder at or above the database that also contains `Source`. Both
/// paths are absolute. "": none.
std::string projectOf(llvm::StringRef Database, llvm::StringRef Source);

/// What a folder contains. Sorted.
struct FolderSources {
  std::vector<std::string> Files;   ///< The user's .cu and .hip files.
  std::vector<std::string> Skipped; ///< Sources of build tools.
  size_t Others = 0;                ///< C and C++ sources.
};

/// Ignores hidden folders and Bazel's links to its outputs, which would show
/// the same sources again. An error is one sentence.
llvm::Expected<FolderSources> sourcesBelow(llvm::StringRef Folder);

/// A sentence with the remedy, for a folder without Files.
std::string withoutSources(llvm::StringRef Folder, const FolderSources &Found);

} // namespace autoprof::sources
