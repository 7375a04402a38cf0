// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catalogue/SemanticsJson.h"
#include "cli/SubCommands.h"
#include "cli/compare/Limits.h"
#include "cli/recorder/MachineConstants.h"
#include "commands/Commands.h"
#include "support/SemanticsFile.h"

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using catalogue::Semantics;
using llvm::StringRef;

namespace {

/// What is in a file, as this version writes it.
int show(const std::string &File) {
  auto Read = readSemanticsFile(File);
  if (!Read)
    return fail(Read.takeError());
  catalogue::writeSemantics(**Read, llvm::outs());
  return Fine;
}

int run(Arguments &A) {
  if (!A.Positional.empty())
    return failUsage(CalibrateCommand,
                     "calibrate takes no '" + A.Positional[0] + "'");
  int Device = 0;
  if (StringRef(A.get("device", "0")).getAsInteger(10, Device) || Device < 0)
    return failUsage(CalibrateCommand,
                     "--device takes the number of a GPU, not '" +
                         A.get("device") + "'");
  if (A.has("exercise"))
    return exerciseMachine(Device, llvm::outs());
  if (A.has("show"))
    return show(A.get("show"));
  llvm::Expected<Semantics> S =
      A.has("from") ? constantsOf(A.get("from")) : measureConstants(Device);
  if (!S)
    return fail(S.takeError());
  const std::string File = A.get("output", "autoprof-semantics.json");
  if (llvm::Error E = writeFile(File, [&S](llvm::raw_ostream &Out) {
        catalogue::writeSemantics(*S, Out);
      }))
    return fail(std::move(E));
  llvm::errs() << "autoprof: wrote " << File << ": " << S->Machine.Copies.size()
               << " sizes of copies, " << S->Machine.Pauses.size()
               << " kinds of pauses; use it with --semantics " << File << '\n';
  return Fine;
}

} // namespace

const Command cli::CalibrateCommand = {commands::Calibrate, nullptr, run};
