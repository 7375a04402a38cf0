// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The supervisor of the processes that measure, and the cache of their results.
#include "cli/recorder/RecorderCosts.h"

#include "cli/recorder/OwnProcess.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <cstdlib>

using namespace autoprof;
using namespace autoprof::cli;
using llvm::StringRef;
using runtime::CallCosts;
using runtime::MeasuredCosts;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

constexpr const char *Variable = "AUTOPROF_RECORDER_COST";
constexpr unsigned PatienceSeconds = 20;

/// The lines that begin with `Key`, each once.
std::string linesOf(StringRef Text, StringRef Key) {
  std::string Result;
  llvm::SmallVector<StringRef> Lines;
  Text.split(Lines, '\n');
  for (StringRef Line : Lines)
    if (Line.starts_with(Key) && !StringRef(Result).contains(Line))
      Result += (Line + "\n").str();
  return Result;
}

/// What the cost depends on; "" without a GPU of NVIDIA's.
std::string describeMachine() {
  std::string Text = contentOf("/proc/driver/nvidia/version");
  if (Text.empty())
    return "";
  Text += linesOf(contentOf("/proc/cpuinfo"), "model name");
  std::error_code Error;
  for (fs::directory_iterator It("/proc/driver/nvidia/gpus", Error), End;
       It != End && !Error; It.increment(Error))
    Text += linesOf(contentOf(It->path() + "/information"), "Model");
  return Text + AUTOPROF_VERSION;
}

/// "" if there is no place for it.
std::string cacheFile(StringRef Machine) {
  llvm::SmallString<256> Path;
  if (!path::cache_directory(Path))
    return "";
  path::append(Path, "autoprof",
               "recorder-cost-" + llvm::utohexstr(llvm::xxh3_64bits(Machine)));
  return Path.str().str();
}

/// Other processes may read it meanwhile.
void keep(const std::string &Path, const MeasuredCosts &Costs) {
  if (Path.empty() || fs::create_directories(path::parent_path(Path)))
    return;
  llvm::consumeError(
      llvm::writeToOutput(Path, [&Costs](llvm::raw_ostream &Out) {
        Out << Costs.text() << '\n';
        return llvm::Error::success();
      }));
}

/// Ranks of one machine would measure at the same time and disturb each other.
bool isFurtherRank() {
  for (const char *Name :
       {"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_RANK",
        "MPI_LOCALRANKID", "SLURM_LOCALID"})
    if (const char *Rank = getenv(Name))
      return StringRef(Rank) != "0";
  return false;
}

/// In a process of its own; `Added`: what makes it record itself.
CallCosts measure(const Variables &Added) {
  MeasuredCosts Read;
  llvm::Expected<std::string> Said =
      runOwnProcess({"run", "--measure-launches"}, Added, PatienceSeconds);
  if (!Said) {
    llvm::consumeError(Said.takeError());
    return {};
  }
  // One half of the text.
  const std::string Half = StringRef(*Said).trim().str();
  runtime::parseCosts(Half + "," + Half, Read);
  return Read.Unrecorded;
}

CallCosts mean(const CallCosts &A, const CallCosts &B) {
  if (!A.Launch || !B.Launch)
    return {};
  return {(A.Launch + B.Launch) / 2, (A.Wait + B.Wait) / 2};
}

/// In turn, because processes differ.
MeasuredCosts measureAll(const std::string &Runtime) {
  llvm::Expected<TemporaryFolder> Folder = TemporaryFolder::make();
  if (!Folder) {
    llvm::consumeError(Folder.takeError());
    return {};
  }
  // The driver keeps no compiled kernel of ours in the user's home.
  const Variables Plain = {{"CUDA_CACHE_DISABLE", "1"}};
  Variables Recorded =
      recorderVariables(Runtime, Folder->path() + "/trace", "full");
  Recorded.insert(Plain.begin(), Plain.end());
  MeasuredCosts Result;
  const CallCosts First = measure(Plain);
  if (First.Launch) {
    const CallCosts FirstRecorded = measure(Recorded);
    Result.Unrecorded = mean(First, measure(Plain));
    Result.Recorded = mean(FirstRecorded, measure(Recorded));
  }
  // Without CUPTI nothing was recorded.
  constexpr uint64_t LeastAddedNs = 100;
  if (Result.Recorded.Launch < Result.Unrecorded.Launch + LeastAddedNs)
    return {};
  return Result;
}

} // namespace

MeasuredCosts cli::recorderCosts(const std::string &Runtime) {
  MeasuredCosts Costs;
  const char *Preset = getenv(Variable);
  const StringRef Wanted = Preset ? Preset : "";
  if (Wanted == "off" || runtime::parseCosts(Wanted.str(), Costs))
    return Costs;
  const bool IsForced = Wanted == "measure";
  const std::string Machine = describeMachine();
  if (Machine.empty() && !IsForced)
    return {};
  const std::string Cache = Machine.empty() ? "" : cacheFile(Machine);
  if (!IsForced && !Cache.empty() &&
      runtime::parseCosts(StringRef(contentOf(Cache)).trim().str(), Costs))
    return Costs;
  if (isFurtherRank())
    return {};
  llvm::errs() << "autoprof: measuring what recording costs on this machine, "
                  "which is done once\n";
  Costs = measureAll(Runtime);
  if (!Costs.isKnown())
    return {};
  keep(Cache, Costs);
  return Costs;
}
