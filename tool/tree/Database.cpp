// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tree/Database.h"

#include "config/ParseJson.h"
#include "support/LLVMVersion.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace autoprof::tree {

namespace {

/// Options of nvcc, gcc and clang that take a path, attached or as the next
/// argument. Longer spellings precede shorter ones.
struct PathOption {
  const char *Spelling;
  enum { Reads, Writes, Options } Kind;

  bool matches(StringRef Arg) const {
    StringRef Name = Spelling;
    const bool MayBeJoined = Name.ends_with("=") || Name == "@" ||
                             Name == "-I" || Name == "-isystem";
    return Arg == Name || (MayBeJoined && Arg.starts_with(Name));
  }
};
const PathOption PathOptions[] = {
    {"--options-file=", PathOption::Options},
    {"--options-file", PathOption::Options},
    {"-optf=", PathOption::Options},
    {"-optf", PathOption::Options},
    {"@", PathOption::Options},
    {"-isystem=", PathOption::Reads},
    {"-isystem", PathOption::Reads},
    {"-iquote", PathOption::Reads},
    {"-idirafter", PathOption::Reads},
    {"-include", PathOption::Reads},
    {"-imacros", PathOption::Reads},
    {"--include-path=", PathOption::Reads},
    {"--system-include=", PathOption::Reads},
    {"--pre-include=", PathOption::Reads},
    {"-I", PathOption::Reads},
    {"-MF", PathOption::Writes},
    {"--output-file=", PathOption::Writes},
    {"--output-file", PathOption::Writes},
    {"-o", PathOption::Writes},
};

/// An entry that is translated for the tree.
class Entry {
public:
  Entry(const Mirror &Project, StringRef Directory,
        std::set<std::string> &Folders)
      : Project(Project), Directory(Directory), Folders(Folders),
        IsInside((Directory + "/")
                     .str()
                     .compare(0, Project.root().size() + 1,
                              Project.root() + "/") == 0),
        NewDirectory(Project.inTree(
            IsInside ? Directory.str() : Project.root() + "/autoprof/build")) {
    Folders.insert(NewDirectory);
  }

  llvm::json::Object translate(StringRef File, std::vector<std::string> Args);

private:
  void addArguments(llvm::ArrayRef<std::string> Args, unsigned Depth);
  bool addOptionsFile(StringRef Path, unsigned Depth);
  bool isFile(StringRef Path) const;
  std::string reading(StringRef Path) const;
  std::string writing(StringRef Path);

