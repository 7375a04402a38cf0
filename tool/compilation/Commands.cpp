// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compilation/Commands.h"

#include "compilation/ClangArgs.h"
#include "compilation/HostCompiler.h"
#include "compilation/Launchers.h"
#include "compilation/NvccArgs.h"
#include "compilation/Prelude.h"
#include "compilation/Toolkit.h"
#include "support/LLVMVersion.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace autoprof::sources {

namespace {

std::string absolute(StringRef File, StringRef Directory) {
  llvm::SmallString<256> Path(File);
  makeAbsolute(Directory, Path);
  path::remove_dots(Path, /*remove_dot_dot=*/false);
  return Path.str().str();
}

Unit refused(Compiler Wanted, StringRef Directory, StringRef File,
             std::string Reason) {
  Unit U;
  U.File = absolute(File, Directory);
  U.Directory = Directory.str();
  U.WrittenFor = Wanted;
  U.Refusal = std::move(Reason);
  return U;
}

/// Adds the options that nvcc takes from the environment.
std::vector<std::string> withEnvironment(llvm::ArrayRef<std::string> Args) {
  std::vector<std::string> Result(Args);
  if (const char *Flags = std::getenv("NVCC_PREPEND_FLAGS")) {
    std::vector<std::string> Words = splitWords(Flags);
    Result.insert(Result.begin(), Words.begin(), Words.end());
  }
  if (const char *Flags = std::getenv("NVCC_APPEND_FLAGS"))
    llvm::append_range(Result, splitWords(Flags));
  return Result;
}

std::vector<Unit> nvccUnits(StringRef Nvcc, llvm::ArrayRef<std::string> Args,
                            StringRef Directory, StringRef File) {
  llvm::Expected<NvccCommand> Command =
      readNvcc(withEnvironment(Args), Directory);
  if (!Command)
    return {refused(Compiler::Nvcc, Directory, File,
                    llvm::toString(Command.takeError()))};
  std::vector<std::string> Files;
  if (!File.empty())
    Files.push_back(File.str());
  else if (!Command->CompilesNothing)
    llvm::copy_if(Command->Inputs, std::back_inserter(Files),
                  [&](StringRef Input) {
                    return isSource(Input) || Command->isCuda(Input);
                  });
  std::vector<Unit> Units;
  for (const std::string &F : Files) {
    llvm::Expected<std::string> Toolkit = findToolkit(Nvcc);
    if (!Toolkit) {
      Units.push_back(refused(Compiler::Nvcc, Directory, F,
                              llvm::toString(Toolkit.takeError())));
      continue;
    }
    Unit U;
    U.File = absolute(F, Directory);
    U.Directory = Directory.str();
    U.WrittenFor = Compiler::Nvcc;
    U.IsC = Command->isC(F);
    U.Args = argsForNvcc(*Command, U.File, U.Directory, *Toolkit,
                         IncludeOrder::AsGiven, U.Dropped);
    std::vector<std::string> DroppedAgain;
    if (llvm::any_of(Command->IncludeFolders, [&](const std::string &Folder) {
          return mayMisleadClang(Folder, U.Directory);
        }))
      U.Reordered = argsForNvcc(*Command, U.File, U.Directory, *Toolkit,
                                IncludeOrder::MisleadingLast, DroppedAgain);
    Units.push_back(std::move(U));
  }
  return Units;
}

llvm::Expected<std::string> findRocm(StringRef Hipcc) {
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
bool isHip(llvm::ArrayRef<std::string> Args, StringRef File) {
  return !File.ends_with(".c") &&
         llvm::none_of(Args, [](StringRef A) { return A.starts_with("-x"); });
}

/// The arguments of a hipcc command (without its name) as clang takes them for
/// `File`: with its language, and the folder of ROCm. That is the one that the
/// command names, otherwise ROCM_PATH or HIP_PATH, otherwise the one of
/// `Hipcc`, otherwise /opt/rocm or /usr. An error names the variable to set.
llvm::Expected<std::vector<std::string>>
argsOfHipcc(StringRef Hipcc, llvm::ArrayRef<std::string> Args, StringRef File) {
  std::vector<std::string> Result;
  if (isHip(Args, File))
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

std::vector<Unit> hipUnits(StringRef Hipcc, llvm::ArrayRef<std::string> Args,
                           StringRef Directory, StringRef File) {
  std::vector<Unit> Units;
  for (const std::string &F :
       File.empty() ? sourcesAmong(Args) : std::vector{File.str()}) {
    llvm::Expected<std::vector<std::string>> ForClang =
        argsOfHipcc(Hipcc, Args, F);
    if (!ForClang) {
      Units.push_back(refused(Compiler::Clang, Directory, F,
                              llvm::toString(ForClang.takeError())));
      continue;
    }
    Unit U;
    U.File = absolute(F, Directory);
    U.Directory = Directory.str();
    U.WrittenFor = Compiler::Clang;
    U.Args = argsForClang(HostProgram{!StringRef(F).ends_with(".c"), false, ""},
                          *ForClang, U.File, U.Dropped);
    Units.push_back(std::move(U));
  }
  return Units;
}

} // namespace

std::vector<Unit> unitsOf(llvm::ArrayRef<std::string> CommandLine,
                          StringRef Directory, StringRef File) {
  llvm::ArrayRef<std::string> Args = withoutLaunchers(CommandLine);
  if (Args.empty() || (!File.empty() && !isSource(File)))
    return {};
  const Program Driver = programOf(Args[0]);
  switch (Driver.Kind) {
  case Program::Nvcc:
    return nvccUnits(Args[0], Args.drop_front(), Directory, File);
  case Program::Hip:
    return hipUnits(Args[0], Args.drop_front(), Directory, File);
  case Program::Other:
    return {refused(Compiler::Host, Directory, File,
                    "autoprof does not know the compiler '" + Args[0] + "'")};
  case Program::Clang:
  case Program::Gnu:
    break;
  }
  HostProgram Host{Driver.IsCxx, Driver.Kind == Program::Gnu, ""};
  if (Host.IsGnu)
    Host.GccFolder = gccFolderOf(hostCompilerOf(Args[0], Directory));
  std::vector<Unit> Units;
  for (const std::string &F : File.empty() ? sourcesAmong(Args.drop_front())
                                           : std::vector{File.str()}) {
    Unit U;
    U.File = absolute(F, Directory);
    U.Directory = Directory.str();
    U.WrittenFor =
        Driver.Kind == Program::Clang ? Compiler::Clang : Compiler::Host;
    U.Args = argsForClang(Host, Args.drop_front(), U.File, U.Dropped);
    Units.push_back(std::move(U));
  }
  return Units;
}

} // namespace autoprof::sources
