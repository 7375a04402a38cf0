// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/SubCommands.h"
#include "cli/traces/Analysed.h"
#include "commands/Commands.h"
#include "export/OutputFile.h"
#include "export/Recording.h"
#include "support/Progress.h"

#include "llvm/Support/Path.h"

#include <map>

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using llvm::StringRef;

namespace {

struct Job {
  bool Tables; ///< CSV, several files in a folder; else Kineto's JSON.
  StringRef Out;
  StepChoice Step;
  const catalogue::Semantics *Measured;
  std::map<std::string, std::string> Written; ///< File -> input.
  std::map<int64_t, unsigned> Parts;          ///< Of each rank; -1: unknown.
};

/// Whether tables are asked for; an error if that is not known.
llvm::Expected<bool> wantsTables(const Arguments &A, StringRef Out) {
  if (A.has("to"))
    return A.get("to") == "csv";
  if (Out.ends_with(".json") || Out.ends_with(".json.gz"))
    return false;
  return llvm::createStringError("the name '" + Out +
                                 "' does not tell the format (.json or "
                                 ".json.gz); name it with --to=kineto or csv");
}

/// "rank3.json.gz" in the folder; without a rank, the input's own name.
std::string fileInFolder(const Job &J, StringRef Input,
                         const trace::Process &Info) {
  std::string Name = "rank" + std::to_string(Info.Rank.value_or(0));
  if (!Info.Rank) {
    StringRef Stem = llvm::sys::path::filename(Input);
    Stem.consume_back(".gz");
    Name = llvm::sys::path::stem(Stem).str();
  }
  llvm::SmallString<256> Path(J.Out);
  llvm::sys::path::append(Path, Name + ".json.gz");
  return Path.str().str();
}

/// Claims a file's name for this input.
llvm::Error claim(Job &J, const std::string &File, const std::string &Input) {
  if (llvm::sys::fs::equivalent(File, Input))
    return llvm::createStringError(
        "the output '" + File + "' is the input itself; choose another name");
  auto [It, IsNew] = J.Written.try_emplace(File, Input);
  if (IsNew)
    return llvm::Error::success();
  return llvm::createStringError("'" + It->second + "' and '" + Input +
                                 "' would both be written to '" + File +
                                 "'; convert them one by one");
}

exports::Tick showOn(Progress &Line, StringRef Name) {
  return [&Line, Name](size_t Done, size_t Total) {
    Line.show(Total ? unsigned(100 * Done / Total) : 0, Name);
  };
}

llvm::Error convertTables(Job &J, const Analysed &One, const exports::Tick &P) {
  exports::Recording Recorded{One.Path, One.T, One.R,
                              analysis::attribute(One.T)};
  unsigned Part = J.Parts[One.T.Info.Rank.value_or(-1)]++;
  return exports::writeTables(J.Out, Recorded, Part, P);
}

llvm::Error convertFile(const std::string &File, const Analysed &One,
                        const exports::Tick &P) {
  llvm::Expected<exports::OutputFile> Out = exports::OutputFile::create(File);
  if (!Out)
    return Out.takeError();
  exports::Recording Recorded{One.Path, One.T, One.R,
                              analysis::attribute(One.T)};
  exports::writeKineto(Out->stream(), Recorded, P);
  return Out->commit();
}

llvm::Error convert(Job &J, const std::string &Input, bool InFolder) {
  Progress Line("Converting", 100);
  exports::Tick Tick = showOn(Line, Input);
  Tick(0, 1);
  llvm::Expected<std::unique_ptr<Analysed>> One =
      analyseFile(Input, J.Step, J.Measured);
  if (!One)
    return One.takeError();
  if (J.Tables)
    return convertTables(J, **One, Tick);
  std::string File =
      InFolder ? fileInFolder(J, Input, (*One)->T.Info) : J.Out.str();
  if (llvm::Error E = claim(J, File, Input))
    return E;
  return convertFile(File, **One, Tick);
}

/// Takes the output off the arguments: -o, else the last one; "" where either
/// it or the traces are missing.
std::string takeOutput(Arguments &A) {
  std::string Out = A.get("output");
  if (Out.empty() && !A.Positional.empty()) {
    Out = A.Positional.back();
    A.Positional.pop_back();
  }
  return A.Positional.empty() ? "" : Out;
}

/// Makes the folder where the output is one. Whether it is a folder of files.
llvm::Expected<bool> prepareFolder(const Arguments &A, bool Tables,
                                   StringRef Out) {
  const bool Several = A.Positional.size() > 1;
  const bool IsFolder = Out.ends_with("/") || llvm::sys::fs::is_directory(Out);
  if (Several && !Tables && Out == "-")
    return llvm::createStringError(
        "several traces are written to a folder, and '-' is standard output; "
        "name a folder, as in -o traces/");
  if (Several && !IsFolder && (!A.has("to") || llvm::sys::fs::exists(Out)))
    return llvm::createStringError(
        "several traces are written to a folder, and '" + Out +
        "' names a file; name a folder and a format, as in --to=" +
        (Tables ? "csv" : "kineto") + " -o traces/");
  if (!Several && !IsFolder && !Tables)
    return false;
  if (std::error_code E = llvm::sys::fs::create_directories(Out))
    return llvm::createStringError("cannot create the folder '" + Out +
                                   "': " + E.message());
  return !Tables;
}

int run(Arguments &A) {
  const std::string Out = takeOutput(A);
  if (Out.empty())
    return failUsage(ConvertCommand, "convert needs a trace and an output: "
                                     "autoprof convert TRACE... -o OUT");
  llvm::Expected<bool> Tables = wantsTables(A, Out);
  if (!Tables)
    return failUsage(ConvertCommand, Tables.takeError());
  llvm::Expected<std::unique_ptr<catalogue::Semantics>> Measured =
      openSemantics(A);
  if (!Measured)
    return fail(Measured.takeError());
  llvm::Expected<StepChoice> Step = chooseStep(A);
  if (!Step)
    return fail(Step.takeError());
  llvm::Expected<bool> InFolder = prepareFolder(A, *Tables, Out);
  if (!InFolder)
    return fail(InFolder.takeError());

  Job J{*Tables, Out, *Step, Measured->get(), {}, {}};
  int Code = Fine;
  for (const std::string &Input : A.Positional)
    if (llvm::Error E = convert(J, Input, *InFolder))
      Code = fail(std::move(E));
  return Code;
}

} // namespace

const Command cli::ConvertCommand = {commands::Convert, nullptr, run};
