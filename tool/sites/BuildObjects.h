// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objects of a build that use the GPU and have no probes, such as those of
// C++ sources that the host compiler compiled.
#ifndef AUTOPROF_SITES_BUILDOBJECTS_H
#define AUTOPROF_SITES_BUILDOBJECTS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace autoprof::sites {

struct BuildObject {
  std::string Source, Path; ///< Absolute.
  bool IsCuda = false;      ///< Compiled as CUDA or HIP, not as C++.
};

/// The lists are by source.
struct BuildObjects {
  /// They have calls that get probes.
  std::vector<BuildObject> WithoutProbes;
  /// The same, of sources that the project's `.autoprof` excludes.
  std::vector<BuildObject> Excluded;
  unsigned Read = 0;    ///< Objects that were read.
  unsigned Missing = 0; ///< Not built, or the command names no object.
};

/// Reads the objects that the commands of a compile_commands.json write.
/// `Path` is the file or its folder. An error is one sentence.
llvm::Expected<BuildObjects> readBuildObjects(llvm::StringRef Path);

} // namespace autoprof::sites

#endif // AUTOPROF_SITES_BUILDOBJECTS_H
