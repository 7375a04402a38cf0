// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the libraries of the catalogue are recognized in sources and in
// recordings: the rows of LibraryTraits.def.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace autoprof::catalogue {

enum class LibraryWork : uint8_t {
  None,       ///< Calls queue only what their names state.
  Kernels,    ///< Calls queue kernels, except those that manage state.
  Collectives ///< As Kernels, and the kernels move data between GPUs.
};

struct LibraryTraits {
  llvm::StringLiteral Name;   ///< As in the rows of the catalogue.
  llvm::StringLiteral Space;  ///< Outermost C++ namespace, or "".
  llvm::StringLiteral Path;   ///< Part of the path of its headers, or "".
  llvm::StringLiteral Domain; ///< Of its own NVTX ranges, or "".
  LibraryWork Work;
};

/// A library may have several rows.
llvm::ArrayRef<LibraryTraits> libraryTraits();

/// Whether the calls of the library (its name in the catalogue) queue kernels,
/// except those that manage state.
bool queuesKernels(llvm::StringRef Library);

/// Whether a library marks its own calls with ranges of this NVTX domain and
/// name, so that they cannot be the program's step. Frameworks mark calls of a
/// library for collectives with its name: "nccl:all_reduce".
bool isLibraryRange(llvm::StringRef Domain, llvm::StringRef Name);

/// Whether a kernel with this name communicates between GPUs.
bool isCollective(llvm::StringRef Kernel);

} // namespace autoprof::catalogue
