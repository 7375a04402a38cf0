// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/SubCommands.h"
#include "cli/traces/Analysed.h"
#include "commands/Commands.h"
#include "export/Tables.h"

#include <map>

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using llvm::StringRef;

/// Takes the output off the arguments: -o, else the last one; "" where either
/// it or the traces are missing.
static std::string takeOutput(Arguments &A) {
  std::string Out = A.get("output");
  if (Out.empty() && !A.Positional.empty()) {
    Out = A.Positional.back();
    A.Positional.pop_back();
  }
  return A.Positional.empty() ? "" : Out;
}

static int run(llvm::ArrayRef<StringRef> Args) {
  llvm::Expected<Arguments> A = parse(Args, commands::Convert);
  if (!A)
    return failUsage(ConvertCommand, llvm::toString(A.takeError()));
  const std::string Out = takeOutput(*A);
  if (Out.empty())
    return failUsage(ConvertCommand, "convert needs a trace and a folder: "
                                     "autoprof convert TRACE... -o FOLDER");
  llvm::Expected<std::unique_ptr<catalogue::Semantics>> Measured =
      openSemantics(*A);
  if (!Measured)
    return fail(llvm::toString(Measured.takeError()));
  llvm::Expected<StepChoice> Step = chooseStep(*A);
  if (!Step)
    return fail(llvm::toString(Step.takeError()));

  int Code = Fine;
  std::map<int64_t, unsigned> Parts; // Of each rank; -1: unknown.
  for (const std::string &Input : A->Positional) {
    llvm::Expected<std::unique_ptr<Analysed>> One =
        analyseFile(Input, *Step, Measured->get());
    if (!One) {
      Code = fail(llvm::toString(One.takeError()));
      continue;
    }
    const exports::Recording Recorded{(*One)->Path, (*One)->T, (*One)->R};
    const unsigned Part = Parts[(*One)->T.Info.Rank.value_or(-1)]++;
    if (llvm::Error E = exports::writeTables(Out, Recorded, Part))
      Code = fail(llvm::toString(std::move(E)));
  }
  return Code;
}

const Command cli::ConvertCommand = {commands::Convert, run};
