// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_SITES_NEEDEDLIBRARIES_H
#define AUTOPROF_SITES_NEEDEDLIBRARIES_H

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace autoprof::sites {

struct NeededLibrary {
  std::string Path, Binary; ///< Binary: which loads it.
};

/// The shared libraries of the same project that the binaries load, directly
/// or through others, without those that are among the binaries. They are
/// below the current folder, or in the folder or the build folder of a binary.
std::vector<NeededLibrary>
projectLibraries(llvm::ArrayRef<std::string> Binaries);

} // namespace autoprof::sites

#endif // AUTOPROF_SITES_NEEDEDLIBRARIES_H
