// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/Run.h"

#include <algorithm>
#include <map>

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

std::vector<RangeInSteps> rangesInSteps(const Timeline &T, const Result &R) {
  std::map<uint32_t, RangeInSteps> Found;
  const trace::HostEvents &H = T.Host;
  for (uint32_t I = 0; R.InSteps && I < H.size(); ++I) {
    if (H.Kind[I] != HostKind::Range || H.Site[I] == None ||
        (R.Steps.Site && T.Sites[H.Site[I]].Id == R.Steps.Site) ||
        H.Start[I] < R.InSteps->Host.Start || H.Start[I] >= R.InSteps->Host.End)
      continue;
    RangeInSteps &Range = Found[H.Site[I]];
    Range.Site = H.Site[I];
    ++Range.Count;
    Range.Time += H.End[I] - H.Start[I];
  }
  std::vector<RangeInSteps> Result;
  for (const auto &[Site, Range] : Found)
    Result.push_back(Range);
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
  S.Table = T.Sites;
  S.Ranges = rangesInSteps(T, R);
  S.FileBytes = T.Unread.FileBytes;
  // Other recorders do not say how the program ended.
  S.CutOff =
      T.isCutOff() && (T.Info.Source.Producer.empty() || T.Unread.BytesDropped);
  S.Limited = T.Recorded.Limited;
  dropTimelines(S.R);
  return S;
}
