// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/traces/RankInputs.h"

#include "analysis/comparison/Diff.h"
#include "report/recording/Summary.h"
#include "support/Progress.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {

using Summaries = std::vector<analysis::RankSummary>;

bool isSummaryFile(StringRef Path) {
  uint64_t Size;
  if (!fs::is_regular_file(Path) || fs::file_size(Path, Size))
    return false;
  auto Start =
      llvm::MemoryBuffer::getFileSlice(Path, std::min<uint64_t>(Size, 512), 0);
  return Start && report::isSummary((*Start)->getBuffer());
}

llvm::Expected<Summaries> readSummaryFile(const std::string &Path,
                                          const StepChoice &Step) {
  if (!Step.Name.empty() && !Step.FromFile)
    return llvm::createStringError("cannot count other steps in '" + Path +
                                   "': it is a summary; give --step to "
                                   "'autoprof summarize'");
  if (Step.Window)
    return llvm::createStringError("cannot cut '" + Path +
                                   "': it is a summary, and --window is for "
                                   "traces");
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  if (!Buffer)
    return llvm::createStringError("cannot read '" + Path +
                                   "': " + Buffer.getError().message());
  llvm::Expected<Summaries> Read =
      report::readSummaries((*Buffer)->getBuffer());
  if (!Read)
    return llvm::createStringError("cannot read '" + Path +
                                   "': " + llvm::toString(Read.takeError()));
  return Read;
}

/// The traces of a run that is replayed with all ranks together: kept while
/// they are small.
class KeptTraces {
  static constexpr size_t MaxOps = 1'000'000; ///< Of all of them.
  std::vector<std::unique_ptr<Analysed>> All;
  size_t Ops = 0;
  bool RunCollectives = false, IsTooLarge = false;

public:
  void add(std::unique_ptr<Analysed> One) {
    Ops += One->T.Ops.size();
    RunCollectives |= analysis::runsCollectives(One->T);
    All.push_back(std::move(One));
    if (Ops <= MaxOps)
      return;
    All.clear();
    IsTooLarge = true;
  }

  /// `Ranks`: so many were read, also from summaries.
  std::optional<analysis::Together> replay(size_t Ranks) const {
    if (!RunCollectives || Ranks < 2)
      return std::nullopt;
    analysis::Together Refused;
    if (IsTooLarge) {
      Refused.Obstacle = "they have more than a million GPU operations";
      return Refused;
    }
    if (All.size() != Ranks) {
      Refused.Obstacle = "some ranks are summaries, which cannot be replayed";
      return Refused;
    }
    std::vector<analysis::RankRecording> Recordings;
    for (const std::unique_ptr<Analysed> &One : All)
      Recordings.push_back({One->T, One->R});
    return analysis::replayTogether(Recordings);
  }
};

/// What the reports say of a process is small, its trace is not. `First`: the
/// rank whose steps the others are aligned with, or null.
llvm::Expected<Summaries> readTrace(const std::string &Path,
                                    const StepChoice &Step,
                                    const catalogue::Semantics *Measured,
                                    const analysis::RankSummary *First,
                                    KeptTraces &Kept) {
  llvm::Expected<std::unique_ptr<Analysed>> Trace =
      analyseFile(Path, Step, Measured);
  if (!Trace)
    return Trace.takeError();
  Analysed &One = **Trace;
  if (Step.Name.empty() && First) {
    analysis::Result Base;
    Base.Steps.Site = First->Steps.Site;
    analysis::alignSteps(Base.Steps.Site, One.T, One.R);
  }
  Summaries Result{report::summariseRank({One.Path, One.T, One.R})};
  Kept.add(std::move(*Trace));
  return Result;
}

bool isTraceName(StringRef Name) {
  Name.consume_back(".gz");
  return Name.ends_with(".pftrace") || Name.ends_with(".json") ||
         Name.ends_with(".sqlite");
}

} // namespace

bool cli::holdsRanks(StringRef Path) {
  return fs::is_directory(Path) || isSummaryFile(Path);
}

llvm::Expected<std::vector<std::string>>
cli::expandFolders(llvm::ArrayRef<std::string> Paths) {
  std::vector<std::string> Result;
  for (const std::string &Path : Paths) {
    if (!fs::is_directory(Path)) {
      Result.push_back(Path);
      continue;
    }
    std::vector<std::string> Found, Traces;
    std::error_code E;
    for (fs::directory_iterator I(Path, E), End; I != End && !E;
         I.increment(E)) {
      StringRef Name = llvm::sys::path::filename(I->path());
      if (Name.ends_with(".summary.json") || Name.ends_with(".summary.jsonl"))
        Found.push_back(I->path());
      else if (isTraceName(Name))
        Traces.push_back(I->path());
    }
    if (E)
      return llvm::createStringError("cannot read the folder '" + Path +
                                     "': " + E.message());
    if (Found.empty())
      Found = std::move(Traces);
    if (Found.empty())
      return llvm::createStringError(
          "the folder '" + Path +
          "' has no summaries (*.summary.json) and no traces");
    llvm::sort(Found, [](const std::string &A, const std::string &B) {
      return StringRef(A).compare_numeric(B) < 0;
    });
    llvm::append_range(Result, Found);
  }
  return Result;
}

analysis::Ranks cli::readRanks(llvm::ArrayRef<std::string> Paths,
                               const StepChoice &Step,
                               const catalogue::Semantics *Measured,
                               std::vector<report::Unreadable> &Bad) {
  Progress Line("Reading", Paths.size());
  Summaries All;
  KeptTraces Kept;
  for (const auto &[I, Path] : llvm::enumerate(Paths)) {
    Line.show(I, Path);
    llvm::Expected<Summaries> Read =
        isSummaryFile(Path) ? readSummaryFile(Path, Step)
                            : readTrace(Path, Step, Measured,
                                        All.empty() ? nullptr : &All[0], Kept);
    if (!Read)
      Bad.push_back({Path, llvm::toString(Read.takeError())});
    else
      for (analysis::RankSummary &S : *Read)
        All.push_back(std::move(S));
  }
  Line.clear();
  std::optional<analysis::Together> Jointly = Kept.replay(All.size());
  analysis::Ranks Result = analysis::compareRanks(std::move(All));
  Result.Jointly = std::move(Jointly);
  return Result;
}
