// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `autoprof sites`: which probes a binary has.
#include "cli/SubCommands.h"
#include "commands/Commands.h"
#include "config/StepName.h"
#include "fields/Fields.h"
#include "sites/SiteTables.h"
#include "support/Words.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using fields::Fields;
using fields::writeFields;
using llvm::StringRef;
using sites::Row;

namespace {

struct Counts {
  unsigned Calls = 0, Ranges = 0;
  void add(const Row &R) { ++(R.isRange() ? Ranges : Calls); }
};

struct Binary {
  std::string Path;
  std::vector<Row> Rows;
  std::string Step; ///< As in `.autoprof`; "": none, or several.

  Counts counts() const {
    Counts Result;
    for (const Row &R : Rows)
      Result.add(R);
    return Result;
  }
  /// Whether the step is a function that has no range here: it is in another
  /// binary, excluded, or misspelled.
  bool lacksStep() const {
    const StepName Name(Step);
    return !Name.Loops && !Name.Ranges &&
           llvm::none_of(Rows, [&](const Row &R) {
             return R.Kind == "function" && Name.meansFunction(R.Function);
           });
  }
  /// In the order of their names, like the rows.
  llvm::MapVector<StringRef, Counts> files() const {
    llvm::MapVector<StringRef, Counts> Result;
    for (const Row &R : Rows)
      Result[R.File].add(R);
    return Result;
  }
};

void printRow(llvm::raw_ostream &OS, const Row &R) {
  OS << "  " << R.File << ':' << R.Line << ':' << R.Column << ": " << R.Kind;
  if (!R.isRange())
    OS << ' ' << R.Callee;
  OS << " in " << R.Function << '\n';
}

void print(llvm::raw_ostream &OS, const Binary &B, bool All) {
  const auto Files = B.files();
  const Counts Sum = B.counts();
  OS << B.Path << ": " << plural(Sum.Calls, "probe") << " and "
     << plural(Sum.Ranges, "range") << " in " << plural(Files.size(), "file")
     << '\n';
  if (!B.Step.empty())
    OS << "  step: " << B.Step
       << (B.lacksStep() ? " (no such function here)" : "") << '\n';
  if (All) {
    for (const Row &R : B.Rows)
      printRow(OS, R);
    return;
  }
  size_t Width = 0;
  for (const auto &[File, Count] : Files)
    Width = std::max(Width, File.size());
  for (const auto &[File, Count] : Files)
    OS << "  " << llvm::left_justify(File, unsigned(Width)) << "  "
       << plural(Count.Calls, "probe") << ", " << plural(Count.Ranges, "range")
       << '\n';
}

void rowFields(Fields &F, const Row &R) {
  F.id("id", "the site's id, as in traces: `0x` and 16 digits", R.Id);
  F.field("kind",
          "what the call does (`launch`, `copy`, `sync`, ...), or `function` "
          "or `loop` for a range",
          R.Kind);
  F.field("file", "relative to the project's root", R.File);
  F.field("line", "line in the file", R.Line);
  F.field("column", "column in the line", R.Column);
  F.field("function", "the function that contains it", R.Function);
  F.text("callee", "what is called; null: a range",
         R.isRange() ? "" : R.Callee);
}

void binaryFields(Fields &F, const Binary &B) {
  const Counts Sum = B.counts();
  F.field("path", "as given", B.Path);
  F.field("probes", "calls with a probe", Sum.Calls);
  F.field("ranges", "functions and loops with a range", Sum.Ranges);
  F.text("step",
         "the [step](configuration.md#the-step) that is stored in it; null: "
         "none, or several",
         B.Step);
  F.list("files", "the sources with probes, by name", B.files().takeVector(),
         [&](const auto &File) {
           F.field("file", "relative to the project's root", File.first);
           F.field("probes", "calls with a probe in it", File.second.Calls);
           F.field("ranges", "functions and loops with a range in it",
                   File.second.Ranges);
         });
  F.list("sites", "the probes and ranges, by file and line", B.Rows,
         [&](const Row &R) { rowFields(F, R); });
}

void reportNone(const Binary &B) {
  llvm::errs()
      << "autoprof: '" << B.Path
      << "' has no probes. Possible reasons, the most likely first:\n"
         "  - its CUDA sources were compiled without autoprof-nvcc or "
         "-fplugin=autoprof\n"
         "  - they were compiled before that was set: build in a new "
         "folder\n"
         "  - the probes are in a library that the program loads: name "
         "that file\n"
         "  - it was built from an annotated tree without -DAUTOPROF=1\n"
         "  - AUTOPROF_DISABLE was set, or .autoprof excludes the "
         "sources\n";
}

/// What --expect-none adds to the output for people; returns the exit code.
int checkNone(const std::vector<Binary> &All) {
  llvm::outs().flush();
  unsigned Probed = 0;
  for (const Binary &B : All)
    Probed += !B.Rows.empty();
  if (Probed)
    llvm::errs() << "autoprof: " << Probed << " of "
                 << plural(All.size(), "file")
                 << (Probed == 1 ? " has" : " have")
                 << " probes (--expect-none); build without autoprof-nvcc and "
                    "the plugin, in a new folder\n";
  return Probed ? Findings : Fine;
}

void probesFields(Fields &F, const std::vector<Binary> &All) {
  F.format("autoprof-probes/1", "`--format=json` of `autoprof sites`.");
  F.list("binaries",
         "every binary that could be read, in the order of the command line",
         All, [&](const Binary &B) { binaryFields(F, B); });
}

/// Reads the files, and says which ones cannot be read; returns the exit code.
int readBinaries(llvm::ArrayRef<std::string> Paths, std::vector<Binary> &All) {
  int Code = Fine;
  for (const std::string &Path : Paths) {
    llvm::Expected<std::vector<Row>> Rows = sites::readSites(Path);
    if (Rows) {
      All.push_back({Path, std::move(*Rows), sites::readStep(Path)});
      continue;
    }
    const std::string Reason = llvm::toString(Rows.takeError());
    Code = fail(llvm::sys::fs::is_directory(Path)
                    ? "'" + Path + "' is a folder; name a program"
                    : "cannot read '" + Path + "': " + Reason);
  }
  return Code;
}

/// Prints the binaries unless that was done as JSON; returns the exit code.
int checkBinaries(const std::vector<Binary> &All, const Arguments &A,
                  bool Json) {
  const bool ExpectNone = A.has("expect-none");
  int Code = Fine;
  for (const Binary &B : All) {
    if (!Json && !B.Rows.empty())
      print(llvm::outs(), B, A.has("list"));
    else if (!Json && ExpectNone)
      llvm::outs() << B.Path << ": no probes\n";
    if (!B.Rows.empty() || ExpectNone)
      continue;
    llvm::outs().flush();
    reportNone(B);
    Code = Findings;
  }
  return ExpectNone ? checkNone(All) : Code;
}

int run(Arguments &A) {
  const bool Json = A.get("format") == "json";
  if (A.Positional.empty())
    return failUsage(SitesCommand,
                     "sites takes a program, a library or an object file");
  std::vector<Binary> All;
  const int Unread = readBinaries(A.Positional, All);
  if (Json)
    writeFields(llvm::outs(), [&](Fields &F) { probesFields(F, All); });
  return std::max(Unread, checkBinaries(All, A, Json));
}

} // namespace

void cli::describeProbes(llvm::raw_ostream &Out) {
  Fields::describe(Out, [](Fields &F) { probesFields(F, {}); });
}

const Command cli::SitesCommand = {commands::Sites, nullptr, run};
