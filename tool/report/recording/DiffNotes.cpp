// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a comparison cannot know, and what to do about it.
#include "report/Format.h"
#include "report/compare/TrialsText.h"
#include "report/recording/DiffText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <set>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
using llvm::StringRef;

namespace {

using Runs = std::vector<RunSummary>;

/// The recording that does not match the base's first.
const RunSummary &otherOf(const Difference &D) {
  return (D.Mismatch->IsNew ? D.New : D.Base)[D.Mismatch->Run];
}

bool isSingle(const Difference &D) {
  return D.Base.size() == 1 && D.New.size() == 1;
}

/// "base" and "new"; of several recordings their files.
std::string nameOf(const Difference &D, bool IsNew, const RunSummary &S) {
  return !isSingle(D) ? S.Path : IsNew ? "new" : "base";
}

const char *clockOf(const RunSummary &S) {
  return S.R.Steps.FromGpu ? "GPU" : "host";
}

std::string compareBoth(const Difference &D) {
  const std::string &Base = D.Base[0].Info.CommandLine,
                    &New = D.New[0].Info.CommandLine;
  return Base.empty() || New.empty()
             ? "autoprof compare"
             : fmt::format("autoprof compare -- {} -- {}", Base, New);
}

} // namespace

std::string report::mismatchSentence(const Difference &D) {
  const RunSummary &Base = D.Base[0], &Other = otherOf(D);
  const std::string BaseName = nameOf(D, false, Base),
                    OtherName = nameOf(D, D.Mismatch->IsNew, Other);
  switch (D.Mismatch->Why) {
  case StepMismatch::NoSteps:
    if (isSingle(D) && Base.R.Steps.List.empty() &&
        D.New[0].R.Steps.List.empty())
      return "The recordings have no steps, so whole runs are compared.";
    return isSingle(D) ? fmt::format("The {} recording has no steps, so whole "
                                     "runs are compared.",
                                     OtherName)
                       : OtherName + " has no steps, so whole runs are "
                                     "compared.";
  case StepMismatch::Clock:
    return fmt::format("Step times are not compared, because they are of "
                       "different clocks ({}: {}; {}: {}).",
                       BaseName, clockOf(Base), OtherName, clockOf(Other));
  case StepMismatch::Place:
    return fmt::format("Step times are not compared, because the steps are not "
                       "the same ({}: {}; {}: {}).",
                       BaseName, Base.R.Steps.Source, OtherName,
                       Other.R.Steps.Source);
  }
  return "";
}

/// What to do about a mismatch; "": nothing.
static std::string mismatchRemedy(const Difference &D) {
  const std::string &Base = D.Base[0].R.Steps.Name,
                    &Other = otherOf(D).R.Steps.Name;
  switch (D.Mismatch->Why) {
  case StepMismatch::NoSteps:
    return "";
  case StepMismatch::Clock:
    return "Steps are timed on the host if several of them have no GPU work. "
           "To "
           "time both programs in the same way: " +
           compareBoth(D);
  case StepMismatch::Place:
    if (!D.Mismatch->IsNew || Base.empty() || Other.empty())
      return "Select the steps with --step, and with --base-step where the "
             "base's have another name.";
    return fmt::format("If these are the same steps, add --base-step={} "
                       "--step={}. To time both programs: {}",
                       Base, Other, compareBoth(D));
  }
  return "";
}

namespace {

/// The names of a side's GPUs; empty where one is not known.
std::set<std::string> gpus(const Runs &Side) {
  std::set<std::string> Names;
  for (const RunSummary &S : Side)
    Names.insert(S.Devices.begin(), S.Devices.end());
  return Names.count("") ? std::set<std::string>() : Names;
}

/// The program without its folder, and the script of an interpreter: "python3
/// train.py"; "": not known.
std::string program(const RunSummary &S) {
  llvm::SmallVector<StringRef> Words;
  StringRef(S.Info.CommandLine).split(Words, ' ', -1, /*KeepEmpty=*/false);
  if (Words.empty())
    return "";
  const StringRef Name = llvm::sys::path::filename(Words[0]);
  const auto *Script = llvm::find_if(
      Words, [](StringRef Word) { return Word.ends_with(".py"); });
  return Script == Words.end()
             ? Name.str()
             : (Name + " " + llvm::sys::path::filename(*Script)).str();
}

llvm::StringMap<int64_t> kernelTimes(const Runs &Side) {
  llvm::StringMap<int64_t> Times;
  for (const RunSummary &S : Side)
    for (const KernelRow &Row : S.R.Kernels)
      if (Row.Kind == trace::OpKind::Kernel)
        Times[Row.Name] += Row.Total;
  return Times;
}

/// The share of the kernels' time in kernels that both sides have; of the side
/// with the larger share, because one may do more than the other. nullopt: a
/// side has no kernels.
std::optional<double> sharedKernels(const Difference &D) {
  const llvm::StringMap<int64_t> Base = kernelTimes(D.Base),
                                 New = kernelTimes(D.New);
  auto Share = [](const llvm::StringMap<int64_t> &Of,
                  const llvm::StringMap<int64_t> &In) -> std::optional<double> {
    int64_t All = 0, Shared = 0;
    for (const auto &Entry : Of) {
      All += Entry.second;
      Shared += In.count(Entry.first()) ? Entry.second : 0;
    }
    return All ? std::optional(double(Shared) / double(All)) : std::nullopt;
  };
  const std::optional<double> OfBase = Share(Base, New),
                              OfNew = Share(New, Base);
  if (!OfBase || !OfNew)
    return std::nullopt;
  return std::max(*OfBase, *OfNew);
}

} // namespace

