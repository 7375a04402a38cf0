// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Format.h"
#include "report/recording/DiffText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <set>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
using llvm::StringRef;

namespace {

using Runs = std::vector<RunSummary>;

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

std::vector<std::string> report::diffWarnings(const Difference &D) {
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
