// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `autoprof audit`: finds hidden synchronization points in the source.
#include "audit/Cache.h"
#include "audit/Finding.h"
#include "audit/Link.h"
#include "audit/Selection.h"
#include "commands/Commands.h"
#include "config/Config.h"
#include "report/Output.h"
#include "report/audit/Audit.h"
#include "source-cli/Inputs.h"
#include "source-cli/Judge.h"
#include "source-cli/ReadModels.h"
#include "source-cli/SourceFiles.h"
#include "source-cli/SubCommands.h"
#include "source-cli/Summary.h"
#include "source/project/Project.h"
#include "support/Command.h"
#include "support/SemanticsFile.h"

#include "clang/Tooling/Inclusions/StandardLibrary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <set>

using namespace autoprof;
using namespace autoprof::sources;
using llvm::StringRef;

namespace {

/// Parses the cache size ("64M") into bytes.
llvm::Expected<uint64_t> cacheSize(const support::Arguments &Options) {
  if (!Options.has("cache-size"))
    return audit::Cache::DefaultMaxBytes;
  const std::string Text = Options.get("cache-size");
  llvm::Expected<llvm::CachePruningPolicy> Policy =
      llvm::parseCachePruningPolicy("cache_size_bytes=" + Text);
  if (Policy && Policy->MaxSizeBytes && !StringRef(Text).contains(':'))
    return Policy->MaxSizeBytes;
  if (!Policy)
    llvm::consumeError(Policy.takeError());
  return llvm::createStringError(
      "--cache-size takes a number of bytes, as in 64M or 1G, not '" + Text +
      "'");
}

llvm::Expected<audit::Cache> openCache(const support::Arguments &Options) {
  llvm::Expected<uint64_t> MaxBytes = cacheSize(Options);
  if (!MaxBytes)
    return MaxBytes.takeError();
  if (Options.has("no-cache"))
    return audit::Cache("");
  llvm::SmallString<128> Folder(
      Options.get("cache", audit::Cache::defaultFolder()));
  if (!Folder.empty())
    llvm::sys::fs::make_absolute(Folder); // Workers change their folder.
  return audit::Cache(Folder.str().str(), *MaxBytes);
}

std::optional<std::string> optionOf(const support::Arguments &Options,
                                    StringRef Name) {
  if (!Options.has(Name))
    return std::nullopt;
  return Options.get(Name);
}

llvm::Expected<audit::Selection>
selectionOf(const support::Arguments &Options) {
  return audit::Selection::create(
      {optionOf(Options, "checks"), optionOf(Options, "warnings-as-errors"),
       optionOf(Options, "header-filter"), optionOf(Options, "fail-on")});
}

/// Reads the JSON reports that --prices names, which bin/autoprof has made from
/// traces. An error names the file.
llvm::Expected<std::vector<prices::Prices>>
readPrices(const support::Arguments &Options) {
  std::vector<prices::Prices> Result;
  for (const auto &[Name, Path] : Options.Given) {
    if (Name != "prices")
      continue;
    auto Buffer = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false,
                                              /*IsVolatile=*/true);
    if (!Buffer)
      return llvm::createStringError("cannot read '" + Path +
                                     "': " + Buffer.getError().message());
    llvm::Expected<prices::Prices> Read =
        prices::readReport((*Buffer)->getBuffer());
    if (!Read)
      return llvm::createStringError("cannot read '" + Path +
                                     "': " + llvm::toString(Read.takeError()));
    Result.push_back(std::move(*Read));
  }
  return Result;
}

/// Joins them with the findings and sorts the findings. Does nothing without
/// recordings.
void addPrices(report::Audit &A, std::vector<prices::Prices> Recordings) {
  if (Recordings.empty())
    return;
  A.Priced = std::make_unique<audit::Pricing>(A.P, std::move(Recordings));
  A.Priced->sort(A.Findings);
  std::vector<audit::UnreadSource> Unread;
  for (const report::AuditFile &F : A.Files) {
    if (F.State == report::AuditFile::NotRead)
      Unread.push_back({F.File, "", F.Error});
    for (const source::Skipped &Function : F.Functions)
      Unread.push_back(
          {Function.Location.File, Function.Function, Function.Reason});
  }
  A.Unfound = A.Priced->unfound(A.Findings, A.Silent, Unread);
}

/// Lists the rules that apply to files in the current folder.
int listChecks(llvm::ArrayRef<StringRef> Args) {
  llvm::Expected<support::Arguments> Options =
      support::parse(Args, commands::Audit);
  if (!Options)
    return support::failUsage(AuditCommand, Options.takeError());
  llvm::Expected<audit::Selection> S = selectionOf(*Options);
  if (!S)
    return support::failUsage(AuditCommand, S.takeError());
  llvm::SmallString<256> File("file");
  llvm::sys::fs::make_absolute(File);
  if (llvm::Error E = S->load(File))
    return support::fail(std::move(E));
  for (const audit::Rule &R : audit::rules())
    if (S->wantsRule(File, R.Name))
      llvm::outs() << R.Name << "\n    " << R.Doc << '\n';
  return support::Fine;
}

