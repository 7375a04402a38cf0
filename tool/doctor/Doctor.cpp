// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "doctor/Doctor.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

#include <unistd.h>

using namespace autoprof;
using namespace autoprof::doctor;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

bool exists(const Machine &M, const std::string &Path) {
  return fs::exists(M.Root + Path);
}

/// "" where it cannot be read.
std::string contents(const Machine &M, const std::string &Path) {
  // Files in /proc have no size.
  auto Text = llvm::MemoryBuffer::getFileAsStream(M.Root + Path);
  return Text ? (*Text)->getBuffer().str() : "";
}

/// The target of a link, without Root; the path itself if it is not a link.
std::string resolved(const Machine &M, const std::string &Path) {
  llvm::SmallString<256> Real, Root;
  if (fs::real_path(M.Root + Path, Real))
    return Path;
  if (!M.Root.empty() && !fs::real_path(M.Root, Root))
    return Real.str().substr(Root.size()).str();
  return Real.str().str();
}

/// "" where it is not set.
std::string variable(const Machine &M, const std::string &Name) {
  auto Found = M.Environment.find(Name);
  return Found == M.Environment.end() ? "" : Found->second;
}

/// The folders of a variable like PATH.
std::vector<std::string> foldersOf(const Machine &M, const std::string &Name) {
  const std::string Value = variable(M, Name);
  llvm::SmallVector<StringRef> Folders;
  StringRef(Value).split(Folders, ':', -1, /*KeepEmpty=*/false);
  return std::vector<std::string>(Folders.begin(), Folders.end());
}

/// The first of `Names` in `Folders`, folder by folder; "" without one.
std::string findIn(const Machine &M, const std::vector<std::string> &Folders,
                   const std::vector<std::string> &Names) {
  for (const std::string &Folder : Folders)
    for (const std::string &Name : Names)
      if (std::string Path = Folder + "/" + Name; exists(M, Path))
        return Path;
  return "";
}

/// Where the dynamic linker looks.
std::vector<std::string> libraryFolders(const Machine &M) {
  std::vector<std::string> Folders = foldersOf(M, "LD_LIBRARY_PATH");
  // What distributions, the driver's installer and container runtimes use.
  for (const char *Folder :
       {"/usr/lib/" AUTOPROF_MULTIARCH, "/usr/lib64", "/usr/lib",
        "/lib/" AUTOPROF_MULTIARCH,
        "/usr/lib/" AUTOPROF_MULTIARCH "/nvidia/current",
#ifdef __aarch64__ // Jetson.
        "/usr/lib/aarch64-linux-gnu/nvidia", "/usr/lib/aarch64-linux-gnu/tegra",
#endif
        "/usr/local/nvidia/lib64", "/usr/lib/wsl/lib",
        "/run/opengl-driver/lib"})
    Folders.emplace_back(Folder);
  return Folders;
}

