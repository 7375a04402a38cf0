// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/findings/Scene.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

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

std::vector<Work> worksOf(const Timeline &T) {
  std::vector<Work> Result;
  for (const trace::Stage &S : T.Stages)
    Result.push_back(workOf(T, S));
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
      Span(R.Used.Time), Ops(opsThatEndIn(T, Gpu)), Fits(T),
      WorkOfStage(worksOf(T)) {}

int64_t Scene::idle(Cause C) const {
  return (InSteps ? R.InSteps->Gaps : R.Gaps)[unsigned(C)].Total;
}

static std::string numberPerStep(uint64_t Count, uint64_t Steps) {
  return fmt::format("{:.3g}", double(Count) / double(Steps));
}

std::string Scene::share(int64_t Ns) const {
  return percent(double(Ns), double(Span)) +
         (InSteps ? " of the steps' time" : " of the GPU's span");
}

std::string Scene::perStep(uint64_t Count, llvm::StringRef Thing,
                           llvm::StringRef Things) const {
  const std::string Name = (isOne(Count) ? Thing : Things).str();
  return InSteps ? numberPerStep(Count, Steps) + " " + Name + " per step"
                 : count(Count) + " " + Name;
}

bool Scene::isOne(uint64_t Count) const {
  return InSteps ? numberPerStep(Count, Steps) == "1" : Count == 1;
}

llvm::StringRef autoprof::analysis::name(Severity S) {
  return S == Severity::Note ? "note" : "warning";
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
  std::stable_sort(
      All.begin(), All.end(), [](const Finding &A, const Finding &B) {
        return std::tuple(B.Severity, B.Cost) < std::tuple(A.Severity, A.Cost);
      });
  return All;
}
