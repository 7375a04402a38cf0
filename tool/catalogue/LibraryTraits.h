// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the libraries of the catalogue are recognised by, in sources and in
// recordings: rows of LibraryTraits.def.
#ifndef AUTOPROF_CATALOGUE_LIBRARYTRAITS_H
#define AUTOPROF_CATALOGUE_LIBRARYTRAITS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace autoprof::catalogue {

enum class LibraryWork : uint8_t {
  None,       ///< Its calls queue what their names say, or nothing.
  Kernels,    ///< Calls queue kernels, but for those that manage something.
  Collectives ///< The same, and the kernels move data between GPUs.
};

struct LibraryTraits {
  llvm::StringLiteral Name;   ///< As the rows of the catalogue have it.
  llvm::StringLiteral Space;  ///< Outermost C++ namespace; "": it has none.
  llvm::StringLiteral Path;   ///< Part of the path of its headers, or "".
  llvm::StringLiteral Domain; ///< Of its own NVTX ranges, or "".
  LibraryWork Work;
};

/// A library may have several rows.
llvm::ArrayRef<LibraryTraits> libraryTraits();

/// Whether calls of the library, by its name in the catalogue, queue kernels
/// but for those that manage something.
bool queuesKernels(llvm::StringRef Library);

/// Whether a library marks its own calls in this NVTX domain, so that its
/// ranges are no program's step.
bool isLibraryDomain(llvm::StringRef Domain);

/// Whether a kernel's name is that of one that communicates between GPUs.
bool isCollective(llvm::StringRef Kernel);

} // namespace autoprof::catalogue

#endif // AUTOPROF_CATALOGUE_LIBRARYTRAITS_H
