// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compilation/Toolkit.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>
#include <vector>

using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace autoprof::sources {

/// <toolkit>/bin/nvcc, with links followed: <toolkit>.
static std::string above(StringRef Nvcc) {
  std::string Program = Nvcc.str();
  if (!Nvcc.contains('/'))
    if (auto Found = llvm::sys::findProgramByName(Nvcc))
      Program = *Found;
  llvm::SmallString<256> Real;
  if (fs::real_path(Program, Real))
    return "";
  return path::parent_path(path::parent_path(Real)).str();
}

llvm::Expected<std::string> findToolkit(StringRef Nvcc) {
  std::vector<std::string> Places{above(Nvcc)};
  for (const char *Name : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *Value = std::getenv(Name))
      Places.push_back(Value);
  // Where Nvcc is a wrapper around the one in PATH.
  Places.push_back(above("nvcc"));
  Places.push_back("/usr/local/cuda");
  for (const std::string &Place : Places)
    if (!Place.empty() && fs::exists(Place + "/include/cuda_runtime.h"))
      return Place;
  return llvm::createStringError(
      "no CUDA toolkit was found for '" + Nvcc +
      "'; set CUDA_HOME to the folder that has include/cuda_runtime.h");
}

} // namespace autoprof::sources