/// Why the recordings may not be comparable at all: of different GPUs, or of
/// different programs; one sentence each.
static std::vector<std::string> diffWarnings(const Difference &D) {
  std::vector<std::string> Lines;
  const std::set<std::string> BaseGpus = gpus(D.Base), NewGpus = gpus(D.New);
  if (!BaseGpus.empty() && !NewGpus.empty() && BaseGpus != NewGpus)
    Lines.push_back(fmt::format(
        "The recordings are of different GPUs ({}; {}), so times may differ "
        "for that reason alone.",
        llvm::join(BaseGpus, ", "), llvm::join(NewGpus, ", ")));
  // Another name alone is usual: a change may be another binary. So are other
  // kernels alone: a change may fuse them.
  constexpr double Few = 0.1;
  const std::string Base = program(D.Base[0]), New = program(D.New[0]);
  const std::optional<double> Shared = sharedKernels(D);
  if ((Base.empty() || New.empty() || Base != New) && Shared && *Shared < Few)
    Lines.push_back(fmt::format(
        "The recordings seem to be of different programs{}: kernels that both "
        "run take {} of the kernels' time.",
        Base.empty() || New.empty() ? "" : " (" + Base + "; " + New + ")",
        percent(*Shared, 1)));
  return Lines;
}

std::vector<std::string> report::diffNotes(const Difference &D) {
  std::vector<std::string> Notes = diffWarnings(D);
  if (D.Judged)
    llvm::append_range(Notes, trialsNotes(*D.Compared, *D.Judged));
  if (D.Judged)
    return Notes;
  if (D.Mismatch)
    if (std::string Remedy = mismatchRemedy(D); !Remedy.empty())
      Notes.push_back(std::move(Remedy));
  if (!D.Step || D.Step->Basis != StepBasis::OneRun)
    return Notes;
  const std::string &Base = D.Base[0].Info.CommandLine,
                    &New = D.New[0].Info.CommandLine;
  // Other profilers' traces do not name the program.
  const std::string Test =
      Base.empty() || New.empty()
          ? "To test the change, record each program several times and compare "
            "all traces (autoprof diff BASE... -- NEW...), or run both "
            "programs with 'autoprof compare'"
          : fmt::format("To test the change: autoprof compare -- {} -- {}",
                        Base, New);
  Notes.push_back(
      (D.Step->OwnVariation
           ? ""
           : "The run-to-run variation of this program was not measured. ") +
      Test);
  return Notes;
}

std::vector<std::string> report::diffCaveats(const Difference &D) {
  std::vector<std::string> Lines;
  // What all recordings lack is stated once.
  auto IsInAll = [](const Runs &Side, const std::string &Line) {
    return llvm::all_of(Side, [&Line](const RunSummary &S) {
      return llvm::is_contained(S.Caveats, Line);
    });
  };
  auto Add = [&](const char *Name, const Runs &Side, const Runs &Other,
                 bool First) {
    for (const RunSummary &S : Side)
      for (const std::string &Line : S.Caveats)
        if (!IsInAll(Side, Line))
          Lines.push_back(S.Path + ": " + Line);
        else if (&S == &Side.front() && !IsInAll(Other, Line))
          Lines.push_back(std::string(Name) + ": " + Line);
        else if (&S == &Side.front() && First)
          Lines.push_back("both: " + Line);
  };
  Add("base", D.Base, D.New, /*First=*/true);
  Add("new", D.New, D.Base, /*First=*/false);
  return Lines;
}
