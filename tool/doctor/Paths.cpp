// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "doctor/Paths.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace autoprof;
using namespace autoprof::doctor;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

bool doctor::exists(const Machine &M, const std::string &Path) {
  return fs::exists(M.Root + Path);
}

std::string doctor::contents(const Machine &M, const std::string &Path) {
  // Files in /proc have no size.
  auto Text = llvm::MemoryBuffer::getFileAsStream(M.Root + Path);
  return Text ? (*Text)->getBuffer().str() : "";
}

std::string doctor::resolved(const Machine &M, const std::string &Path) {
  llvm::SmallString<256> Real, Root;
  if (fs::real_path(M.Root + Path, Real))
    return Path;
  if (!M.Root.empty() && !fs::real_path(M.Root, Root))
    return Real.str().substr(Root.size()).str();
  return Real.str().str();
}

std::string doctor::variable(const Machine &M, const std::string &Name) {
  auto Found = M.Environment.find(Name);
  return Found == M.Environment.end() ? "" : Found->second;
}

std::vector<std::string> doctor::foldersOf(const Machine &M,
                                           const std::string &Name) {
  const std::string Value = variable(M, Name);
  llvm::SmallVector<StringRef> Folders;
  StringRef(Value).split(Folders, ':', -1, /*KeepEmpty=*/false);
  return std::vector<std::string>(Folders.begin(), Folders.end());
}

std::string doctor::findIn(const Machine &M,
                           const std::vector<std::string> &Folders,
                           const std::vector<std::string> &Names) {
  for (const std::string &Folder : Folders)
    for (const std::string &Name : Names)
      if (std::string Path = Folder + "/" + Name; exists(M, Path))
        return Path;
  return "";
}

std::vector<std::string> doctor::libraryFolders(const Machine &M) {
  std::vector<std::string> Folders = foldersOf(M, "LD_LIBRARY_PATH");
  // What distributions, the driver's installer and container runtimes use.
  for (const char *Folder :
       {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib",
        "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu/nvidia/current",
        "/usr/local/nvidia/lib64", "/usr/lib/wsl/lib",
        "/run/opengl-driver/lib"})
    Folders.emplace_back(Folder);
  return Folders;
}

std::vector<std::string> doctor::toolkits(const Machine &M) {
  std::vector<std::string> Found;
  for (const char *Name : {"CUDA_HOME", "CUDA_PATH"})
    if (const std::string Home = variable(M, Name); !Home.empty())
      Found.push_back(Home);
  const std::string Nvcc = findIn(M, foldersOf(M, "PATH"), {"nvcc"});
  // bin/autoprof-nvcc may be in PATH under that name.
  if (!Nvcc.empty() && path::filename(resolved(M, Nvcc)) != "autoprof-nvcc")
    Found.push_back(
        path::parent_path(path::parent_path(resolved(M, Nvcc))).str());
  Found.emplace_back("/usr/local/cuda");
  llvm::erase_if(Found, [&M](const std::string &Folder) {
    return !exists(M, Folder + "/bin/nvcc") &&
           !exists(M, Folder + "/include/cuda.h");
  });
  return Found;
}

std::string doctor::driverVersion(const Machine &M) {
  const std::string Text = contents(M, "/proc/driver/nvidia/version");
  // "... Kernel Module  580.65.06  ...", "... Open Kernel Module for x86_64
  // 580.65.06 ..."
  llvm::SmallVector<StringRef> Parts;
  if (llvm::Regex("Module[^\n]* ([0-9]+\\.[0-9.]*[0-9])").match(Text, &Parts))
    return Parts[1].str();
  return "";
}

unsigned doctor::driverBranch(const Machine &M) {
  unsigned Branch = 0;
  const std::string Version = driverVersion(M);
  StringRef(Version).split('.').first.getAsInteger(10, Branch);
  return Branch;
}

unsigned doctor::newestCuda(unsigned Branch) {
  // CUDA's release notes, "CUDA Toolkit and Minimum Required Driver Version".
  return Branch >= 580 ? 13 : Branch >= 525 ? 12 : 11;
}