  const Mirror &Project;
  const StringRef Directory;
  std::set<std::string> &Folders;
  const bool IsInside; ///< The entry's folder is in the project.
  const std::string NewDirectory;
  std::vector<std::string> Result;
};

bool Entry::isFile(StringRef Path) const {
  llvm::SmallString<256> Absolute(Path);
  makeAbsolute(Directory, Absolute);
  return fs::exists(Absolute);
}

/// A relative path stays relative if it means the same in the tree: programs
/// print it as __FILE__.
std::string Entry::reading(StringRef Path) const {
  llvm::SmallString<256> Absolute(Path), Real;
  makeAbsolute(Directory, Absolute);
  path::remove_dots(Absolute, /*remove_dot_dot=*/true);
  if (fs::real_path(Absolute, Real) ||
      (!Project.holds(Real) && !Project.hasFolder(Real)))
    return Absolute.str().str();
  return IsInside && path::is_relative(Path) && Real == Absolute
             ? Path.str()
             : Project.inTree(Real);
}

std::string Entry::writing(StringRef Path) {
  llvm::SmallString<256> Absolute(NewDirectory);
  if (path::is_absolute(Path))
    path::append(Absolute, path::filename(Path));
  else
    path::append(Absolute, Path);
  path::remove_dots(Absolute, /*remove_dot_dot=*/true);
  if (!Absolute.str().starts_with(Project.inTree(Project.root()) + "/")) {
    Absolute = NewDirectory;
    path::append(Absolute, path::filename(Path));
  }
  Folders.insert(path::parent_path(Absolute).str());
  return Absolute.str().str();
}

bool Entry::addOptionsFile(StringRef Path, unsigned Depth) {
  llvm::SmallString<256> Absolute(Path);
  makeAbsolute(Directory, Absolute);
  auto Text = llvm::MemoryBuffer::getFile(Absolute);
  if (!Text || Depth > 8)
    return false;
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver Saver(Memory);
  llvm::SmallVector<const char *> Words;
  llvm::cl::TokenizeGNUCommandLine((*Text)->getBuffer(), Saver, Words);
  addArguments(std::vector<std::string>(Words.begin(), Words.end()), Depth + 1);
  return true;
}

void Entry::addArguments(llvm::ArrayRef<std::string> Args, unsigned Depth) {
  for (size_t I = 0; I < Args.size(); ++I) {
    StringRef Arg = Args[I];
    const PathOption *Option = llvm::find_if(
        PathOptions, [&](const PathOption &O) { return O.matches(Arg); });
    if (Option == std::end(PathOptions)) {
      const bool IsFile = !Arg.starts_with("-") && isFile(Arg);
      Result.push_back(IsFile ? reading(Arg) : Arg.str());
      continue;
    }
    const bool IsNext = Arg == Option->Spelling && I + 1 < Args.size();
    StringRef Path =
        IsNext ? StringRef(Args[I + 1]) : Arg.substr(strlen(Option->Spelling));
    I += IsNext;
    if (Option->Kind == PathOption::Options && addOptionsFile(Path, Depth))
      continue;
    std::string New =
        Option->Kind == PathOption::Writes ? writing(Path) : reading(Path);
    if (IsNext) {
      Result.push_back(Option->Spelling);
      Result.push_back(std::move(New));
    } else {
      Result.push_back(Option->Spelling + New);
    }
  }
}

llvm::json::Object Entry::translate(StringRef File,
                                    std::vector<std::string> Args) {
  if (!Args.empty()) {
    Result.push_back(Args[0]);
    addArguments(llvm::ArrayRef(Args).drop_front(), 0);
  }
  return llvm::json::Object{{"directory", NewDirectory},
                            {"file", reading(File)},
                            {"arguments", llvm::json::Array(Result)}};
}

std::vector<std::string> argumentsOf(const llvm::json::Object &Fields) {
  std::vector<std::string> Result;
  if (const llvm::json::Array *Args = Fields.getArray("arguments")) {
    for (const llvm::json::Value &A : *Args)
      Result.push_back(A.getAsString().value_or("").str());
    return Result;
  }
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver Saver(Memory);
  llvm::SmallVector<const char *> Words;
  llvm::cl::TokenizeGNUCommandLine(Fields.getString("command").value_or(""),
                                   Saver, Words);
  Result.assign(Words.begin(), Words.end());
  return Result;
}

} // namespace

llvm::Expected<std::string> databaseOf(const Mirror &Project, StringRef Path,
                                       std::set<std::string> &Folders) {
  auto Text = llvm::MemoryBuffer::getFile(Path);
  if (!Text)
    return llvm::createStringError("cannot read '" + Path +
                                   "': " + Text.getError().message());
  llvm::Expected<llvm::json::Value> Parsed = parseJson((*Text)->getBuffer());
  if (!Parsed)
    return Parsed.takeError();
  llvm::json::Array Entries;
  if (const llvm::json::Array *Old = Parsed->getAsArray())
    for (const llvm::json::Value &V : *Old)
      if (const llvm::json::Object *Fields = V.getAsObject()) {
        StringRef Directory = Fields->getString("directory").value_or("");
        Entries.push_back(Entry(Project, Directory, Folders)
                              .translate(Fields->getString("file").value_or(""),
                                         argumentsOf(*Fields)));
      }
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(Entries))).str();
}

} // namespace autoprof::tree