/// One sentence with the remedy, or "": names the headers with calls that are
/// outside the root of all sources. System headers and those in /usr do not
/// count. A folder with .autoprof or .git is a root that the user chose, and so
/// is a header filter: then the result is "".
std::string skippedHeaders(const audit::Project &P, const audit::Selection &S) {
  if (llvm::any_of(P.units(), [&](const audit::TranslationUnit &U) {
        return S.filtersHeaders(U.MainFile) ||
               source::Project::isMarked(StringRef(U.Root).rtrim('/'));
      }))
    return "";
  std::set<std::string> Skipped;
  for (const audit::LinkedSite &Site : P.sites())
    if (StringRef File = Site.Model->Location.File;
        !File.starts_with("/usr/") && !S.wantsFile(P, File))
      Skipped.insert(File.str());
  if (Skipped.empty())
    return "";
  const std::string Count = llvm::utostr(Skipped.size());
  const std::string First = P.shownPath({*Skipped.begin()});
  const std::string Outside =
      "outside the project's root '" + P.units().front().Root + "'";
  return (Skipped.size() == 1
              ? "1 header with GPU calls ('" + First + "') is " + Outside +
                    " and was skipped"
              : Count + " headers with GPU calls ('" + First +
                    "' is the first) are " + Outside + " and were skipped") +
         "; add an empty .autoprof to the project's top folder";
}

/// Whether all sources were read in part, and without finding a single call:
/// a gate must not pass then.
bool checkedNothing(const report::Audit &A) {
  return A.Sites.empty() && !A.Files.empty() &&
         llvm::none_of(A.Files, [](const report::AuditFile &F) {
           return F.State == report::AuditFile::Read;
         });
}

/// "'autoprof sources -p build' shows why"
std::string showsWhy(const Inputs &Input) {
  return "'autoprof sources" +
         (Input.Options.has("build") ? " -p " + Input.Options.get("build")
                                     : "") +
         "' shows why";
}

/// No findings look like a source without waits.
void warnOfLost(const Inputs &Input, const RunSummary &Summary) {
  const size_t Lost = Summary.total() - Summary.Done;
  if (!Lost || Input.Options.has("require-all") || !Input.Missing.empty())
    return;
  llvm::errs() << "autoprof: warning: no findings are reported, but " << Lost
               << " of " << Summary.total()
               << (Summary.total() == 1 ? " source was" : " sources were")
               << " not read completely, so waits may be missing; "
               << showsWhy(Input) << ", and --require-all fails the run\n";
}

/// Whether all sources were read completely, or need not be (--require-all);
/// otherwise reports it. A FILE that does not exist may be misspelled, so that
/// a gate must not pass.
bool isComplete(const Inputs &Input, const RunSummary &Summary) {
  if (const size_t Count = Input.Missing.size()) {
    const std::string First = "'" + Input.Missing.front() + "'";
    llvm::errs() << "autoprof: "
                 << (Count == 1
                         ? First + " does not exist"
                         : llvm::utostr(Count) + " FILEs do not exist (" +
                               First + " is the first)")
                 << ", which fails the run; the other sources were audited\n";
    return false;
  }
  const size_t Lost = Summary.total() - Summary.Done;
  if (!Lost || !Input.Options.has("require-all"))
    return true;
  llvm::errs() << "autoprof: " << Lost
               << (Lost == 1 ? " source was" : " sources were")
               << " not read completely, which fails the run (--require-all); "
               << showsWhy(Input) << '\n';
  return false;
}

int exitCode(const report::Audit &A) {
  const size_t Failing = llvm::count_if(
      A.Findings, [](const audit::Finding &F) { return F.Fails; });
  if (!Failing)
    return support::Fine;
  const size_t All = A.Findings.size();
  llvm::errs() << "autoprof: " << Failing;
  if (Failing != All)
    llvm::errs() << " of " << All;
  // The others are accepted.
  llvm::errs() << (A.BaselineFile.empty() ? "" : " new")
               << (All == 1 ? " finding" : " findings")
               << (Failing == 1 ? " fails" : " fail")
               << " the run (see --fail-on)\n";
  return support::Findings;
}

/// Whether the output is read on this machine. Otherwise it has paths relative
/// to the project's root.
bool isForHere(const report::Output &Out) {
  return Out.Format == "terminal" || Out.Format == "html";
}

int print(const report::Audit &A, report::Output &Out, StringRef File) {
  Out.write(report::AuditFormats, A);
  if (llvm::Error E = Out.finish())
    return support::fail(std::move(E));
  if (!File.empty())
    llvm::errs() << "autoprof: wrote " << File << ": "
                 << report::auditSummary(A) << '\n';
  return support::Fine;
}

