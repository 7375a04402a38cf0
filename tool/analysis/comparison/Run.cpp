// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/Run.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::HostKind;
using trace::None;
using trace::Timeline;

namespace {

/// Earliest instants by site, and by name for calls without one.
class Firsts {
  std::map<uint32_t, int64_t> OfSite;
  std::map<llvm::StringRef, int64_t> OfName;

public:
  /// Host events come in order of their start.
  void add(uint32_t Site, llvm::StringRef Name, int64_t Start) {
    if (Site != None)
      OfSite.try_emplace(Site, Start);
    else
      OfName.try_emplace(Name, Start);
  }
  std::optional<int64_t> of(const SiteRow &Row) const {
    if (Row.Site == None) {
      auto It = OfName.find(Row.Call);
      return It == OfName.end() ? std::nullopt : std::optional(It->second);
    }
    auto It = OfSite.find(Row.Site);
    return It == OfSite.end() ? std::nullopt : std::optional(It->second);
  }
};

size_t stepsBegun(const Steps &S, int64_t At) {
  if (!S.List.empty() && At >= S.List.back().End)
    return S.List.size() + 1;
  return size_t(std::upper_bound(
                    S.List.begin(), S.List.end(), At,
                    [](int64_t T, const Step &One) { return T < One.Start; }) -
                S.List.begin());
}

std::vector<size_t> firstSteps(const Timeline &T, const Result &R) {
  Firsts Runs, Waits;
  for (uint32_t I = 0; I < T.Host.size(); ++I)
    if (T.Host.Kind[I] != HostKind::Range)
      Runs.add(T.Host.Site[I], T.Strings[T.Host.Name[I]], T.Host.Start[I]);
  for (const Wait &W : R.Waits)
    Waits.add(W.Site, T.Strings[T.Host.Name[W.Call]], W.Start);
  std::vector<size_t> Result;
  for (const SiteRow &Row : R.Sites) {
    std::optional<int64_t> At = Row.Waits ? Waits.of(Row) : Runs.of(Row);
    Result.push_back(At ? stepsBegun(R.Steps, *At) : 0);
  }
  return Result;
}

AwaitedWork awaitedBy(const Timeline &T, const Wait &W) {
  AwaitedWork Work;
  Work.Operation = T.Strings[T.Stages[T.Ops.Stage[W.LastOp]].Name];
  Work.Scope = W.Scope;
  Work.IsDefaultStream =
      T.Queues[T.Ops.Queue[W.LastOp]].Flag == trace::StreamFlag::Null;
  return Work;
}

/// The most frequent of each row.
std::vector<AwaitedWork> awaited(const Timeline &T, const Result &R) {
  using Key = std::tuple<std::string, WaitScope, bool>;
  std::map<std::pair<uint32_t, llvm::StringRef>, std::map<Key, AwaitedWork>>
      Seen;
  auto KeyOf = [](uint32_t Site, llvm::StringRef Call) {
    return std::pair(Site, Site == None ? Call : "");
  };
  for (const Wait &W : R.Waits) {
    AwaitedWork Work = awaitedBy(T, W);
    ++Seen[KeyOf(W.Site, T.Strings[T.Host.Name[W.Call]])]
          .try_emplace({Work.Operation, Work.Scope, Work.IsDefaultStream}, Work)
          .first->second.Waits;
  }
  std::vector<AwaitedWork> Result;
  for (const SiteRow &Row : R.Sites) {
    AwaitedWork MostFrequent;
    size_t All = 0;
    for (const auto &[Unused, Work] : Seen[KeyOf(Row.Site, Row.Call)]) {
      All += Work.Waits;
      if (Work.Waits > MostFrequent.Waits)
        MostFrequent = Work;
    }
    MostFrequent.All = All;
    Result.push_back(std::move(MostFrequent));
  }
  return Result;
}

/// What takes a row for each event of the trace.
void dropTimelines(Result &R) {
  R.Waits = {};
  R.Stalls = {};
  R.Causes = {};
  for (DeviceActivity &D : R.Devices)
    D.Gaps = D.Unknown = {};
  if (R.InSteps)
    R.InSteps->WaitOf = R.InSteps->ExposedOf = {};
}

} // namespace

RunSummary autoprof::analysis::summarise(llvm::StringRef Path,
                                         const Timeline &T, const Result &R) {
  RunSummary S;
  S.Path = Path.str();
  S.Info = T.Info;
  for (const trace::Device &D : T.Devices)
    S.Devices.push_back(D.Name);
  S.R = R;
  for (const SiteRow &Row : R.Sites)
    S.Places.push_back(Row.Site == None ? trace::Site() : T.Sites[Row.Site]);
  S.FirstIn = firstSteps(T, R);
  S.Awaited = awaited(T, R);
  S.Table = T.Sites;
  S.Parts = findStepParts(T, R);
  S.FileBytes = T.Unread.FileBytes;
  // Other recorders do not say how the program ended.
  S.CutOff =
      T.isCutOff() && (T.Info.Source.Producer.empty() || T.Unread.BytesDropped);
  S.Limited = T.Recorded.Limited;
  dropTimelines(S.R);
  return S;
}