/// Toolkits by CUDA_HOME, CUDA_PATH, nvcc in PATH, and the usual place.
std::vector<std::string> toolkits(const Machine &M) {
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

/// The driver's version, as 580; 0: none is loaded.
unsigned driverBranch(const Machine &M) {
  unsigned Branch = 0;
  const std::string Version = driverVersion(M);
  StringRef(Version).split('.').first.getAsInteger(10, Branch);
  return Branch;
}

/// The newest CUDA that a driver of this branch runs: 13, 12 or 11.
unsigned newestCuda(unsigned Branch) {
  // CUDA's release notes, "CUDA Toolkit and Minimum Required Driver Version".
  return Branch >= 580 ? 13 : Branch >= 525 ? 12 : 11;
}

/// "/opt/lib" of "/opt/bin/../lib".
std::string beside(const Machine &M, StringRef Relative) {
  llvm::SmallString<256> Path(M.ProgramFolder);
  path::append(Path, Relative);
  path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

/// "13.0" of CUDA_VERSION in a toolkit's cuda.h; "" without one.
std::string cudaVersionOf(const Machine &M, const std::string &Toolkit) {
  std::string Header = contents(M, Toolkit + "/include/cuda.h");
  if (Header.empty())
    Header = contents(M, Toolkit + "/targets/" AUTOPROF_CUDA_TARGET
                                   "/include/cuda.h");
  llvm::SmallVector<StringRef> Parts;
  unsigned Version = 0;
  if (!llvm::Regex("#define CUDA_VERSION ([0-9]+)").match(Header, &Parts) ||
      Parts[1].getAsInteger(10, Version))
    return "";
  return std::to_string(Version / 1000) + "." +
         std::to_string(Version % 1000 / 10);
}

/// The folders where the runtime looks for CUPTI (runtime/cupti): the linker's,
/// its own, the toolkits'.
std::vector<std::string> cuptiFolders(const Machine &M) {
  std::vector<std::string> Folders = libraryFolders(M);
  for (const char *Relative :
       {"../lib", "../extras/CUPTI/lib64", "../../../extras/CUPTI/lib64",
        "../../cuda_cupti/lib"})
    Folders.push_back(beside(M, Relative));
  std::vector<std::string> Toolkits = toolkits(M);
  Toolkits.emplace_back("/usr/local/cuda");
  for (const std::string &Toolkit : Toolkits)
    for (const char *Below : {"/extras/CUPTI/lib64", "/lib64", "/lib",
                              "/targets/" AUTOPROF_CUDA_TARGET "/lib"})
      Folders.push_back(Toolkit + Below);
  return Folders;
}

} // namespace

std::string doctor::driverVersion(const Machine &M) {
  const std::string Text = contents(M, "/proc/driver/nvidia/version");
  // "... Kernel Module  580.65.06  ...", "... Open Kernel Module for x86_64
  // 580.65.06 ..."
  llvm::SmallVector<StringRef> Parts;
  if (llvm::Regex("Module[^\n]* ([0-9]+\\.[0-9.]*[0-9])").match(Text, &Parts))
    return Parts[1].str();
  return "";
}

StringRef doctor::name(State S) {
  return S == State::Ok ? "ok" : S == State::Warning ? "warning" : "problem";
}

Machine doctor::thisMachine() {
  Machine M;
  for (char **Entry = environ; *Entry; ++Entry) {
    auto [Name, Value] = StringRef(*Entry).split('=');
    M.Environment[Name.str()] = Value.str();
  }
  llvm::SmallString<256> Program;
  if (!fs::real_path("/proc/self/exe", Program))
    M.ProgramFolder = path::parent_path(Program).str();
  return M;
}

Check doctor::checkInstallation(const Machine &M) {
  const char *Name = "installation";
  const std::string Runtime = beside(M, "../lib/libautoprof.so");
  if (!exists(M, Runtime))
    return {Name, State::Problem, "there is no '" + Runtime + "'",
            "build or install all of autoprof; 'autoprof run' needs this "
            "library"};
  for (const char *Part : {"autoprof-source", "autoprof-nvcc"})
    if (!exists(M, beside(M, Part)))
      return {Name, State::Warning, "there is no '" + beside(M, Part) + "'",
              "build or install all of autoprof; audit, rewrite, sources "
              "and autoprof-nvcc need it"};
  // Without these it compiles sources without probes, and only says so there.
  for (const char *Part :
       {"../lib/libautoprof-substitute.so", "../include/autoprof/probe.h"})
    if (!exists(M, beside(M, Part)))
      return {Name, State::Warning, "there is no '" + beside(M, Part) + "'",
              "build or install all of autoprof; autoprof-nvcc needs it"};
  return {Name, State::Ok, path::parent_path(M.ProgramFolder).str(), ""};
}

Check doctor::checkDriver(const Machine &M) {
  const char *Name = "driver";
  const std::string Version = driverVersion(M);
  if (Version.empty())
    return {Name, State::Warning, "no NVIDIA driver is loaded",
            "to record GPU work, run on a machine with an NVIDIA GPU and its "
            "driver; reading traces and sources needs neither"};
  const unsigned Branch = driverBranch(M);
  if (newestCuda(Branch) < 12)
    return {Name, State::Problem,
            "driver " + Version + " is older than CUDA 12",
            "install driver 525 or newer"};
  if (findIn(M, libraryFolders(M), {"libcuda.so.1"}).empty())
    return {Name, State::Problem,
            "driver " + Version +
                " is loaded, but libcuda.so.1 is not in any library folder",
            "install the driver's user-space library (Debian: libcuda1); in a "
            "container, start it with '--gpus all' and "
            "NVIDIA_DRIVER_CAPABILITIES=compute,utility"};
  return {Name, State::Ok,
          "driver " + Version + ", for CUDA " +
              std::to_string(newestCuda(Branch)) + " and older",
          ""};
}

Check doctor::checkDevices(const Machine &M) {
  const char *Name = "gpu";
  if (driverVersion(M).empty())
    return {Name, State::Warning, "GPUs cannot be used without a driver",
            "see the driver"};
  std::vector<std::string> Devices;
  for (unsigned Index = 0; Index < 64; ++Index) {
    const std::string Device = "/dev/nvidia" + std::to_string(Index);
    if (exists(M, Device))
      Devices.push_back(Device);
  }
  if (Devices.empty())
    return {Name, State::Problem, "there is no /dev/nvidia0",
            "in a container, start it with '--gpus all'; else run 'nvidia-smi' "
            "once as root, which creates the device files"};
  for (const std::string &Device : Devices)
    if (fs::access(M.Root + Device, fs::AccessMode::Write))
      return {Name, State::Problem, "this user may not open " + Device,
              "add the user to the group that owns it ('ls -l " + Device +
                  "')"};
  return {Name, State::Ok,
          std::to_string(Devices.size()) +
              (Devices.size() == 1 ? " GPU" : " GPUs"),
          ""};
}

Check doctor::checkCupti(const Machine &M) {
  const char *Name = "cupti";
  const std::string Named = variable(M, "AUTOPROF_CUPTI");
  if (!Named.empty() && !exists(M, Named))
    return {Name, State::Problem,
            "AUTOPROF_CUPTI names '" + Named + "', which does not exist",
            "unset AUTOPROF_CUPTI, or set it to the path of libcupti.so.12 or "
            "libcupti.so.13"};
  const unsigned Branch = driverBranch(M);
  std::vector<std::string> Usable = {"libcupti.so.13", "libcupti.so.12"};
  const bool OnlyOld = Branch && newestCuda(Branch) < 13;
  if (OnlyOld)
    Usable.erase(Usable.begin());
  const std::string Found =
      Named.empty() ? findIn(M, cuptiFolders(M), Usable) : Named;
  if (!Found.empty())
    return {Name, State::Ok, resolved(M, Found), ""};
  // If nothing can be recorded anyway, a missing CUPTI is not a problem.
  const State Missing = Branch ? State::Problem : State::Warning;
  const std::string Remedy = "install CUPTI (package cuda-cupti-" +
                             std::string(OnlyOld ? "12" : "13") +
                             "-*, or 'pip install nvidia-cuda-cupti" +
                             (OnlyOld ? "-cu12" : "") +
                             "'), or set AUTOPROF_CUPTI to its path";
  if (OnlyOld && !findIn(M, cuptiFolders(M), {"libcupti.so.13"}).empty())
    return {Name, Missing,
            "only CUPTI 13 was found, and driver " + driverVersion(M) +
                " runs CUDA 12 at most",
            Remedy};
  return {Name, Missing,
          "libcupti was not found, so recordings contain no GPU work", Remedy};
}

Check doctor::checkToolkit(const Machine &M) {
  const char *Name = "toolkit";
  const std::vector<std::string> Found = toolkits(M);
  if (Found.empty())
    return {Name, State::Warning,
            "no CUDA toolkit was found by CUDA_HOME, CUDA_PATH, PATH or in "
            "/usr/local/cuda",
            "to compile programs or audit sources, install CUDA 12 or 13, or "
            "set CUDA_HOME"};
  const std::string Version = cudaVersionOf(M, Found[0]);
  unsigned Major = 0;
  StringRef(Version).split('.').first.getAsInteger(10, Major);
  if (Version.empty() || Major < 12)
    return {Name, State::Warning,
            "the toolkit in '" + Found[0] + "' " +
                (Version.empty() ? "has no cuda.h" : "is CUDA " + Version),
            "install CUDA 12 or 13, or set CUDA_HOME to one"};
  return {Name, State::Ok, "CUDA " + Version + " in " + Found[0], ""};
}

Check doctor::checkPlugin(const Machine &M) {
  const char *Name = "plugin";
  const std::string Plugin = beside(M, "../lib/autoprof.so");
  const std::string Major = AUTOPROF_LLVM_MAJOR;
  const std::string Folder = "/usr/lib/llvm-" + Major;
  const std::string Link = Folder + "/lib/autoprof";
  const bool IsBuilt = exists(M, Plugin), IsLinked = exists(M, Link);
  if (!IsBuilt && !IsLinked)
    return {Name, State::Warning, "there is no '" + Plugin + "'",
            "to compile with clang, install autoprof's plugin, or build it "
            "from source; nvcc does not need it"};
  if (findIn(M, {Folder + "/bin"}, {"clang"}).empty() &&
      findIn(M, foldersOf(M, "PATH"), {"clang-" + Major}).empty())
    return {Name, State::Warning, "clang " + Major + " was not found",
            "to compile with the plugin, install clang-" + Major +
                "; nvcc does not need it"};
  if (!IsLinked)
    return {Name, State::Warning,
            "clang " + Major + " does not find it by name",
            "run 'ln -s " + resolved(M, Plugin) + " " + Link +
                "' as root, or compile with -fplugin=" + Plugin};
  if (IsBuilt && resolved(M, Link) != resolved(M, Plugin))
    return {Name, State::Warning,
            "-fplugin=autoprof loads another installation's plugin, '" +
                resolved(M, Link) + "'",
            "compile with -fplugin=" + Plugin + ", or link this one"};
  return {Name, State::Ok, resolved(M, Link) + ", as -fplugin=autoprof", ""};
}

Check doctor::checkEnvironment(const Machine &M) {
  const char *Name = "environment";
  const std::string Disabled = variable(M, "AUTOPROF_DISABLE");
  if (!Disabled.empty() && Disabled != "0")
    return {Name, State::Problem, "AUTOPROF_DISABLE is set",
            "unset it: while it is set, nothing is recorded or instrumented"};
  const std::string Other = variable(M, "CUDA_INJECTION64_PATH");
  if (!Other.empty() && path::filename(Other) != "libautoprof.so")
    return {Name, State::Warning,
            "CUDA_INJECTION64_PATH names another tool, '" + Other + "'",
            "unset it to stop using that tool; 'autoprof run' "
            "replaces it"};
  return {Name, State::Ok, "no environment variable interferes", ""};
}

std::vector<Check> doctor::examine(const Machine &M) {
  return {checkInstallation(M), checkDriver(M),  checkDevices(M),
          checkCupti(M),        checkToolkit(M), checkPlugin(M),
          checkEnvironment(M)};
}
