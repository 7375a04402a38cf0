// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sites/NeededLibraries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace autoprof;
using namespace autoprof::sites;
using llvm::StringRef;
namespace ELF = llvm::ELF;
namespace fs = llvm::sys::fs;
namespace object = llvm::object;
namespace path = llvm::sys::path;

namespace {

struct Dynamic {
  std::vector<std::string> Needed, SearchPaths;
};

/// The dynamic section; empty if there is none.
Dynamic readDynamic(const object::ELF64LEFile &File) {
  Dynamic Result;
  auto Sections = File.sections();
  if (!Sections) {
    llvm::consumeError(Sections.takeError());
    return Result;
  }
  for (const auto &Section : *Sections) {
    if (Section.sh_type != ELF::SHT_DYNAMIC)
      continue;
    auto Entries =
        File.getSectionContentsAsArray<object::ELF64LE::Dyn>(Section);
    auto Strings = File.getLinkAsStrtab(Section);
    if (Entries && Strings)
      for (const auto &Entry : *Entries) {
        const size_t Offset = std::min(size_t(Entry.getVal()), Strings->size());
        const StringRef Text = Strings->drop_front(Offset).split('\0').first;
        if (Entry.getTag() == ELF::DT_NEEDED)
          Result.Needed.push_back(Text.str());
        else if (Entry.getTag() == ELF::DT_RUNPATH ||
                 Entry.getTag() == ELF::DT_RPATH)
          for (StringRef Folder : llvm::split(Text, ':'))
            Result.SearchPaths.push_back(Folder.str());
      }
    llvm::consumeError(Entries.takeError());
    llvm::consumeError(Strings.takeError());
  }
  return Result;
}

Dynamic readDynamic(StringRef Path) {
  auto Binary = object::createBinary(Path);
  if (!Binary) {
    llvm::consumeError(Binary.takeError());
    return {};
  }
  const auto *File =
      llvm::dyn_cast<object::ELF64LEObjectFile>(Binary->getBinary());
  return File ? readDynamic(File->getELFFile()) : Dynamic();
}

std::string realPath(StringRef Path) {
  llvm::SmallString<256> Real;
  return fs::real_path(Path, Real) ? "" : Real.str().str();
}

bool isBelow(StringRef Path, StringRef Folder) {
  return !Folder.empty() && Folder != "/" && Path.consume_front(Folder) &&
         Path.starts_with("/");
}

/// The folder with the CMakeCache.txt at or above `Folder`, or "".
StringRef buildFolder(StringRef Folder) {
  for (; path::has_relative_path(Folder); Folder = path::parent_path(Folder))
    if (fs::exists(Folder + "/CMakeCache.txt"))
      return Folder;
  return "";
}

/// The library that the binary loads by this name if it is the project's, or
/// "". `Binary` is a real path.
std::string findLibrary(StringRef Binary, StringRef Name,
                        const Dynamic &Parts) {
  const std::string Origin = path::parent_path(Binary).str();
  std::vector<std::string> Folders = Parts.SearchPaths;
  Folders.push_back(Origin);
  for (std::string &Folder : Folders) {
    for (StringRef Variable : {"$ORIGIN", "${ORIGIN}"})
      if (StringRef Rest = Folder; Rest.consume_front(Variable))
        Folder = Origin + Rest.str();
    const std::string Found = realPath(Folder + "/" + Name.str());
    if (Found.empty())
      continue;
    const bool IsOurs = path::parent_path(Found) == Origin ||
                        isBelow(Found, realPath(".")) ||
                        isBelow(Found, buildFolder(Origin));
    return IsOurs ? Found : "";
  }
  return "";
}

} // namespace

std::vector<NeededLibrary>
sites::projectLibraries(llvm::ArrayRef<std::string> Binaries) {
  std::vector<NeededLibrary> Result;
  std::vector<std::pair<std::string, std::string>> Worklist; // Real, as named.
  llvm::StringSet<> Seen;
  for (const std::string &Named : Binaries) {
    Worklist.emplace_back(realPath(Named), Named);
    Seen.insert(Worklist.back().first);
  }
  for (size_t I = 0; I < Worklist.size(); ++I) {
    const auto [Binary, Named] = Worklist[I];
    const Dynamic Parts = readDynamic(Binary);
    for (const std::string &Name : Parts.Needed) {
      const std::string Found = findLibrary(Binary, Name, Parts);
      if (Found.empty() || !Seen.insert(Found).second)
        continue;
      Result.push_back({Found, Named});
      Worklist.emplace_back(Found, Found);
    }
  }
  return Result;
}
