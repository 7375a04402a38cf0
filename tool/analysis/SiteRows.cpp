// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Stages.h"

#include "analysis/common/Statistics.h"
#include "analysis/waits/RunAhead.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::HostKind;
using trace::None;
using trace::Timeline;

namespace {

/// What is collected for one group of calls (see groupOf).
struct CallGroup {
  uint64_t Count = 0;
  int64_t HostTime = 0, First = 0; ///< ns
  std::vector<uint32_t> Waits;
  bool WouldWait = false; ///< If an earlier wait were left out.
};

/// Sites are counted by their slices; calls without a site, one by one.
std::vector<CallGroup> countGroups(const Timeline &T, const Attribution &A,
                                   const WaitList &List) {
  const trace::HostEvents &H = T.Host;
  std::vector<CallGroup> Groups(numGroups(T));
  for (uint32_t I = 0; I < H.size(); ++I) {
    uint32_t G = None;
    if (H.Kind[I] == HostKind::Site)
      G = H.Site[I];
    else if (A.Outer[I] == I && (A.Site[I] == None || A.IsByStack[I]))
      G = groupOf(T, A, I);
    if (G == None)
      continue;
    if (!Groups[G].Count++)
      Groups[G].First = H.Start[I];
    Groups[G].HostTime += H.End[I] - H.Start[I];
  }
  for (uint32_t W = 0; W < List.Waits.size(); ++W)
    Groups[groupOf(T, A, List.Waits[W].Call)].Waits.push_back(W);
  for (const Wait &W : List.Latent)
    Groups[groupOf(T, A, W.Call)].WouldWait |= W.Certain;
  return Groups;
}

/// Whether the calls of this name allocate or free.
bool isAllocation(llvm::StringRef Call) {
  const catalogue::Row *Known = catalogue::lookup(Call);
  return Known && (Known->Class == catalogue::CallClass::Alloc ||
                   Known->Class == catalogue::CallClass::Free);
}

/// Calls without a site are listed if they waited or would wait in the place of
/// others, if they allocate, or, if all that is unknown, if they may have
/// waited: a light recording has nothing else.
bool isListed(const Timeline &T, uint32_t G, const CallGroup &Calls,
              bool WaitsKnown) {
  if (!Calls.Waits.empty() || Calls.WouldWait)
    return true;
  if (!WaitsKnown)
    return Calls.Count > 0;
  // A framework has hundreds of operators that only launch.
  if (G < T.Sites.size() && T.Sites[G].isOperator())
    return false;
  if (!Calls.Count)
    return false;
  if (G >= T.Sites.size())
    return isAllocation(T.Strings[G - T.Sites.size()]);
  // Stacks of launches are taken for the pauses before and after them.
  const trace::Site &S = T.Sites[G];
  const bool IsByStack = !S.Id && S.Kind.empty();
  const catalogue::Row *Known =
      IsByStack ? catalogue::lookup(S.Callee) : nullptr;
  return !Known || catalogue::mayWait(Known->Wait);
}

/// `Ahead`: when each wait began.
void fillWaits(SiteRow &Row, const CallGroup &G, const std::vector<Wait> &Waits,
               const std::vector<RunAhead> &Ahead, const Result &R) {
  std::vector<int64_t> Lengths, Leads, Depths;
  int64_t Sum = 0, Stall = 0;
  if (R.InSteps)
    Row.Steps.emplace();
  for (uint32_t W : G.Waits) {
    if (R.InSteps) {
      Row.Steps->Waits += R.InSteps->WaitOf[W] > 0;
      Row.Steps->Wait += R.InSteps->WaitOf[W];
      Row.Steps->Exposed += R.InSteps->ExposedOf[W];
    }
    Lengths.push_back(Waits[W].length());
    Sum += Waits[W].length();
    Stall += R.Stalls.OfWait[W];
    Depths.push_back(Ahead[W].Depth);
    Leads.push_back(Ahead[W].Lead);
  }
  Row.Waits = G.Waits.size();
  if (Lengths.size() < G.Count)
    Lengths.resize(G.Count, 0); // Times it did not wait.
  Row.Wait = Sum;
  Row.Exposed = Stall;
  Row.WaitP95 = quantile(Lengths, 0.95);
  Row.WaitMedian = median(std::move(Lengths));
  if (!G.Waits.empty()) {
    Row.LongestWait = *std::max_element(
        G.Waits.begin(), G.Waits.end(), [&](uint32_t A, uint32_t B) {
          return Waits[A].length() < Waits[B].length();
        });
    Row.DepthMedian = double(median(std::move(Depths)));
    Row.LeadMedian = median(std::move(Leads));
  }
}

size_t stepsBegun(const Steps &S, int64_t At) {
  if (!S.List.empty() && At >= S.List.back().End)
    return S.List.size() + 1;
  return size_t(llvm::partition_point(
                    S.List, [At](const Step &One) { return One.Start <= At; }) -
                S.List.begin());
}

SiteRow makeRow(const Timeline &T, uint32_t Index, const CallGroup &G) {
  SiteRow Row;
  Row.Group = Index;
  Row.Count = G.Count;
  Row.HostTime = G.HostTime;
  if (Index < T.Sites.size()) {
    Row.Site = Index;
    Row.Call = T.Sites[Index].Callee;
    Row.Kind = T.Sites[Index].Kind;
  } else {
    Row.Call = T.Strings[Index - T.Sites.size()].str();
  }
  if (Row.Kind.empty()) {
    if (const catalogue::Row *C = catalogue::lookup(Row.Call))
      Row.Kind = catalogue::name(C->Class).str();
    else
      Row.Kind = "other";
  }
  return Row;
}

/// Sorted by cost in the steps, for rows that wait there.
auto rankOf(const SiteRow &Row) {
  const bool Inside = Row.waitsInSteps();
  return std::tuple(Inside, Row.Waits > 0, Row.exposed(Inside),
                    Row.wait(Inside), Row.HostTime);
}

} // namespace

std::vector<SiteRow> autoprof::analysis::listSites(const Timeline &T,
                                                   const Attribution &A,
                                                   const WaitList &List,
                                                   const Result &R) {
  std::vector<RunAheadQuery> Queries;
  for (const Wait &W : List.Waits)
    Queries.push_back({W.Start, W.Device});
  const std::vector<RunAhead> Ahead = sampleRunAhead(T, Queries);
  const std::vector<CallGroup> Groups = countGroups(T, A, List);
  std::vector<SiteRow> Rows;
  for (uint32_t I = 0; I < Groups.size(); ++I) {
    const CallGroup &G = Groups[I];
    if (!isListed(T, I, G, R.WaitsKnown))
      continue;
    SiteRow &Row = Rows.emplace_back(makeRow(T, I, G));
    Row.FirstIn = stepsBegun(
        R.Steps, G.Waits.empty() ? G.First : List.Waits[G.Waits.front()].Start);
    if (R.WaitsKnown)
      fillWaits(Row, G, List.Waits, Ahead, R);
  }
  llvm::sort(Rows, [](const SiteRow &A, const SiteRow &B) {
    return std::pair(rankOf(A), B.Group) > std::pair(rankOf(B), A.Group);
  });
  return Rows;
}
