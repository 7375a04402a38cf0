// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compilation/HostCompiler.h"
#include "support/LLVMVersion.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
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

/// Returns the first line that `Program Option` prints, "" if it fails.
static std::string ask(StringRef Program, StringRef Option) {
  llvm::SmallString<128> Answer;
  if (fs::createTemporaryFile("autoprof", "txt", Answer))
    return "";
  scope_exit Remove([&] { fs::remove(Answer); });
  const std::optional<StringRef> Streams[] = {StringRef(), Answer.str(),
                                              StringRef()};
  if (llvm::sys::ExecuteAndWait(Program, {Program, Option}, std::nullopt,
                                Streams, /*SecondsToWait=*/10) != 0)
    return "";
  auto Text = llvm::MemoryBuffer::getFile(Answer);
  return Text ? (*Text)->getBuffer().split('\n').first.trim().str() : "";
}

static std::string findGccFolder(StringRef Compiler) {
  const Program Driver = programOf(Compiler);
  if (Driver.Kind != Program::Gnu && Driver.Kind != Program::Clang)
    return "";
  const auto Path = llvm::sys::findProgramByName(Compiler);
  if (!Path)
    return "";
  const std::string Library = ask(*Path, "-print-libgcc-file-name");
  const StringRef Folder = path::parent_path(Library);
  const StringRef Machine = path::filename(path::parent_path(Folder));
  if (!fs::exists(Folder + "/crtbegin.o") ||
      llvm::Triple(Machine).getArch() !=
          llvm::Triple(llvm::sys::getProcessTriple()).getArch())
    return "";
  return Folder.str();
}

std::string gccFolderOf(const std::string &Compiler) {
  static std::map<std::string, std::string> Known;
  auto [It, IsNew] = Known.try_emplace(Compiler);
  if (IsNew)
    It->second = findGccFolder(Compiler);
  return It->second;
}

} // namespace autoprof::sources
