// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source-cli/Inputs.h"

#include "compilation/ClangArgs.h"
#include "compilation/Commands.h"
#include "source-cli/SourceFiles.h"
#include "support/Databases.h"
#include "support/LLVMVersion.h"
#include "support/Paths.h"

#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <map>

using clang::tooling::CompileCommand;
using clang::tooling::JSONCompilationDatabase;
using llvm::Error;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace autoprof::sources {

namespace {

std::string currentFolder() {
  llvm::SmallString<256> Folder;
  fs::current_path(Folder);
  return Folder.str().str();
}

std::string absolute(StringRef File) {
  llvm::SmallString<256> Path(File);
  fs::make_absolute(Path);
  path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

/// The path for comparisons: links are resolved if the file exists.
std::string realPath(StringRef File) {
  llvm::SmallString<256> Path;
  if (!fs::real_path(File, Path))
    return Path.str().str();
  return absolute(File);
}

/// The nearest database at or above the folder of `File`, or in a build folder
/// there; "" if there is none.
std::string databaseOf(StringRef File) {
  return support::findDatabase(path::parent_path(realPath(File)));
}

class Loader {
public:
  explicit Loader(Inputs &Result) : Result(Result) {
    for (const auto &[Name, Value] : Result.Options.Given)
      if (Name == "include" || Name == "define")
        GivenOptions.push_back((Name == "include" ? "-I" : "-D") + Value);
  }

  /// Reads --exclude-dir.
  Error setExcluded();

  /// Whether the command line has -I or -D.
  bool hasGivenOptions() const { return !GivenOptions.empty(); }

  /// Loads the whole database, or its entries for `Wanted`; returns the files
  /// that it does not list.
  llvm::Expected<std::vector<std::string>>
  loadDatabase(StringRef Path, llvm::ArrayRef<std::string> Wanted);
  Error loadFiles(llvm::ArrayRef<std::string> Files);
  Error loadCommand(llvm::ArrayRef<std::string> Command);

  /// Adds the FILEs that do not exist as units that cannot be read.
  void addMissing();

  /// To be called at the end.
  Error noteExcluded();

private:
  void loadByDefault(llvm::ArrayRef<std::string> Files);
  void loadByDefault(StringRef Compiler, llvm::ArrayRef<std::string> Files);
  void add(std::vector<Unit> Units);
  void addEntry(const CompileCommand &Entry);
  bool isExcluded(StringRef RealPath);

  Inputs &Result;
  std::vector<std::string> GivenOptions;
  llvm::StringSet<> Seen;                   ///< Units, as text.
  std::map<std::string, unsigned> Commands; ///< Number of commands, by file.
  unsigned NotSources = 0;
  std::vector<std::string> ExcludedFolders; ///< Real paths that end in '/'.
  llvm::StringSet<> Excluded;               ///< Real paths.
};

Error Loader::setExcluded() {
  for (const auto &[Name, Value] : Result.Options.Given) {
    if (Name != "exclude-dir")
      continue;
    if (!fs::is_directory(Value))
      return llvm::createStringError(
          "--exclude-dir takes a folder, and '" + Value +
          (fs::exists(Value) ? "' is not one" : "' does not exist"));
    ExcludedFolders.push_back(realPath(Value) + "/");
  }
  return Error::success();
}

bool Loader::isExcluded(StringRef RealPath) {
  const bool IsExcluded =
      llvm::any_of(ExcludedFolders, [&](const std::string &Folder) {
        return RealPath.starts_with(Folder);
      });
  if (IsExcluded)
    Excluded.insert(RealPath);
  return IsExcluded;
}

Error Loader::noteExcluded() {
  if (Excluded.empty())
    return Error::success();
  if (Result.Units.empty())
    return llvm::createStringError("--exclude-dir excludes all sources");
  Result.Notes.push_back("skipped " + std::to_string(Excluded.size()) +
                         (Excluded.size() == 1 ? " source" : " sources") +
                         " because of --exclude-dir");
  return Error::success();
}

/// The same file may be compiled for several targets; commands that read it
/// in the same way are one unit.
void Loader::add(std::vector<Unit> Units) {
  for (Unit &U : Units) {
    std::string Key = U.Directory + '\n' + U.File + '\n' + U.Refusal;
    for (const std::string &A : U.Args)
      Key += '\n' + A;
    if (!Seen.insert(Key).second)
      continue;
    ++Commands[U.File];
    Result.Units.push_back(std::move(U));
  }
}

void Loader::addEntry(const CompileCommand &Entry) {
  std::vector<std::string> Command = Entry.CommandLine;
  std::vector<Unit> Units = unitsOf(Command, Entry.Directory, Entry.Filename);
  NotSources += Units.empty();
  add(std::move(Units));
}

llvm::Expected<std::vector<std::string>>
Loader::loadDatabase(StringRef Path, llvm::ArrayRef<std::string> Wanted) {
  llvm::Expected<std::string> File = support::databaseAt(Path);
  if (!File)
    return File.takeError();
  std::string Reason;
  auto Database = JSONCompilationDatabase::loadFromFile(
      *File, Reason, clang::tooling::JSONCommandLineSyntax::Gnu);
  if (!Database)
    return llvm::createStringError("cannot read '" + *File + "': " + Reason);

  Result.Databases.push_back(*File);
  Result.Whole = Wanted.empty();
  const size_t Before = Result.Units.size();
  llvm::StringSet<> Asked, Listed;
  for (const std::string &W : Wanted)
    Asked.insert(realPath(W));
  for (const CompileCommand &Entry : Database->getAllCompileCommands()) {
    // bear records what a driver of clang starts, too.
    if (Entry.CommandLine.size() > 1 && Entry.CommandLine[1] == "-cc1")
      continue;
    llvm::SmallString<256> Absolute(Entry.Filename);
    makeAbsolute(Entry.Directory, Absolute);
    const std::string Real = realPath(Absolute);
    Listed.insert(Real);
    if (!Asked.empty() && !Asked.count(Real))
      continue;
    if (isExcluded(Real))
      continue;
    if (Asked.empty() && isBuildToolSource(Real))
      Result.BuildToolSources.push_back(Real);
    else
      addEntry(Entry);
  }
  const auto Added = llvm::ArrayRef(Result.Units).drop_front(Before);
  if (!Added.empty() &&
      llvm::none_of(Added, [](const Unit &U) { return fs::exists(U.File); }))
    return llvm::createStringError(
        "'" + *File + "' is from another place: '" + Added.front().File +
        "' and all its other sources do not exist; configure again");
  if (!Added.empty())
    Result.CommandsFrom.push_back(absolute(*File));
  if (NotSources)
    Result.Notes.push_back(std::to_string(NotSources) +
                           " commands compile no C, C++, CUDA or HIP");
  for (const auto &[Name, Count] : Commands)
    if (Count > 1)
      Result.Notes.push_back(Name + " has " + std::to_string(Count) +
                             " different commands; all are read");
  std::vector<std::string> Unlisted;
  llvm::copy_if(
      Wanted, std::back_inserter(Unlisted),
      [&](const std::string &W) { return !Listed.count(realPath(W)); });
  return Unlisted;
}

/// A folder stands for the CUDA and HIP sources in it. Files that are in no
/// database are read with nvcc's or hipcc's defaults.
Error Loader::loadFiles(llvm::ArrayRef<std::string> Given) {
  std::vector<std::string> Files, Empty;
  for (const std::string &Name : Given) {
    if (!fs::is_directory(Name)) {
      if (!isExcluded(realPath(Name)))
        Files.push_back(Name);
      continue;
    }
    llvm::Expected<FolderSources> Below = sourcesBelow(Name);
    if (!Below)
      return Below.takeError();
    if (Below->Files.empty())
      Empty.push_back(withoutSources(Name, *Below));
    else if (Below->Others)
      Result.Notes.push_back(
          ("of '" + Name + "', the .cu and .hip files are read, not the " +
           llvm::Twine(Below->Others) +
           " C and C++ sources, which may call them in loops: a build folder "
           "(-p) has all")
              .str());
    llvm::copy_if(
        Below->Files, std::back_inserter(Files),
        [&](const std::string &File) { return !isExcluded(realPath(File)); });
    for (const std::string &Skipped : Below->Skipped)
      Result.BuildToolSources.push_back(absolute(Skipped));
  }
  if (Files.empty() && !Empty.empty())
    return llvm::createStringError(Empty.front());
  llvm::append_range(Result.Notes, Empty);
  std::map<std::string, std::vector<std::string>> ByDatabase;
  for (const std::string &File : Files) {
    if (!isSource(File))
      return llvm::createStringError("'" + File +
                                     "' is not a C, C++, CUDA or HIP source");
    ByDatabase[databaseOf(File)].push_back(File);
  }
  for (const auto &[Database, Members] : ByDatabase) {
    if (Database.empty()) {
      loadByDefault(Members);
      continue;
    }
    auto Unlisted = loadDatabase(Database, Members);
    if (!Unlisted)
      return Unlisted.takeError();
    loadByDefault(*Unlisted);
  }
  return Error::success();
}

void Loader::loadByDefault(llvm::ArrayRef<std::string> Files) {
  std::vector<std::string> Cuda, Hip;
  for (const std::string &File : Files)
    (StringRef(File).ends_with(".hip") ? Hip : Cuda).push_back(File);
  loadByDefault("nvcc", Cuda);
  loadByDefault("hipcc", Hip);
}

void Loader::loadByDefault(StringRef Compiler,
                           llvm::ArrayRef<std::string> Files) {
  if (Files.empty())
    return;
  Result.Guessed = true;
  std::vector<std::string> Command = {Compiler.str(), "-c"};
  llvm::append_range(Command, GivenOptions);
  Command.emplace_back();
  for (const std::string &File : Files) {
    Command.back() = File;
    add(unitsOf(Command, currentFolder(), File));
  }
  const std::string Options =
      GivenOptions.empty() ? "" : " " + llvm::join(GivenOptions, " ");
  const std::string First = "'" + Files.front() + "'";
  const std::string How = "'" + Compiler.str() + " -c" + Options + "'";
  Result.Notes.push_back(
      Files.size() == 1
          ? "no compile_commands.json at or above " + First +
                " lists it, so it is read as " + How
          : "no compile_commands.json lists " + std::to_string(Files.size()) +
                " files (" + First + " is the first), so they are read as " +
                How);
}

Error Loader::loadCommand(llvm::ArrayRef<std::string> Command) {
  std::vector<Unit> Units = unitsOf(Command, currentFolder());
  if (Units.empty())
    return llvm::createStringError(
        "the command after -- does not compile C, C++, CUDA or HIP");
  add(std::move(Units));
  return Error::success();
}

void Loader::addMissing() {
  for (const std::string &Name : Result.Missing) {
    Unit U;
    U.File = absolute(Name);
    U.Directory = currentFolder();
    U.Refusal = "the file does not exist";
    add({std::move(U)});
  }
}

Error readNumber(const support::Arguments &A, StringRef Name,
                 unsigned &Target) {
  if (A.has(Name) && StringRef(A.get(Name)).getAsInteger(10, Target))
    return llvm::createStringError("--" + Name + " takes a number, not '" +
                                   A.get(Name) + "'");
  return Error::success();
}

Error loadUnits(Loader &Load, Inputs &Result,
                const std::vector<std::string> *Command,
                const std::vector<std::string> &Files) {
  const support::Arguments &A = Result.Options;
  if (Command && (A.has("build") || !Files.empty()))
    return llvm::createStringError(
        "a command after -- cannot be combined with -p or files");
  if (Load.hasGivenOptions() && (Command || A.has("build") || Files.empty()))
    return llvm::createStringError(
        "-I and -D are for files without a compile_commands.json; here the "
        "commands have their own");
  if (Command)
    return Load.loadCommand(*Command);
  if (A.has("build")) {
    auto Unlisted = Load.loadDatabase(A.get("build"), Files);
    if (!Unlisted)
      return Unlisted.takeError();
    if (!Unlisted->empty())
      return llvm::createStringError("'" + Unlisted->front() +
                                     "' is not in the compile_commands.json "
                                     "that -p names");
    return Error::success();
  }
  if (!Files.empty()) {
    Error Failed = Load.loadFiles(Files);
    if (!Failed && Load.hasGivenOptions() && !Result.Guessed)
      Result.Notes.push_back("-I and -D are not used: all files have their "
                             "commands in " +
                             llvm::join(Result.Databases, ", "));
    return Failed;
  }
  const std::string Nearest = databaseOf("file");
  if (Nearest.empty())
    return llvm::createStringError(
        "name a build folder with -p, or files, or a command after --; there "
        "is no compile_commands.json at or above this folder");
  return Load.loadDatabase(Nearest, {}).takeError();
}

/// The FILEs that exist; the others are added to Result.Missing.
llvm::Expected<std::vector<std::string>> existingFiles(Inputs &Result,
                                                       MissingFiles IfMissing) {
  std::vector<std::string> Files;
  for (const std::string &Name : Result.Options.Positional)
    (fs::exists(Name) ? Files : Result.Missing).push_back(Name);
  if (!Result.Missing.empty() &&
      (Files.empty() || IfMissing == MissingFiles::Refuse))
    return llvm::createStringError("cannot find the file '" +
                                   Result.Missing.front() + "'");
  return Files;
}

Error load(Inputs &Result, const std::vector<std::string> *Command,
           MissingFiles IfMissing) {
  Loader Load(Result);
  if (Error E = Load.setExcluded())
    return E;
  auto Files = existingFiles(Result, IfMissing);
  if (!Files)
    return Files.takeError();
  if (Error E = loadUnits(Load, Result, Command, *Files))
    return E;
  Load.addMissing();
  return Load.noteExcluded();
}

/// Notes the origins of the sources and their commands, before the other notes.
void noteOrigins(Inputs &Result) {
  std::vector<std::string> Notes;
  const auto &From = Result.CommandsFrom;
  if (!From.empty())
    Notes.push_back("compile commands: " + support::pathFromHere(From.front()) +
                    (From.size() > 1
                         ? " and " + std::to_string(From.size() - 1) + " more"
                         : ""));
  auto &Skipped = Result.BuildToolSources;
  llvm::sort(Skipped);
  Skipped.erase(llvm::unique(Skipped), Skipped.end());
  if (Skipped.size() == 1)
    Notes.push_back("skipped 1 source of a build tool, '" +
                    support::pathFromHere(Skipped.front()) +
                    "'; name it as a FILE to read it");
  else if (!Skipped.empty())
    Notes.push_back("skipped " + std::to_string(Skipped.size()) +
                    " sources of build tools ('" +
                    support::pathFromHere(Skipped.front()) +
                    "' is the first); name them as FILEs to read them");
  Result.Notes.insert(Result.Notes.begin(), Notes.begin(), Notes.end());
}

} // namespace

llvm::Expected<Inputs> readInputs(llvm::ArrayRef<StringRef> Args,
                                  const support::Manual &Text,
                                  MissingFiles IfMissing) {
  const auto *Dashes = llvm::find(Args, "--");
  llvm::Expected<support::Arguments> Parsed =
      support::parse(llvm::ArrayRef(Args.begin(), Dashes), Text);
  if (!Parsed)
    return Parsed.takeError();
  Inputs Result;
  Result.Options = std::move(*Parsed);
  if (Error E = readNumber(Result.Options, "jobs", Result.Run.Jobs))
    return std::move(E);
  if (Error E = readNumber(Result.Options, "time-limit", Result.Run.TimeLimit))
    return std::move(E);
  std::vector<std::string> Command;
  if (Dashes != Args.end())
    Command.assign(Dashes + 1, Args.end());
  if (Error E =
          load(Result, Dashes == Args.end() ? nullptr : &Command, IfMissing))
    return std::move(E);
  noteOrigins(Result);
  return Result;
}

} // namespace autoprof::sources