bool lacksHeader(const report::AuditFile &F) { return !F.Missing.empty(); }

bool lacksStandardHeader(const report::AuditFile &F) {
  return clang::tooling::stdlib::Header::named("<" + F.Missing + ">")
      .has_value();
}

void printNotes(const report::Audit &A, const Inputs &Input,
                const audit::Selection &S,
                const catalogue::Semantics *Measured) {
  if (Measured)
    llvm::errs() << "autoprof: calls were judged by a calibration on "
                 << catalogue::machine(*Measured)
                 << ", and the built-in table for calls that it lacks\n";
  if (llvm::any_of(A.Files, lacksStandardHeader))
    llvm::errs() << "autoprof: the headers of the C++ standard library were "
                    "not found; install a C++ compiler (g++), whose headers "
                    "clang reads\n";
  else if (Input.Guessed && llvm::any_of(A.Files, lacksHeader))
    llvm::errs() << HeaderHint;
  if (const std::string Skipped = skippedHeaders(A.P, S); !Skipped.empty())
    llvm::errs() << "autoprof: " << Skipped << '\n';
}

/// Files that could not be read keep their entries in the baseline.
int update(const Ratchet &Known, const report::Audit &A, const Inputs &In,
           const RunSummary &Summary) {
  printSummary(llvm::errs(), In, Summary);
  if (!Summary.read())
    return support::fail("no source could be read");
  if (!isComplete(In, Summary))
    return support::Failure;
  if (llvm::Error E = Known.update(A))
    return support::fail(std::move(E));
  return support::Fine;
}

/// The root of findings if neither .git nor .autoprof marks the project: a copy
/// without these still has the fingerprints of the clone.
std::string rootOf(const Inputs &Input) {
  return Input.CommandsFrom.empty()
             ? ""
             : projectOf(Input.CommandsFrom.front(), Input.Units.front().File);
}

int run(llvm::ArrayRef<StringRef> Args) {
  if (llvm::is_contained(Args, "--list-checks"))
    return listChecks(Args);
  llvm::Expected<Inputs> Input =
      readInputs(Args, commands::Audit, MissingFiles::Fail);
  if (!Input)
    return support::failUsage(AuditCommand, Input.takeError());
  llvm::Expected<audit::Selection> S = selectionOf(Input->Options);
  if (!S)
    return support::failUsage(AuditCommand, S.takeError());
  llvm::Expected<report::Output> Out = report::openOutput(Input->Options);
  if (!Out)
    return support::failUsage(AuditCommand, Out.takeError());
  llvm::Expected<audit::Cache> Models = openCache(Input->Options);
  if (!Models)
    return support::failUsage(AuditCommand, Models.takeError());
  llvm::Expected<Ratchet> Known = Ratchet::create(Input->Options);
  if (!Known)
    return support::fail(Known.takeError());
  // Mistakes are reported before files are read.
  for (const Unit &U : Input->Units)
    if (llvm::Error E = S->load(U.File))
      return support::fail(std::move(E));
  llvm::Expected<std::vector<prices::Prices>> Recorded =
      readPrices(Input->Options);
  if (!Recorded)
    return support::fail(Recorded.takeError());
  auto Measured = support::openSemantics(Input->Options);
  if (!Measured)
    return support::fail(Measured.takeError());
  const std::string Database = rootOf(*Input);
  ReadModels Task(*Models, Database);
  const RunSummary Summary = sources::run(Task, Input->Units, Input->Run);
  Models->prune();
  if (Input->Whole && Summary.Done == Summary.total())
    Known->setWhole();
  audit::Project P(std::move(Task.Units), Measured->get());
  if (isForHere(*Out))
    P.showPathsFromHere();
  llvm::Expected<report::Audit> Judged =
      judge(P, *S, *Known, Database, std::move(Task.Files));
  if (!Judged)
    return support::fail(Judged.takeError());
  report::Audit &A = *Judged;
  for (const std::string &File : Input->CommandsFrom)
    A.CommandsFrom.push_back(P.shownPath({File}));
  for (const std::string &File : Input->BuildToolSources)
    A.BuildToolSources.push_back(P.shownPath({File}));
  if (Known->updates())
    return update(*Known, A, *Input, Summary);
  addPrices(A, std::move(*Recorded));
  if (int Code = print(A, *Out, Input->Options.get("output")))
    return Code;
  printNotes(A, *Input, *S, Measured->get());
  printSummary(llvm::errs(), *Input, Summary);
  if (!Summary.read())
    return support::fail("no source could be read");
  if (checkedNothing(A))
    return support::fail("nothing could be checked: the parts that could be "
                         "read call nothing that the audit knows");
  if (A.Findings.empty())
    warnOfLost(*Input, Summary);
  const int Code = exitCode(A);
  return isComplete(*Input, Summary) ? Code : support::Failure;
}

} // namespace

const support::Command sources::AuditCommand = {commands::Audit, ::run};
