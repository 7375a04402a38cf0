// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compilation/Toolkit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>
#include <vector>

using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace autoprof::sources {

std::string folderOf(StringRef Compiler) {
  std::string Program = Compiler.str();
  if (!Compiler.contains('/'))
    if (auto Found = llvm::sys::findProgramByName(Compiler))
      Program = *Found;
  llvm::SmallString<256> Real;
  if (fs::real_path(Program, Real))
    return "";
  return path::parent_path(path::parent_path(Real)).str();
}

static bool hasHeaders(StringRef Folder) {
  return fs::exists(Folder + "/include/cuda_runtime.h");
}

/// The folders below `Folder`, sorted.
static std::vector<std::string> foldersIn(const llvm::Twine &Folder) {
  std::vector<std::string> Result;
  std::error_code Failure;
  for (fs::directory_iterator I(Folder, Failure), End; I != End && !Failure;
       I.increment(Failure))
    if (fs::is_directory(I->path()))
      Result.push_back(I->path());
  llvm::sort(Result);
  return Result;
}

/// The prefixes of the active Python: that of the virtual or Conda environment,
/// and that of the interpreter in PATH, which belongs to a venv if its programs
/// are called without activating it.
static std::vector<std::string> pythonPrefixes() {
  std::vector<std::string> Result;
  for (const char *Name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const char *Value = std::getenv(Name))
      Result.push_back(Value);
  if (auto Python = llvm::sys::findProgramByName("python3"))
    Result.push_back(
        path::parent_path(path::parent_path(*Python)).str()); // bin/python3
  return Result;
}

/// The folders <prefix>/lib/python3.x/site-packages/nvidia that exist.
static std::vector<std::string> nvidiaPackages() {
  std::vector<std::string> Result;
  auto Add = [&](const std::string &Packages) {
    if (fs::is_directory(Packages + "/nvidia") &&
        !llvm::is_contained(Result, Packages + "/nvidia"))
      Result.push_back(Packages + "/nvidia");
  };
  for (const std::string &Prefix : pythonPrefixes())
    for (const std::string &Library : foldersIn(Prefix + "/lib"))
      if (path::filename(Library).starts_with("python3"))
        for (const char *Name : {"/site-packages", "/dist-packages"})
          Add(Library + Name);
  // autoprof's own wheel is next to NVIDIA's, whichever Python is active.
  llvm::SmallString<256> Own;
  if (!fs::real_path("/proc/self/exe", Own))
    for (StringRef Dir = Own; !Dir.empty(); Dir = path::parent_path(Dir))
      if (path::filename(Dir) == "site-packages" ||
          path::filename(Dir) == "dist-packages")
        Add(Dir.str());
  return Result;
}

std::vector<std::string> moreIncludes(StringRef Toolkit) {
  std::vector<std::string> Result;
  const StringRef Packages = path::parent_path(Toolkit);
  if (path::filename(Toolkit) != "cuda_runtime" ||
      path::filename(Packages) != "nvidia")
    return Result;
  for (const std::string &Folder : foldersIn(Packages))
    if (Folder != Toolkit && fs::is_directory(Folder + "/include"))
      Result.push_back(Folder + "/include");
  return Result;
}

/// The newest toolkit: nvidia/cu13 before nvidia/cuda_runtime.
static std::string toolkitAmong(const std::vector<std::string> &Packages) {
  for (const std::string &Nvidia : Packages)
    for (const std::string &Folder : foldersIn(Nvidia))
      if (path::filename(Folder).starts_with("cu") && hasHeaders(Folder))
        return Folder;
  return "";
}

llvm::Expected<std::string> findToolkit(StringRef Nvcc) {
  std::vector<std::string> Places{folderOf(Nvcc)};
  for (const char *Name : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *Value = std::getenv(Name))
      Places.push_back(Value);
  // For a wrapper around the nvcc in PATH.
  Places.push_back(folderOf("nvcc"));
  Places.push_back("/usr/local/cuda");
  for (const std::string &Place : Places)
    if (!Place.empty() && hasHeaders(Place))
      return Place;
  const std::vector<std::string> Packages = nvidiaPackages();
  if (std::string Found = toolkitAmong(Packages); !Found.empty())
    return Found;
  return llvm::createStringError(
      "no CUDA toolkit was found for '" + Nvcc +
      "', CUDA_HOME, CUDA_PATH, nvcc in PATH, in /usr/local/cuda or in " +
      (Packages.empty() ? "Python's site-packages/nvidia"
                        : llvm::join(Packages, ", ")) +
      "; set CUDA_HOME to the folder that has include/cuda_runtime.h, or run "
      "'pip install nvidia-cuda-runtime nvidia-cuda-crt nvidia-cuda-cccl "
      "nvidia-curand'");
}

} // namespace autoprof::sources
