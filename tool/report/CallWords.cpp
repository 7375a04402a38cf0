// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Calls.h"
#include "report/Format.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

#include <cmath>

using namespace autoprof;
using namespace autoprof::catalogue;

llvm::StringRef report::phrase(WaitsFor W) {
  switch (W) {
  case WaitsFor::Stream:
    return "its stream";
  case WaitsFor::Event:
    return "the event";
  case WaitsFor::Device:
    return "the whole device";
  case WaitsFor::Nothing:
    break;
  }
  return "";
}

std::string report::outcome(const Row &R) {
  switch (R.Wait) {
  case Waits::No:
    return "does not wait";
  case Waits::Yes:
    return "waits for " + phrase(R.Target).str();
  case Waits::Maybe:
    return "may wait for " + phrase(R.Target).str();
  case Waits::Slow:
    return "does not wait for the GPU, but takes long on the CPU";
  }
  return "";
}

std::string report::summary(const Row &General) {
  std::string Result = "It " + outcome(General);
  if (!General.Why.empty())
    Result += " (" + General.Why.str() + ")";
  return Result + ".";
}

std::string report::whatDecides(const Row &General) {
  std::string Result;
  for (llvm::StringRef Part : llvm::split(General.DecidedBy, ", ")) {
    auto [About, Where] = Part.split('=');
    if (!Result.empty())
      Result += ", ";
    bool InWords = About == catalogue::name(Fact::Flag) ||
                   About == catalogue::name(Fact::PointerMode);
    Result += InWords ? Where.str() : (About + " (" + Where + ")").str();
  }
  return Result;
}

llvm::StringRef report::arguments(const Measurement &M) {
  llvm::StringRef What = M.What;
  if (What.consume_front(M.Name) && What.consume_front(" ") && !What.empty())
    return What;
  return M.What;
}

std::string report::machine() {
  return (Measurement::Gpu + ", driver " + Measurement::Driver + ", CUDA " +
          Measurement::Cuda)
      .str();
}

std::string report::hostTime(double Microseconds) {
  // Measured to a tenth of a microsecond.
  if (Microseconds < 1000)
    return fmt::format("{:.1f} us", Microseconds);
  return duration(int64_t(std::llround(Microseconds * 1000)));
}

std::vector<std::string> report::differences(llvm::StringRef Name) {
  std::vector<std::string> Result;
  for (const Disagreement &D : disagreements())
    if (D.Name == Name)
      Result.push_back(
          ("Documented: " + D.Documented + " Measured: " + D.Measured).str());
  return Result;
}
