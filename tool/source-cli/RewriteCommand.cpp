// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `autoprof rewrite`: adds probes to sources, for compilers other than clang
// and for reading.
#include "commands/Commands.h"
#include "compilation/Headers.h"
#include "source-cli/Inputs.h"
#include "source-cli/RewriteTask.h"
#include "source-cli/SubCommands.h"
#include "source-cli/Summary.h"
#include "source/text/ProbeText.h"
#include "support/Words.h"
#include "tree/Manifest.h"
#include "tree/Mirror.h"
#include "tree/Prologue.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <map>
#include <set>

using namespace autoprof;
using namespace autoprof::sources;
using namespace autoprof::tree;
using llvm::Error;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

/// What the user asks for.
struct RewriteRequest {
  Inputs Input;
  /// Includes the root: absolute, without links.
  source::RewriteOptions Options;
  std::string Output;      ///< Absolute, without links.
  std::string BuildFolder; ///< With the compile_commands.json, or "".
};

/// Resolves links as far as the path exists.
std::string resolved(StringRef Path) {
  llvm::SmallString<256> Absolute(Path), Real;
  fs::make_absolute(Absolute);
  path::remove_dots(Absolute, /*remove_dot_dot=*/true);
  StringRef Above = Absolute, Below;
  while (fs::real_path(Above, Real) && path::has_parent_path(Above))
    Above = path::parent_path(Above);
  Below = Absolute.str().substr(Above.size());
  return (Real + Below).str();
}

llvm::Expected<std::string> findRoot(const RewriteRequest &R) {
  const support::Arguments &A = R.Input.Options;
  if (A.has("root")) {
    if (!fs::is_directory(A.get("root")))
      return llvm::createStringError("'" + A.get("root") +
                                     "' of --root is not a folder");
    return resolved(A.get("root"));
  }
  if (R.Options.Root)
    return resolved(*R.Options.Root);
  const std::string First = resolved(R.Input.Units.front().File);
  if (std::string Root = source::Project::findKnownRoot(
          path::parent_path(First), R.Input.Units.front().Directory);
      !Root.empty())
    return resolved(Root);
  if (std::string CMake = source::Project::cmakeSource(R.BuildFolder);
      !R.BuildFolder.empty() && !CMake.empty())
    return resolved(CMake);
  // A folder that the user names is the project.
  const std::vector<std::string> &Given = A.Positional;
  if (Given.size() == 1 && fs::is_directory(Given.front()))
    return resolved(Given.front());
  return llvm::createStringError(
      "cannot tell where the project of '" + First +
      "' begins: no folder above it has .git or .autoprof; name it with "
      "--root=DIR");
}

bool isBelow(StringRef Path, StringRef Folder) {
  return Path.consume_front(Folder) &&
         (Path.empty() || Folder.ends_with("/") || Path[0] == '/');
}

bool isEmptyFolder(StringRef Folder) {
  std::error_code Failed;
  return fs::directory_iterator(Folder, Failed) == fs::directory_iterator();
}

Error checkOutput(const RewriteRequest &R) {
  StringRef Out = R.Output;
  if (isBelow(*R.Options.Root, Out))
    return llvm::createStringError("'" + Out +
                                   "' of -o holds the project; name another "
                                   "folder");
  if (fs::exists(Out) && !fs::is_directory(Out))
    return llvm::createStringError("'" + Out + "' of -o is not a folder");
  if (fs::exists(Out) && !isEmptyFolder(Out) &&
      !fs::exists(Out + "/" AUTOPROF_MANIFEST))
    return llvm::createStringError(
        "the folder '" + Out +
        "' has files that autoprof did not write; name an empty or new folder "
        "with -o");
  return Error::success();
}

