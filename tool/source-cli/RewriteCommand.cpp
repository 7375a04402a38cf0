// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `autoprof rewrite`: adds probes to sources, for compilers other than clang
// and for reading.
#include "commands/Commands.h"
#include "compilation/Headers.h"
#include "source-cli/RewriteRequest.h"
#include "source-cli/RewriteTask.h"
#include "source-cli/SubCommands.h"
#include "source-cli/Summary.h"
#include "source-cli/UnusedChoices.h"
#include "source/sites/Experiments.h"
#include "source/text/ProbeText.h"
#include "tree/Database.h"
#include "tree/InPlace.h"
#include "tree/Manifest.h"
#include "tree/Prologue.h"
#include "tree/UnifiedDiff.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace autoprof;
using namespace autoprof::sources;
using namespace autoprof::tree;
using llvm::Error;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

/// The headers that sources of a tree include, by name.
using Headers = std::map<std::string, std::string>;

llvm::Expected<Headers> readHeaders(source::RewriteOptions &Options) {
  const std::string Folder = headerFolder();
  Options.ProbeHeader =
      Folder + (Options.Postpone.empty() ? "/probe.h" : "/experiment.h");
  Headers Result;
  for (const char *Name : {"annotated.h", "experiment.h", "probe.h"}) {
    auto Text = llvm::MemoryBuffer::getFile(Folder + "/" + Name);
    if (!Text)
      return llvm::createStringError("cannot read '" + Folder + "/" + Name +
                                     "' (" + Text.getError().message() +
                                     "); build or install autoprof as a whole");
    Result[std::string("autoprof/") + Name] = (*Text)->getBuffer().str();
  }
  return Result;
}

/// One run.
class Run {
public:
  Run(RewriteRequest Asked, Headers Provided)
      : Asked(std::move(Asked)), Provided(std::move(Provided)),
        Project(*this->Asked.Options.Root, this->Asked.Output,
                path::parent_path(this->Asked.Database).str()) {}

  /// Returns the exit code.
  int run();

private:
  Merge::Rule ruleOf(StringRef Path, StringRef Text);
  std::string nameOf(StringRef Path) const;
  void addFile(const MergedFile &F);
  Error write();
  void addLinkedTexts(std::map<std::string, std::string> &Texts) const;
  Error writeTree();
  Error writeInPlace();
  Error writeManifest(StringRef Folder);
  void listFiles();
  void printSummary(llvm::raw_ostream &OS) const;
  void warnOfUnused(bool IsComplete) const;

  RewriteRequest Asked;
  const Headers Provided;
  Mirror Project;
  Manifest Result;
  struct Change {
    std::string Text;
    std::vector<source::Edit> Edits; ///< The first includes annotated.h.
  };
  std::map<std::string, Change> Changes; ///< Indexed by path.
  /// Number of existing probes, by path.
  std::map<std::string, unsigned> Before;
};

std::string Run::nameOf(StringRef Path) const {
  return source::Project(Project.root(), std::nullopt, std::nullopt)
      .relative(Path);
}

Merge::Rule Run::ruleOf(StringRef Path, StringRef Text) {
  if (!Project.holds(Path))
    return {false, Path.starts_with(Project.root() + "/")
                       ? "its file is in a folder that the tree leaves out"
                       : "its file is outside of the project"};
  if (!source::isAnnotated(Text))
    return {};
  Before[Path.str()] = 0;
  return {true, ""};
}

/// Adds the probes, the table after them, and the include before them.
void Run::addFile(const MergedFile &F) {
  Change &C = Changes[F.Path];
  C.Text = F.Text;
  C.Edits = F.Probes;
  std::vector<std::string> Lines;
  const source::ProbeText Text(/*Preprocessed=*/false,
                               StringRef(F.Path).ends_with(".c")
                                   ? source::Language::C
                                   : source::Language::Cxx);
  for (const std::string &Rows :
       source::tableRows(F.Table, Asked.Options.Step, Text.longestTable()))
    Lines.push_back(Text.table(Rows));
  if (!Lines.empty())
    C.Edits.push_back(appendLines(F.Text, Lines));
  source::Edit Include = includeIn(F.Text, headerFor(nameOf(F.Path)));
  C.Edits.insert(C.Edits.begin(), std::move(Include));
  Result.Files.push_back(
      {nameOf(F.Path), "annotated", static_cast<unsigned>(F.Probes.size())});
}

