// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `autoprof doctor`: what is missing on this machine.
#include "cli/SubCommands.h"
#include "cli/Version.h"
#include "commands/Commands.h"
#include "doctor/Doctor.h"

#include "llvm/Support/Format.h"

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using doctor::Check;
using doctor::State;

namespace {

void print(llvm::raw_ostream &OS, llvm::ArrayRef<Check> Checks) {
  printVersion(OS);
  OS << '\n';
  for (const Check &C : Checks) {
    OS << llvm::left_justify(doctor::name(C.Result), 9)
       << llvm::left_justify(C.Name, 14) << C.Finding << '\n';
    if (!C.Remedy.empty())
      OS.indent(23) << "-> " << C.Remedy << '\n';
  }
}

int run(llvm::ArrayRef<llvm::StringRef> Args) {
  llvm::Expected<Arguments> A = parse(Args, commands::Doctor);
  if (!A)
    return failUsage(DoctorCommand, llvm::toString(A.takeError()));
  if (!A->Positional.empty())
    return failUsage(DoctorCommand,
                     "doctor takes no '" + A->Positional[0] + "'");
  const std::vector<Check> Checks = doctor::examine(doctor::thisMachine());
  print(llvm::outs(), Checks);
  const bool Failed = llvm::any_of(
      Checks, [](const Check &C) { return C.Result == State::Problem; });
  return Failed ? Findings : Fine;
}

} // namespace

const Command cli::DoctorCommand = {commands::Doctor, run};
