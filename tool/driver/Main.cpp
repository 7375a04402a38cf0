// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bin/autoprof-source
// -------------------
// bin/autoprof must start on machines that have only the C library, so what
// needs clang is a program of its own, which bin/autoprof starts. Its messages
// and exit codes are those of bin/autoprof.
#include "driver/SubCommands.h"

#include "llvm/Support/raw_ostream.h"

using namespace autoprof;
using llvm::StringRef;

static const cli::Command *const Commands[] = {
    &driver::AuditCommand, &driver::RewriteCommand, &driver::SourcesCommand,
    &driver::SubstituteCommand};

static int dispatch(llvm::ArrayRef<StringRef> Args) {
  for (const cli::Command *C : Commands) {
    if (Args.empty() || Args[0] != C->Name)
      continue;
    llvm::ArrayRef<StringRef> Rest = Args.drop_front();
    for (StringRef A : Rest) {
      if (A == "--")
        break;
      if (A == "--help" || A == "-h") {
        llvm::outs() << C->Help;
        return cli::Fine;
      }
    }
    return C->Run(Rest);
  }
  return cli::fail("autoprof-source is a part of autoprof; use 'autoprof "
                   "COMMAND' (see 'autoprof --help')");
}

int main(int argc, char **argv) {
  llvm::errs().tie(&llvm::outs()); // in the order in which they were written
  return cli::finishOutput(
      dispatch(std::vector<StringRef>(argv + 1, argv + argc)));
}
