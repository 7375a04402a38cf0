// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/Schemas.h"
#include "cli/SubCommands.h"
#include "cli/Version.h"
#include "commands/Commands.h"
#include "commands/Text.h"
#include "report/schemas/Schemas.h"
#include "support/ReplaceFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using llvm::StringRef;

namespace {

const Command *const Commands[] = {
    &RunCommand,     &AttachCommand,    &ReportCommand,  &DiffCommand,
    &CompareCommand, &CheckCommand,     &ConvertCommand, &SummarizeCommand,
    &ExplainCommand, &CalibrateCommand, &AuditCommand,   &RewriteCommand,
    &SourcesCommand, &SitesCommand,     &DoctorCommand};

int runCommand(const Command &C, llvm::ArrayRef<StringRef> Args) {
  for (StringRef A : Args) {
    // After these, arguments belong to the program that is run.
    if (A == "--" || (&C == &RunCommand && !A.starts_with("-")))
      break;
    if (A == "--help" || A == "-h") {
      commands::printHelp(llvm::outs(), C.Text);
      return Fine;
    }
  }
  return C.Run(Args);
}

llvm::Error writeText(const std::string &Path,
                      llvm::function_ref<void(llvm::raw_ostream &)> Write) {
  namespace fs = llvm::sys::fs;
  if (std::error_code E =
          fs::create_directories(llvm::sys::path::parent_path(Path)))
    return llvm::createFileError(Path, E);
  return replaceFile("the manual", Path, Write);
}

/// For the build: man pages and completions into `Folder`, laid out as
/// /usr/share is.
llvm::Error writeManuals(const std::string &Folder) {
  const llvm::StringRef Date = versionDate();
  if (llvm::Error E = writeText(
          Folder + "/man/man1/autoprof.1",
          [&](llvm::raw_ostream &OS) { commands::printMainPage(OS, Date); }))
    return E;
  std::vector<const Manual *> Pages(commands::all());
  Pages.push_back(&commands::Nvcc);
  for (const Manual *M : Pages)
    if (llvm::Error E =
            writeText(Folder + "/man/man1/" + commands::titleOf(*M) + ".1",
                      [&](llvm::raw_ostream &OS) {
                        commands::printManPage(OS, *M, Date);
                      }))
      return E;
  const std::pair<const char *, const char *> Completions[] = {
      {"bash", "/bash-completion/completions/autoprof"},
      {"zsh", "/zsh/site-functions/_autoprof"},
      {"fish", "/fish/vendor_completions.d/autoprof.fish"}};
  for (const auto &[Shell, Path] : Completions)
    if (llvm::Error E =
            writeText(Folder + Path, [Shell = Shell](llvm::raw_ostream &OS) {
              commands::printCompletion(OS, Shell);
            }))
      return E;
  return llvm::Error::success();
}

int printCompletion(StringRef Shell) {
  if (commands::printCompletion(llvm::outs(), Shell))
    return Fine;
  return fail("--completion takes bash, zsh or fish, not '" + Shell + "'");
}

int dispatch(llvm::ArrayRef<StringRef> Args) {
  if (Args.empty()) {
    commands::printOverview(llvm::errs());
    return Failure;
  }
  StringRef Name = Args[0];
  if (Name == "help" && Args.size() > 1) {
    const StringRef Asked[] = {Args[1], "--help"};
    return dispatch(Asked);
  }
  if (Name == "--help" || Name == "-h" || Name == "help") {
    commands::printOverview(llvm::outs());
    return Fine;
  }
  if (Name == "--version") {
    printVersion(llvm::outs());
    return Fine;
  }
  const StringRef Second = Args.size() > 1 ? Args[1] : "";
  if (Name == "--write-manuals" && Args.size() == 2) {
    llvm::Error E = writeManuals(Second.str());
    return E ? fail(llvm::toString(std::move(E))) : int(Fine);
  }
  // For scripts/json-tables.py.
  if (Name == "--print-schemas") {
    report::printSchemas(llvm::outs());
    describeAttach(llvm::outs());
    describeDoctor(llvm::outs());
    describeProbes(llvm::outs());
    return Fine;
  }
  if (Name == "--completion")
    return printCompletion(Second);
  std::vector<StringRef> Names;
  for (const Command *C : Commands) {
    if (Name == C->Text.Name)
      return runCommand(*C, Args.drop_front());
    Names.push_back(C->Text.Name);
  }
  return fail(
      "unknown " + llvm::Twine(Name.starts_with("-") ? "option" : "command") +
      " '" + Name + "'" + suggestion(Name, Names) + " (see 'autoprof --help')");
}

} // namespace

int main(int argc, char **argv) {
  std::vector<StringRef> Args(argv + 1, argv + argc);
  return finishOutput(dispatch(Args));
}
