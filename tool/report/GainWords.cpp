// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/GainWords.h"

#include "analysis/common/Words.h"
#include "report/Format.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using autoprof::analysis::ExpectedGain;

std::string GainWords::text() const {
  std::string Result = Amount;
  if (!Share.empty())
    Result += ", " + Share;
  if (!Caveat.empty())
    Result += " (" + Caveat + ")";
  return Result;
}

GainWords report::gainWords(const ExpectedGain &Gain,
                            llvm::StringRef NotReplayed, bool LaunchBound) {
  if (Gain.Recorded && !Gain.Saved.High)
    return {"nothing", "", ""};
  const std::string Per = std::string(Gain.PerStep ? " per step" : "") +
                          (Gain.Recorded ? " in the recorded run" : "");
  const char *Scope = !Gain.PerStep   ? " of the GPU's span"
                      : Gain.Recorded ? " of the recorded step"
                                      : "";
  const auto Share = [&](int64_t Ns) {
    return percent(double(Ns), double(Gain.Whole)) + Scope;
  };
  const char *Caveat = LaunchBound ? "may be more: launch-bound" : "";
  if (!NotReplayed.empty())
    return {"at most " + duration(Gain.Saved.High) + Per,
            Share(Gain.Saved.High), "not replayed: " + NotReplayed.str()};
  if (!Gain.Recorded && !Gain.isMeasurable())
    return {analysis::noMeasurableGain(Gain.Saved.Middle, Gain.Saved.High, Per),
            "", ""};
  return {fmt::format("about {}{} ({})", duration(Gain.Saved.Middle), Per,
                      analysis::gainInterval(Gain.Saved.Low, Gain.Saved.High)),
          Share(Gain.Saved.Middle), Caveat};
}
