// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Format.h"
#include "report/catalogue/Calibration.h"
#include "report/catalogue/Calls.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::catalogue;
using llvm::StringRef;

std::vector<CalibrationGroup> report::byLibrary(const Semantics &S) {
  std::set<const Observation *> Different;
  for (const Difference &D : differences(S))
    Different.insert(D.O);
  using ByCall = llvm::MapVector<StringRef, std::vector<CalibrationRow>>;
  llvm::MapVector<StringRef, ByCall> Libraries;
  for (const Observation &O : S.Observations) {
    if (!O.Error.empty())
      continue;
    const Row *General = lookup(O.Call);
    StringRef Library = General ? libraryTitle(General->Library) : "";
    Libraries[Library][O.Call].push_back(
        {&O, verdict(O, S.QueuedNs), Different.count(&O) > 0});
  }
  std::vector<CalibrationGroup> Result;
  for (auto &[Library, Calls] : Libraries) {
    Result.push_back({Library, {}});
    for (auto &[Call, Rows] : Calls)
      Result.back().Rows.insert(Result.back().Rows.end(), Rows.begin(),
                                Rows.end());
  }
  std::stable_partition(
      Result.begin(), Result.end(),
      [](const CalibrationGroup &G) { return !G.Library.empty(); });
  return Result;
}

std::vector<std::string> report::aboutCalibration(const Semantics &S) {
  std::string First = "Measured on " + machine(S);
  if (!S.ComputeCapability.empty())
    First += ", compute capability " + S.ComputeCapability;
  if (!S.Host.empty())
    First += ", " + S.Host;
  if (!S.Made.empty())
    First += ", " + S.Made;
  std::vector<std::string> Result = {First + "."};
  if (S.QueueDepth)
    Result.push_back("A launch waits for a free slot after " +
                     count(uint64_t(*S.QueueDepth)) + " others.");
  if (S.PageableMemoryAccess)
    Result.push_back(*S.PageableMemoryAccess
                         ? "The GPU reads pageable memory by itself."
                         : "The GPU cannot read pageable memory by itself.");
  size_t Foreign = llvm::count_if(S.Observations, [](const Observation &O) {
    return !lookup(O.Call) || !O.Foreign.empty();
  });
  if (Foreign)
    Result.push_back(
        "Calls or arguments unknown to this version's catalogue: " +
        count(Foreign) + "; they are not used.");
  return Result;
}

std::vector<std::string> report::machineConstants(const Semantics &S) {
  std::vector<std::string> Result;
  for (const CopyRate &R : copyRates(S.Machine))
    Result.push_back(
        fmt::format("Copies {} {} memory: {:.3g} GB/s, and {} each.",
                    R.ToDevice ? "to the GPU from" : "to the host, into",
                    memoryName(R.Pinned).str(), double(R.BytesPerSecond) / 1e9,
                    duration(R.Fixed)));
  for (const PauseTime &P : S.Machine.Pauses)
    Result.push_back(
        fmt::format("Pauses between {}{}: median {}, a tenth below {}.",
                    P.ChangesEngine ? "a kernel and a copy" : "kernels",
                    P.Events == 0   ? ""
                    : P.Events == 1 ? " with an event between"
                                    : " with several events between",
                    duration(P.Median), duration(P.Short)));
  return Result;
}

std::vector<std::string> report::notMeasured(const Semantics &S) {
  std::vector<std::string> Result;
  for (const Observation &O : S.Observations)
    if (!O.Error.empty())
      Result.push_back(callAndArguments(O) + ": " + O.Error);
  return Result;
}

std::vector<std::string> report::skippedLibraries(const Semantics &S) {
  std::vector<std::string> Result;
  for (const SkippedLibrary &L : S.Skipped)
    Result.push_back((libraryTitle(L.Library) + ": " + L.Reason).str());
  return Result;
}

StringRef report::verdictWord(const std::optional<Verdict> &Says) {
  if (!Says)
    return "?";
  return mayWait(Says->Wait) ? name(Says->Target) : name(Says->Wait);
}
