// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compilation/HipArgs.h"

#include "compilation/NvccArgs.h" // splitWords
#include "compilation/Toolkit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

#include <cstdlib>

using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace autoprof::sources {

static llvm::Expected<std::string> findRocm(StringRef Hipcc) {
  std::vector<std::string> Places;
  for (const char *Name : {"ROCM_PATH", "HIP_PATH"})
    if (const char *Value = std::getenv(Name))
      Places.push_back(Value);
  Places.insert(Places.end(), {folderOf(Hipcc), "/opt/rocm", "/usr"});
  for (const std::string &Place : Places)
    if (!Place.empty() && fs::exists(Place + "/include/hip/hip_runtime.h"))
      return Place;
  return llvm::createStringError(
      "no HIP headers were found for '" + Hipcc +
      "'; set ROCM_PATH to the folder that has include/hip/hip_runtime.h");
}

/// hipcc compiles all C++ files as HIP, and .c files as C.
static bool compilesAsHip(llvm::ArrayRef<std::string> Args, StringRef File) {
  return !File.ends_with(".c") &&
         llvm::none_of(Args, [](StringRef A) { return A.starts_with("-x"); });
}

llvm::Expected<std::vector<std::string>>
argsOfHipcc(StringRef Hipcc, llvm::ArrayRef<std::string> Args, StringRef File) {
  std::vector<std::string> Result;
  if (compilesAsHip(Args, File))
    Result = {"-x", "hip"};
  if (llvm::none_of(
          Args, [](StringRef A) { return A.starts_with("--rocm-path="); })) {
    llvm::Expected<std::string> Rocm = findRocm(Hipcc);
    if (!Rocm)
      return Rocm.takeError();
    Result.push_back("--rocm-path=" + *Rocm);
  }
  llvm::append_range(Result, Args);
  if (const char *Flags = std::getenv("HIPCC_COMPILE_FLAGS_APPEND"))
    llvm::append_range(Result, splitWords(Flags));
  return Result;
}

} // namespace autoprof::sources
