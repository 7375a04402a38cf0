// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/SubCommands.h"
#include "commands/Commands.h"
#include "report/JsonFields.h"

#include "llvm/Support/raw_ostream.h"

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using llvm::StringRef;

namespace {

const Command *const Commands[] = {
    &RunCommand,       &AttachCommand,  &ReportCommand,    &DiffCommand,
    &CompareCommand,   &TryCommand,     &CheckCommand,     &ConvertCommand,
    &SummarizeCommand, &ExplainCommand, &CalibrateCommand, &AuditCommand,
    &RewriteCommand,   &SourcesCommand, &SitesCommand,     &DoctorCommand};

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
  if (C.RunUnparsed)
    return C.RunUnparsed(Args);
  llvm::Expected<Arguments> Parsed = parse(Args, C.Text);
  return Parsed ? C.Run(*Parsed) : failUsage(C, Parsed.takeError());
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
  // For scripts/json-tables.py.
  if (Name == "--print-schemas") {
    report::printSchemas(llvm::outs());
    describeAttach(llvm::outs());
    describeDoctor(llvm::outs());
    describeProbes(llvm::outs());
    return Fine;
  }
  if (Name == "--completion") {
    if (Args.size() > 1 && Args[1] != "bash")
      return fail("--completion takes bash, not '" + Args[1] + "'");
    commands::printCompletion(llvm::outs());
    return Fine;
  }
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
