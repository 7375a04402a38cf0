// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bin/autoprof-source.
// bin/autoprof must start on machines that have only the C library, so
// everything that needs clang is in a separate program, which bin/autoprof
// starts. Its messages and exit codes are those of bin/autoprof.
#include "commands/Commands.h"
#include "report/audit/AuditJson.h"
#include "source-cli/SubCommands.h"
#include "tree/Manifest.h"

#include "llvm/Support/raw_ostream.h"

using namespace autoprof;
using llvm::StringRef;

static const support::Command *const Commands[] = {
    &sources::AuditCommand, &sources::PatchCommand, &sources::RewriteCommand,
    &sources::SourcesCommand, &sources::SubstituteCommand};

/// For scripts/json-tables.py.
static void printSchemas(llvm::raw_ostream &Out) {
  report::printAuditSchemas(Out);
  sources::describeSources(Out);
  fields::Fields::describe(
      Out, [](fields::Fields &F) { tree::Manifest().listFields(F); });
}

static int dispatch(llvm::ArrayRef<StringRef> Args) {
  if (!Args.empty() && Args[0] == "--print-schemas") {
    printSchemas(llvm::outs());
    return support::Fine;
  }
  for (const support::Command *C : Commands) {
    if (Args.empty() || Args[0] != C->Text.Name)
      continue;
    llvm::ArrayRef<StringRef> Rest = Args.drop_front();
    for (StringRef A : Rest) {
      if (A == "--")
        break;
      if (A == "--help" || A == "-h") {
        commands::printHelp(llvm::outs(), C->Text);
        return support::Fine;
      }
    }
    return C->RunUnparsed(Rest);
  }
  return support::fail("autoprof-source is a part of autoprof; use 'autoprof "
                       "COMMAND' (see 'autoprof --help')");
}

int main(int argc, char **argv) {
  // Keeps the order in which they were written.
  llvm::errs().tie(&llvm::outs());
  return support::finishOutput(
      dispatch(std::vector<StringRef>(argv + 1, argv + argc)));
}
