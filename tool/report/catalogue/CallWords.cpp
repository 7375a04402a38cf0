// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Format.h"
#include "report/catalogue/Calls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::catalogue;

llvm::StringRef report::phrase(WaitsFor W) {
  constexpr llvm::StringLiteral Phrases[] = {"", "its stream", "the event",
                                             "the whole device"};
  return Phrases[unsigned(W)];
}

std::vector<const Semantics *>
report::calibrations(const Semantics *Calibration) {
  std::vector<const Semantics *> Result;
  if (Calibration)
    Result.push_back(Calibration);
  for (const Semantics &S : shipped())
    Result.push_back(&S);
  return Result;
}

std::string report::outcome(Waits W, WaitsFor Target) {
  switch (W) {
  case Waits::No:
    return "does not wait";
  case Waits::Yes:
    return "waits for " + phrase(Target).str();
  case Waits::Maybe:
    return "may wait for " + phrase(Target).str();
  case Waits::Slow:
    return "does not wait for the GPU, but takes long on the CPU";
  }
  return "";
}

std::string report::summary(const Row &General) {
  std::string Result = "It " + outcome(General.Wait, General.Target);
  if (!General.Reason.empty())
    Result += " (" + General.Reason.str() + ")";
  return Result + ".";
}

/// Whether one of its rows waits for a stream.
static bool waitsForStream(const Row &General) {
  return General.Target == WaitsFor::Stream ||
         llvm::any_of(conditional(General), [](const Row &R) {
           return R.Target == WaitsFor::Stream;
         });
}

std::vector<std::string> report::callNotes(const CallInput &Call) {
  std::vector<std::string> Result;
  if (waitsForStream(Call.General))
    Result.push_back(
        "Its stream is the one it is given, or else the default stream. The "
        "legacy default stream comes after the work of all blocking streams, "
        "not of non-blocking ones.");
  if (Call.General.Class == CallClass::Launch)
    Result.push_back(
        "If the stream's queue is full, a launch blocks until an earlier "
        "operation has finished (measured: H200, after about 1,000 launches; "
        "queue_depth in calibrations, docs/calibrate.md). The CPU is "
        "then as far ahead as it can be, which is not a problem.");
  return Result;
}

std::string report::insteadText(const CallInput &Call) {
  if (Call.InPython)
    return ("In PyTorch: " + Call.InPython->Advice + ".").str();
  if (!Call.General.Replacement.empty())
    return ("Instead: " + Call.General.Replacement + ".").str();
  return "";
}

std::string report::whatDecides(const Row &General) {
  std::string Result;
  for (llvm::StringRef Part : llvm::split(General.DecidedBy, ", ")) {
    auto [About, Parameter] = Part.split('=');
    if (!Result.empty())
      Result += ", ";
    bool InWords = About == catalogue::name(Fact::Flag) ||
                   About == catalogue::name(Fact::PointerMode);
    Result +=
        InWords ? Parameter.str() : (About + " (" + Parameter + ")").str();
  }
  return Result;
}

llvm::StringRef report::arguments(const Observation &O) {
  return O.Arguments.empty() ? O.Call : O.Arguments;
}

std::string report::callAndArguments(const Observation &O) {
  return O.Arguments.empty() ? O.Call : O.Call + ", " + O.Arguments;
}

std::string report::waitedOf(llvm::ArrayRef<Seen> Observations) {
  size_t Known = 0, Waited = 0;
  for (const Seen &S : Observations)
    if (S.Says) {
      ++Known;
      Waited += mayWait(S.Says->Wait);
    }
  if (!Known)
    return "";
  return std::to_string(Waited) + " of " + std::to_string(Known) + " waited";
}

std::string report::hostTime(std::optional<int64_t> Ns) {
  // 99.96 us would read as 100.0 us.
  if (Ns && *Ns >= 100 && *Ns < 99'950)
    return fmt::format("{:.1f} us", double(*Ns) / 1000);
  return duration(Ns);
}

std::vector<Difference> report::differencesOf(const CallInput &Call) {
  std::vector<Difference> Result;
  if (Call.Calibration)
    for (Difference &D : differences(*Call.Calibration))
      if (lookup(D.O->Call) == &Call.General)
        Result.push_back(std::move(D));
  return Result;
}

std::string report::contrast(const Difference &D) {
  const Answer &Said = D.BuiltIn;
  std::string Result = "measured: " + outcome(D.Seen.Wait, D.Seen.Target) +
                       "; built in: " + outcome(Said.Wait, Said.Target);
  if (!Said.Reason.empty())
    Result += ", " + Said.Reason;
  return Result + " (" + Said.Source + ")";
}

std::vector<Disagreement> report::disagreementsOf(llvm::StringRef Name) {
  std::vector<Disagreement> Result;
  for (const Disagreement &D : disagreements())
    if (D.Name == Name)
      Result.push_back(D);
  return Result;
}
