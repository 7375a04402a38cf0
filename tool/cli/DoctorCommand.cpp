// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `autoprof doctor`: what is missing on this machine.
#include "cli/SubCommands.h"
#include "commands/Commands.h"
#include "doctor/Doctor.h"
#include "fields/Fields.h"

#include "llvm/Support/Format.h"

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using doctor::Check;
using doctor::State;
using fields::Fields;
using fields::writeFields;

namespace {

void doctorFields(Fields &F, const std::vector<Check> &Checks) {
  F.format("autoprof-doctor/1", "`--format=json` of `autoprof doctor`.");
  F.list("checks",
         "every part that was checked, in the order in which to fix them",
         Checks, [&](const Check &C) {
           F.choice("name", "the part", C.Name,
                    {"installation", "driver", "gpu", "cupti", "toolkit",
                     "plugin", "environment"});
           F.choice("state",
                    "`warning`: some commands will not work; `problem`: "
                    "recording will fail",
                    C.Result, State::Problem);
           F.field("finding", "what was found", C.Finding);
           F.text("remedy", "what to do; null when the state is `ok`",
                  C.Remedy);
         });
}

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

int run(Arguments &A) {
  if (!A.Positional.empty())
    return failUsage(DoctorCommand,
                     "doctor takes no '" + A.Positional[0] + "'");
  const std::vector<Check> Checks = doctor::examine(doctor::thisMachine());
  if (A.get("format") == "json")
    writeFields(llvm::outs(), [&](Fields &F) { doctorFields(F, Checks); });
  else
    print(llvm::outs(), Checks);
  const bool Failed = llvm::any_of(
      Checks, [](const Check &C) { return C.Result == State::Problem; });
  return Failed ? Findings : Fine;
}

} // namespace

void cli::describeDoctor(llvm::raw_ostream &Out) {
  Fields::describe(Out, [](Fields &F) { doctorFields(F, {}); });
}

const Command cli::DoctorCommand = {commands::Doctor, nullptr, run};
