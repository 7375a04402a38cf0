// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/findings/Scene.h"

#include "analysis/common/Sorting.h"

#include <algorithm>
#include <tuple>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::Timeline;

namespace {

std::vector<uint32_t> opsThatEndIn(const Timeline &T, const trace::Window &W) {
  std::vector<uint32_t> Result;
  for (uint32_t I = 0; I < T.Ops.size(); ++I)
    if (T.Ops.End[I] > W.Start && T.Ops.End[I] <= W.End)
      Result.push_back(I);
  return Result;
}

trace::Window hostWindow(const Timeline &T, const Result &R) {
  return R.InSteps ? R.InSteps->Host : trace::Window{T.begin(), T.end()};
}

trace::Window gpuWindow(const Timeline &T, const Result &R) {
  return R.InSteps ? R.InSteps->Gpu : trace::Window{T.begin(), T.end()};
}

} // namespace

Scene::Scene(const Timeline &T, const Result &R)
    : T(T), R(R), InSteps(R.InSteps.has_value()),
      Steps(InSteps ? R.InSteps->Count : 1), Host(hostWindow(T, R)),
      Gpu(gpuWindow(T, R)), HostTime(Host.End - Host.Start -
                                     T.Recorded.missing(Host.Start, Host.End)),
      Span(R.Used.Time), Ops(opsThatEndIn(T, Gpu)) {}

std::string Scene::share(int64_t Ns) const {
  return percent(double(Ns), double(Span)) +
         (InSteps ? " of the steps' time" : " of the GPU's span");
}

std::vector<Finding> autoprof::analysis::findFindings(const Timeline &T,
                                                      const Result &R) {
  if (!R.Used.Time)
    return {};
  const Scene S(T, R);
  std::vector<Finding> All;
  auto Run = [&](llvm::StringRef Name, auto Find) {
    std::vector<Finding> Found;
    Find(S, Found);
    for (Finding &F : Found) {
      F.Rule = Name;
      All.push_back(std::move(F));
    }
  };
#define FINDING(FIND, NAME, PURPOSE) Run(NAME, FIND);
#include "analysis/findings/Findings.def"
#undef FINDING
  largestFirst(All,
               [](const Finding &A) { return std::tuple(A.Severity, A.Cost); });
  return All;
}
