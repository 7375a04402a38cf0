// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compilation/HostCompiler.h"

#include "support/LLVMVersion.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/VersionTuple.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <cstdlib>
#include <map>

using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace autoprof::sources {

Program programOf(StringRef Path) {
  StringRef Name = path::filename(Path);
  Name.consume_back(".exe");
  struct Known {
    const char *Pattern;
    Program Driver;
  };
  static const Known Table[] = {
      {"^(nvcc|autoprof-nvcc)$", {Program::Nvcc, true}},
      {"^hipcc", {Program::Hip, true}},
      {"^(.*-)?(amd)?clang\\+\\+(-[0-9.]+)?$", {Program::Clang, true}},
      {"^(.*-)?(amd)?clang(-[0-9.]+)?$", {Program::Clang, false}},
      {"^(.*-)?(g|c)\\+\\+(-[0-9.]+)?$", {Program::Gnu, true}},
      {"^(.*-)?(gcc|cc|mpicc)(-[0-9.]+)?$", {Program::Gnu, false}},
      {"^(mpic\\+\\+|mpicxx|mpiCC|icpx|icpc|nvc\\+\\+)$", {Program::Gnu, true}},
  };
  for (const Known &K : Table)
    if (llvm::Regex(K.Pattern).match(Name))
      return K.Driver;
  return {};
}

std::string hostCompilerOf(StringRef CcBin, StringRef Directory) {
  if (const char *Value = std::getenv("NVCC_CCBIN"); Value && CcBin.empty())
    CcBin = Value;
  if (CcBin.empty())
    return "gcc";
  llvm::SmallString<256> Path(CcBin);
  makeAbsolute(Directory, Path);
  if (fs::is_directory(Path)) {
    path::append(Path, "gcc");
    return Path.str().str();
  }
  return CcBin.contains('/') ? Path.str().str() : CcBin.str();
}

static bool isForThisProcessor(StringRef Machine) {
  return llvm::Triple(Machine).getArch() ==
         llvm::Triple(llvm::sys::getProcessTriple()).getArch();
}

/// "12" of g++-12, "" of g++.
static StringRef versionIn(StringRef Path) {
  const StringRef Last = path::filename(Path).rsplit('-').second;
  return Last.find_first_not_of("0123456789.") == StringRef::npos ? Last : "";
}

/// The newest gcc below `Prefix`, of the version if one is given: "12" is also
/// that of 12.2.0.
static std::string newestGcc(StringRef Prefix, StringRef Version) {
  std::string Newest;
  llvm::VersionTuple Best;
  for (const char *Library : {"/lib/gcc", "/lib64/gcc"}) {
    std::error_code Failed;
    for (fs::recursive_directory_iterator It(Prefix + Library, Failed), End;
         It != End && !Failed; It.increment(Failed)) {
      if (It.level() == 0)
        continue;
      It.no_push();
      const StringRef Folder = It->path(), Name = path::filename(Folder);
      llvm::VersionTuple Found;
      if (Found.tryParse(Name) || Found < Best ||
          !(Version.empty() || Name == Version ||
            Name.starts_with((Version + ".").str())) ||
          !isForThisProcessor(path::filename(path::parent_path(Folder))) ||
          !fs::exists(Folder + "/crtbegin.o"))
        continue;
      Best = Found;
      Newest = Folder.str();
    }
  }
  return Newest;
}

static std::string findGccFolder(StringRef Compiler) {
  const Program Driver = programOf(Compiler);
  if (Driver.Kind != Program::Gnu && Driver.Kind != Program::Clang)
    return "";
  const auto Path = llvm::sys::findProgramByName(Compiler);
  llvm::SmallString<256> Real;
  if (!Path || fs::real_path(*Path, Real))
    return "";
  StringRef Version;
  if (Driver.Kind == Program::Gnu) {
    const StringRef Machine = path::filename(Real).rsplit("-g").first;
    if (Machine.contains("-linux-") && !isForThisProcessor(Machine))
      return "";
    Version = versionIn(*Path);
    if (Version.empty())
      Version = versionIn(Real);
  }
  for (StringRef Place : {StringRef(*Path), StringRef(Real)})
    if (std::string Found =
            newestGcc(path::parent_path(path::parent_path(Place)), Version);
        !Found.empty())
      return Found;
  return "";
}

std::string gccFolderOf(const std::string &Compiler) {
  static std::map<std::string, std::string> Known;
  auto [It, IsNew] = Known.try_emplace(Compiler);
  if (IsNew)
    It->second = findGccFolder(Compiler);
  return It->second;
}

} // namespace autoprof::sources