Error Run::writeManifest(StringRef Folder) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Result.printJson(OS);
  return writeFile((Folder + "/" AUTOPROF_MANIFEST).str(), Text);
}

/// Lists the files of the tree that no unit has changed.
void Run::listFiles() {
  for (const std::string &Name : Project.files()) {
    const std::string Path = Project.root() + "/" + Name;
    if (Before.count(Path))
      Result.Files.push_back({Name, "already_annotated"});
    else if (!Changes.count(Path) && Asked.Mode == RewriteRequest::Tree)
      Result.Files.push_back({Name, Asked.Symlinks ? "linked" : "copied"});
  }
  llvm::sort(Result.Files,
             [](const Manifest::File &A, const Manifest::File &B) {
               return A.Name < B.Name;
             });
}

/// Makes a link to an annotated file a file of its own if its path to
/// annotated.h differs: compilers search from the folder of the link.
void Run::addLinkedTexts(std::map<std::string, std::string> &Texts) const {
  for (const std::string &Name : Project.files()) {
    const std::string Path = Project.root() + "/" + Name;
    llvm::SmallString<256> Real;
    if (!fs::is_symlink_file(Path) || fs::real_path(Path, Real))
      continue;
    auto Target = Changes.find(Real.str().str());
    if (Target == Changes.end() ||
        headerFor(Name) == headerFor(nameOf(Target->first)))
      continue;
    const Change &C = Target->second;
    std::vector<source::Edit> Edits = C.Edits;
    Edits.front() = includeIn(C.Text, headerFor(Name));
    Texts[Path] = source::rewrite(C.Text, Edits);
  }
}

Error Run::writeTree() {
  const std::string &Out = Asked.Output;
  const std::string ManifestPath = Out + "/" AUTOPROF_MANIFEST;
  std::vector<std::string> Old;
  if (auto Text = llvm::MemoryBuffer::getFile(ManifestPath))
    Old = filesOf((*Text)->getBuffer());
  else if (Error E = writeFile(ManifestPath, "{}\n")) // the tree is ours now
    return E;
  std::map<std::string, std::string> Texts;
  for (const auto &[Path, C] : Changes)
    Texts[Path] = source::rewrite(C.Text, C.Edits);
  addLinkedTexts(Texts);
  if (Error E = Project.write(Texts, Asked.Symlinks))
    return E;
  for (const auto &[Name, Text] : Provided)
    if (Error E = writeFile(Out + "/" + Name, Text))
      return E;
  if (!Asked.Database.empty()) {
    std::set<std::string> Folders;
    llvm::Expected<std::string> Commands =
        databaseOf(Project, Asked.Database, Folders);
    if (!Commands)
      return Commands.takeError();
    if (Error E = writeFile(Out + "/compile_commands.json", *Commands))
      return E;
    for (const std::string &F : Folders)
      if (std::error_code E =
              fs::create_directories(F, /*IgnoreExisting=*/true, fs::all_all))
        return llvm::createStringError("cannot create the folder '" + F +
                                       "': " + E.message());
  }
  if (Error E = Project.removeOthers(Old))
    return E;
  return writeManifest(Out);
}

Error Run::writeInPlace() {
  std::vector<std::string> Names;
  for (const auto &[Path, C] : Changes)
    Names.push_back(nameOf(Path));
  if (Names.empty())
    return Error::success();
  if (!Asked.Force)
    if (Error E = checkUndoable(Project.root(), Names))
      return E;
  for (const auto &[Name, Text] : Provided)
    if (Error E = writeFile(Project.root() + "/" + Name, Text))
      return E;
  for (const auto &[Path, C] : Changes)
    if (Error E = writeFile(Path, source::rewrite(C.Text, C.Edits), Path))
      return E;
  return writeManifest(Project.root());
}

Error Run::write() {
  switch (Asked.Mode) {
  case RewriteRequest::Tree:
    return writeTree();
  case RewriteRequest::InPlace:
    return writeInPlace();
  case RewriteRequest::Diff:
    for (const auto &[Path, C] : Changes)
      printDiff(llvm::outs(), nameOf(Path), C.Text, C.Edits);
    return Error::success();
  }
  llvm_unreachable("all modes are handled");
}