/// An error is one sentence with the remedy.
llvm::Expected<RewriteRequest> readRequest(llvm::ArrayRef<StringRef> Args) {
  RewriteRequest R;
  if (Error E = readInputs(Args, commands::Rewrite).moveInto(R.Input))
    return std::move(E);
  const support::Arguments &A = R.Input.Options;
  if (!A.has("output"))
    return llvm::createStringError(
        "say where the annotated tree goes with -o DIR");
  if (R.Input.Units.empty())
    return llvm::createStringError("there is no source file to rewrite");
  const std::string First = resolved(R.Input.Units.front().File);
  llvm::Expected<Config> Project = loadConfig(path::parent_path(First));
  if (!Project)
    return Project.takeError();
  static_cast<Config &>(R.Options) = std::move(*Project);
  if (!R.Input.Databases.empty())
    R.BuildFolder =
        path::parent_path(resolved(R.Input.Databases.front())).str();
  llvm::Expected<std::string> Root = findRoot(R);
  if (!Root)
    return Root.takeError();
  R.Options.Root = *Root;
  R.Options.Table = false;
  R.Input.Run.Verb = "Rewriting";
  R.Output = resolved(A.get("output"));
  if (Error E = checkOutput(R))
    return std::move(E);
  return R;
}

/// The headers that sources of a tree include, by name.
using Headers = std::map<std::string, std::string>;

llvm::Expected<Headers> readHeaders(source::RewriteOptions &Options) {
  const std::string Folder = headerFolder();
  Options.ProbeHeader = Folder + "/probe.h";
  Headers Result;
  for (const char *Name : {"annotated.h", "probe.h"}) {
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
                this->Asked.BuildFolder) {}

  /// Returns the exit code.
  int run();

private:
  Merge::Rule ruleOf(StringRef Path, StringRef Text);
  std::string nameOf(StringRef Path) const;
  void addFile(const MergedFile &F);
  void addLinkedTexts(std::map<std::string, std::string> &Texts) const;
  Error write();
  void listFiles();
  void printSummary(llvm::raw_ostream &OS) const;

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
  return source::Project(Project.root()).relative(Path);
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
  const source::ProbeText Text(/*IsC=*/StringRef(F.Path).ends_with(".c"));
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

/// Lists the files of the tree that no unit has changed.
void Run::listFiles() {
  for (const std::string &Name : Project.files()) {
    const std::string Path = Project.root() + "/" + Name;
    if (Before.count(Path))
      Result.Files.push_back({Name, "already_annotated"});
    else if (!Changes.count(Path))
      Result.Files.push_back({Name, "copied"});
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

Error Run::write() {
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
  if (Error E = Project.write(Texts))
    return E;
  for (const auto &[Name, Text] : Provided)
    if (Error E = writeFile(Out + "/" + Name, Text))
      return E;
  if (Error E = Project.removeOthers(Old))
    return E;
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Result.printJson(OS);
  return writeFile(ManifestPath, Text);
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
  Result.printProblems(OS, filePatterns(Asked.Options.ExcludeFiles));
  OS << plural(Probes, "probe") << " and " << plural(Ranges, "range") << " in "
     << plural(Annotated.size(), "file");
  if (!Result.NotInstrumented.empty())
    OS << "; " << plural(Result.NotInstrumented.size(), "place")
       << " without a probe";
  if (!Before.empty())
    OS << "; " << plural(Before.size(), "file") << " had probes already";
  if (!Result.Partly.empty())
    OS << "; " << Result.Partly.size() << " of "
       << plural(Result.Units, "source") << " could be read only in part";
  if (!Result.Skipped.empty())
    OS << "; " << Result.Skipped.size() << " of "
       << plural(Result.Units, "source") << " could not be read";
  OS << '\n';
}

int Run::run() {
  if (Error E = Project.scan())
    return support::fail(std::move(E));
  RewriteTask Task(Asked.Options, [this](StringRef Path, StringRef Text) {
    return ruleOf(Path, Text);
  });
  const sources::RunSummary Summary =
      sources::run(Task, Asked.Input.Units, Asked.Input.Run);
  for (const std::string &Line : Task.Warnings)
    llvm::errs() << Line << '\n';
  Merged All = Task.take();
  for (const MergedFile &F : All.Files)
    addFile(F);
  Result.Sites = std::move(All.Sites);
  Result.NotInstrumented = std::move(All.NotInstrumented);
  Result.Skipped = std::move(Task.Skipped);
  Result.Partly = std::move(Task.Partly);
  Result.Units = Summary.total();
  listFiles();
  sources::printSummary(llvm::errs(), Asked.Input, Summary);
  const bool NothingRead = Summary.read() == 0;
  if (!NothingRead)
    if (Error E = write())
      return support::fail(std::move(E));
  printSummary(llvm::outs());
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
