// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/catalogue/Calibration.h"

#include "catalogue/SemanticsJson.h"
#include "report/Format.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::catalogue;

namespace {

/// Sentences about machine and file.
std::vector<std::string> about(const Semantics &S) {
  std::string First = "Measured on " + machine(S);
  if (!S.ComputeCapability.empty())
    First += ", compute capability " + S.ComputeCapability;
  if (!S.Host.empty())
    First += ", " + S.Host;
  if (!S.Made.empty())
    First += ", " + S.Made;
  std::vector<std::string> Result = {First + "."};
  const size_t Foreign =
      llvm::count_if(S.Observations, [](const Observation &O) {
        return !lookup(O.Call) || !O.Foreign.empty();
      });
  if (!S.Observations.empty())
    Result.push_back(
        fmt::format("It also has {} observations of single calls, which "
                    "'autoprof explain --semantics' shows by call{}.",
                    count(S.Observations.size()),
                    Foreign ? "; " + count(Foreign) +
                                  " with calls or arguments unknown to this "
                                  "version's catalogue are not used"
                            : ""));
  return Result;
}

std::vector<std::string> constants(const Semantics &S) {
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
  if (Result.empty())
    Result.push_back("Copies and pauses were not measured.");
  return Result;
}

} // namespace

Document report::calibrationDocument(const Semantics &S, const TextStyle &) {
  Document D;
  D.Title = "Copies and pauses of this machine";
  for (const std::string &Sentence : about(S))
    D.Answer.say(Sentence);
  List Constants;
  for (const std::string &Line : constants(S))
    Constants.Items.push_back(Line);
  D.section("Copies and pauses").add(std::move(Constants));
  return D;
}

void report::writeCalibrationJson(llvm::raw_ostream &Out, const Semantics &S,
                                  const TextStyle &) {
  writeSemantics(S, Out);
}