void Run::printSummary(llvm::raw_ostream &OS) const {
  std::set<StringRef> Annotated;
  for (const Manifest::File &F : Result.Files)
    if (StringRef(F.Result) == "annotated")
      Annotated.insert(F.Name);
  size_t Probes = 0, Ranges = 0; // As 'autoprof sites' counts them.
  for (const source::Site &S : Result.Sites)
    if (Annotated.count(S.Location.File))
      ++(StringRef(S.Kind) == "function" || StringRef(S.Kind) == "loop"
             ? Ranges
             : Probes);
  auto Plural = [](size_t Count, const char *Name) {
    return (llvm::Twine(Count) + " " + Name + (Count == 1 ? "" : "s")).str();
  };
  Result.printProblems(OS, filePatterns(Asked.Options.ExcludeFiles));
  OS << Plural(Probes, "probe") << " and " << Plural(Ranges, "range") << " in "
     << Plural(Annotated.size(), "file");
  if (!Result.NotInstrumented.empty())
    OS << "; " << Plural(Result.NotInstrumented.size(), "place")
       << " without a probe";
  if (!Before.empty())
    OS << "; " << Plural(Before.size(), "file") << " had probes already";
  if (!Result.Partly.empty())
    OS << "; " << Result.Partly.size() << " of "
       << Plural(Result.Units, "source") << " could be read only in part";
  if (!Result.Skipped.empty())
    OS << "; " << Result.Skipped.size() << " of "
       << Plural(Result.Units, "source") << " could not be read";
  OS << '\n';
}

/// `IsComplete`: all functions of the project are known.
void Run::warnOfUnused(bool IsComplete) const {
  std::vector<std::string> Files = Project.files();
  for (const source::Skipped &S : Result.NotInstrumented)
    Files.push_back(S.Location.File); // Also outside of the tree.
  std::vector<std::string> Lines =
      unusedPatterns(Asked.Options.ExcludeFiles, Files);
  std::vector<std::string> Functions;
  for (const source::Site &S : Result.Sites)
    Functions.push_back(S.Function);
  for (const source::Skipped &S : Result.NotInstrumented)
    Functions.push_back(S.Function);
  if (IsComplete && Before.empty() && Asked.Options.Ranges)
    Lines.push_back(unusedStep(Asked.Options.Step, Functions));
  for (const std::string &Line : Lines)
    if (!Line.empty())
      llvm::errs() << "autoprof: " << Line << '\n';
}

int Run::run() {
  if (Error E = Project.scan())
    return support::fail(std::move(E));
  RewriteTask Task(Asked.Options, [this](StringRef Path, StringRef Text) {
    return ruleOf(Path, Text);
  });
  const sources::RunSummary Summary =
      sources::run(Task, Asked.Input.Units, Asked.Input.Run);
  source::printExperiments(Task.Experiments, llvm::errs());
  for (const std::string &Line : Task.Warnings)
    llvm::errs() << Line << '\n';
  if (Task.Experiments.empty() && !Asked.Options.Postpone.empty())
    return support::fail(
        "no source has a site called " +
        llvm::join(Asked.Options.Postpone, ", ") +
        "; the manifest of a tree (autoprof-sites.json) has all");
  Merged All = Task.take();
  for (const MergedFile &F : All.Files)
    addFile(F);
  Result.Sites = std::move(All.Sites);
  Result.NotInstrumented = std::move(All.NotInstrumented);
  Result.Skipped = std::move(Task.Skipped);
  Result.Partly = std::move(Task.Partly);
  Result.Units = Summary.total();
  listFiles();
  warnOfUnused(Asked.Input.Whole && Summary.Done == Summary.total());
  sources::printSummary(llvm::errs(), Asked.Input, Summary);
  const bool NothingRead = Summary.read() == 0;
  if (!NothingRead)
    if (Error E = write())
      return support::fail(std::move(E));
  if (Asked.Json)
    Result.printJson(llvm::outs());
  else
    printSummary(Asked.Mode == RewriteRequest::Diff ? llvm::errs()
                                                    : llvm::outs());
  if (Asked.Input.Guessed && Task.LacksHeader)
    llvm::errs() << HeaderHint;
  if (NothingRead)
    return support::fail("no source could be read, so nothing was written");
  return support::Fine;
}

int rewriteSources(llvm::ArrayRef<StringRef> Args) {
  llvm::Expected<RewriteRequest> Asked = readRequest(Args);
  if (!Asked)
    return support::failUsage(sources::RewriteCommand, Asked.takeError());
  llvm::Expected<Headers> Provided = readHeaders(Asked->Options);
  if (!Provided)
    return support::fail(Provided.takeError());
  return Run(std::move(*Asked), std::move(*Provided)).run();
}

} // namespace

const support::Command sources::RewriteCommand = {commands::Rewrite,
                                                  rewriteSources};
