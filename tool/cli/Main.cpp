// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/SubCommands.h"

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
    &SourcesCommand};

void printHelp(llvm::raw_ostream &Out) {
  Out << "Usage: autoprof COMMAND [OPTIONS] ...\n"
         "\n"
         "Finds and prices hidden CPU-GPU synchronization in CUDA C++ "
         "programs.\n"
         "\n"
         "Commands:\n";
  for (const Command *C : Commands)
    Out << "  " << llvm::left_justify(C->Name, 11) << C->Purpose << '\n';
  Out << "\n"
         "  autoprof COMMAND --help   what a command takes, with examples\n"
         "  autoprof --version        the version\n"
         "\n"
         "Typical use:\n"
         "  autoprof run -o base.pftrace -- ./train --print-loss\n"
         "  autoprof report base.pftrace\n"
         "  autoprof run -o new.pftrace -- ./train --deferred-loss\n"
         "  autoprof diff base.pftrace new.pftrace\n"
         "\n"
         "Exit codes: 0 fine; 1 findings, where --exit-code asks for it, or "
         "a failed check;\n2 wrong usage or a failure of autoprof. 'run' "
         "passes on the program's.\n";
}

int runCommand(const Command &C, llvm::ArrayRef<StringRef> Args) {
  for (StringRef A : Args) {
    // Behind these, arguments belong to the program that is run.
    if (A == "--" || (&C == &RunCommand && !A.starts_with("-")))
      break;
    if (C.Help && (A == "--help" || A == "-h")) {
      llvm::outs() << C.Help;
      return Fine;
    }
  }
  return C.Run(Args);
}

int dispatch(llvm::ArrayRef<StringRef> Args) {
  if (Args.empty()) {
    printHelp(llvm::errs());
    return Failure;
  }
  StringRef Name = Args[0];
  if (Name == "help" && Args.size() > 1) {
    const StringRef Asked[] = {Args[1], "--help"};
    return dispatch(Asked);
  }
  if (Name == "--help" || Name == "-h" || Name == "help") {
    printHelp(llvm::outs());
    return Fine;
  }
  if (Name == "--version") {
    llvm::outs() << "autoprof " AUTOPROF_VERSION "\n";
    return Fine;
  }
  std::vector<StringRef> Names;
  for (const Command *C : Commands) {
    if (Name == C->Name)
      return runCommand(*C, Args.drop_front());
    Names.push_back(C->Name);
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
