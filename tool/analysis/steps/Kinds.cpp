// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/steps/Kinds.h"

#include "analysis/common/Sorting.h"
#include "analysis/common/Statistics.h"
#include "analysis/steps/Anchors.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::None;
using trace::Timeline;

namespace {

constexpr size_t FewestSteps = 3, MostKinds = 5;

/// How often each word occurs; sorted by word.
using Work = std::vector<std::pair<uint32_t, uint32_t>>;

/// Steps that do exactly the same.
struct Group {
  Work Done;
  std::vector<uint32_t> Steps; ///< Of those that count.
  uint32_t From = 0, To = 0;   ///< The first one's elements.
  int64_t Total = 0;           ///< ns

  double mean() const { return double(Total) / double(Steps.size()); }
};

struct Cluster {
  const Group *Lead; ///< The largest group.
  std::vector<uint32_t> Steps;
  int64_t Total = 0; ///< ns
  bool IsRest = false;

  void add(const Group &G) {
    llvm::append_range(Steps, G.Steps);
    Total += G.Total;
  }
};

bool haveSameWords(const Work &A, const Work &B) {
  return std::equal(
      A.begin(), A.end(), B.begin(), B.end(),
      [](const auto &A, const auto &B) { return A.first == B.first; });
}

class Finder {
  const Timeline &T;
  const Attribution &A;
  const Steps &S;
  const std::vector<Wait> &Waits;
  const Sequences All;
  std::vector<int64_t> Times; ///< ns, by step that counts; -1: not known.
  int64_t Total = 0;          ///< ns, of those that are known.
  std::map<Work, Group> Groups;
  std::vector<Cluster> Clusters;
  std::vector<uint32_t> ClusterOf; ///< By step; None: its time is not known.

  const Step &step(size_t I) const { return S.List[S.WarmUp + I]; }
  template <typename Function> void forEachElement(Function Use) const;
  void readTimes();
  void readWork();
  bool isOther(const Group &Lead, const Group &G) const;
  void cluster();
  void keepLargest(std::vector<Cluster> Rest);
  void describe(std::vector<StepKind> &Kinds) const;
  StepKind summarize(const Cluster &C) const;
  PlacedWork workOf(uint32_t Site, uint32_t Word) const;

public:
  Finder(const Timeline &T, const Attribution &A, const Steps &S,
         const std::vector<Wait> &Waits)
      : T(T), A(A), S(S), Waits(Waits), All(readSequences(T)) {}
  std::vector<StepKind> run();
};

void Finder::readTimes() {
  auto DoneAt = [&](size_t I) {
    const int64_t End = S.List[I].End;
    return S.LastOps.empty() ? End : std::max(End, T.Ops.End[S.LastOps[I]]);
  };
  int64_t Done = S.WarmUp ? DoneAt(S.WarmUp - 1) : S.List.front().Start;
  for (size_t I = S.WarmUp; I < S.List.size(); ++I) {
    const int64_t Before = Done;
    Done = std::max(Done, DoneAt(I));
    Times.push_back(!S.List[I].TimeKnown ? -1
                    : S.FromGpu          ? Done - Before
                                         : S.List[I].Time);
    Total += std::max<int64_t>(0, Times.back());
  }
}

/// Calls `Use` with each element of the sequence, and its step.
template <typename Function> void Finder::forEachElement(Function Use) const {
  const int64_t From =
      S.WarmUp ? S.List[S.WarmUp - 1].End : S.List.front().Start;
  size_t I = 0;
  for (const Element &E : All.All) {
    const int64_t At = T.Host.Start[E.Call];
    // What a function's caller does after a run belongs to the next one, like
    // the time that it takes.
    while (I < S.measured() && step(I).End <= At)
      ++I;
    if (I == S.measured())
      break;
    if (At >= From)
      Use(E, uint32_t(I));
  }
}

void Finder::readWork() {
  std::vector<std::map<uint32_t, uint32_t>> Counts(S.measured());
  std::vector<uint32_t> Ends(S.measured());
  forEachElement([&](const Element &E, uint32_t I) {
    ++Counts[I][E.Word];
    Ends[I] = uint32_t(&E - All.All.data()) + 1;
  });
  for (uint32_t I = 0; I < Counts.size(); ++I) {
    if (Times[I] < 0)
      continue;
    Work Done(Counts[I].begin(), Counts[I].end());
    Group &G = Groups[Done];
    if (G.Steps.empty()) {
      G.To = G.From = Ends[I];
      for (auto [Word, Count] : Done)
        G.From -= Count;
    }
    G.Done = std::move(Done);
    G.Steps.push_back(I);
    G.Total += Times[I];
  }
}

/// Whether steps that are similar are of another kind nevertheless.
bool Finder::isOther(const Group &Lead, const Group &G) const {
  if (G.Steps.size() < FewestSteps || haveSameWords(Lead.Done, G.Done))
    return false;
  const double Difference =
      std::abs(G.mean() - Lead.mean()) * double(G.Steps.size());
  return 100 * Difference >= double(Total);
}

void Finder::cluster() {
  std::vector<const Group *> Sorted;
  for (const auto &[Key, G] : Groups)
    Sorted.push_back(&G);
  llvm::sort(Sorted, [](const Group *A, const Group *B) {
    return std::pair(B->Steps.size(), A->Steps.front()) <
           std::pair(A->Steps.size(), B->Steps.front());
  });
  // Steps may differ in countless ways.
  constexpr size_t MostTried = 32;
  std::vector<Cluster> Rest;
  std::vector<Comparer> Leads; ///< Of the clusters.
  for (const Group *G : Sorted) {
    Cluster *Best = nullptr;
    double Most = TypicalPart;
    for (size_t C = 0; C < Clusters.size(); ++C)
      if (const double Alike = Leads[C].alike(G->From, G->To);
          Alike >= Most && !isOther(*Clusters[C].Lead, *G)) {
        Most = Alike;
        Best = &Clusters[C];
      }
    if (!Best && Clusters.size() < MostTried) {
      Counts Lead(All.Words.size());
      for (auto [Word, Count] : G->Done)
        Lead[Word] = Count;
      Leads.emplace_back(std::move(Lead), All.All);
      Best = &Clusters.emplace_back(Cluster{G, {}});
    }
    if (!Best)
      Best = &Rest.emplace_back(Cluster{G, {}});
    Best->add(*G);
  }
  keepLargest(std::move(Rest));
}

/// What is not one of the largest kinds is the rest.
void Finder::keepLargest(std::vector<Cluster> Rest) {
  largestFirst(Clusters, &Cluster::Total);
  std::vector<Cluster> Kept;
  for (Cluster &C : Clusters) {
    const bool IsKind =
        C.Steps.size() >= FewestSteps && Kept.size() < MostKinds;
    (IsKind ? Kept : Rest).push_back(std::move(C));
  }
  Clusters = std::move(Kept);
  if (Rest.empty())
    return;
  Cluster Sum{Rest.front().Lead, {}, 0, /*IsRest=*/true};
  for (const Cluster &C : Rest) {
    llvm::append_range(Sum.Steps, C.Steps);
    Sum.Total += C.Total;
  }
  Clusters.push_back(std::move(Sum));
}

/// One in how many steps it is, if that is regular.
std::optional<size_t> intervalOf(llvm::ArrayRef<uint32_t> Steps) {
  std::vector<int64_t> Distances;
  for (size_t I = 1; I < Steps.size(); ++I)
    Distances.push_back(int64_t(Steps[I]) - Steps[I - 1]);
  if (Distances.size() + 1 < FewestSteps)
    return std::nullopt;
  const int64_t Usual = median(Distances);
  const size_t Regular = size_t(llvm::count(Distances, Usual));
  return Usual >= 2 && 10 * Regular >= 9 * Distances.size()
             ? std::optional(size_t(Usual))
             : std::nullopt;
}

StepKind Finder::summarize(const Cluster &C) const {
  StepKind K;
  std::vector<uint32_t> Sorted = C.Steps;
  llvm::sort(Sorted);
  K.Steps = Sorted.size();
  K.First = S.WarmUp + Sorted.front();
  K.IsRest = C.IsRest;
  K.Total = C.Total;
  if (!K.IsRest)
    K.Every = intervalOf(Sorted);
  std::vector<int64_t> Each;
  for (uint32_t I : Sorted)
    Each.push_back(Times[I]);
  K.Median = median(std::move(Each));
  return K;
}

PlacedWork Finder::workOf(uint32_t Site, uint32_t Word) const {
  const analysis::Word &W = All.Words[Word];
  return {Site, W.Text, W.Kind == Word::Kernel};
}

/// What only the steps of one kind do, and in which calls they wait.
void Finder::describe(std::vector<StepKind> &Kinds) const {
  struct Place {
    std::vector<uint32_t> In; ///< Steps that have it, by cluster.
    uint32_t Last = None;     ///< The last of these steps.
    int64_t Time = 0;         ///< ns, in the calls.
  };
  std::map<std::pair<uint32_t, uint32_t>, Place> Places; // Site, word.
  forEachElement([&](const Element &E, uint32_t I) {
    if (ClusterOf[I] == None)
      return;
    Place &P = Places[{A.Site[E.Call], E.Word}];
    P.In.resize(Kinds.size());
    P.In[ClusterOf[I]] += P.Last != I;
    P.Last = I;
    P.Time += T.Host.End[E.Call] - T.Host.Start[E.Call];
  });
  constexpr size_t MostShown = 3;
  for (size_t K = 0; K < Kinds.size() && !Kinds[K].IsRest; ++K) {
    std::vector<std::pair<int64_t, PlacedWork>> Own;
    for (const auto &[Key, P] : Places) {
      bool IsOwn = 2 * P.In[K] >= Kinds[K].Steps;
      for (size_t Other = 0; Other < Kinds.size(); ++Other)
        IsOwn &= Other == K || Kinds[Other].IsRest ||
                 100 * P.In[Other] <= Kinds[Other].Steps;
      if (IsOwn)
        Own.emplace_back(-P.Time, workOf(Key.first, Key.second));
    }
    llvm::stable_sort(Own, llvm::less_first());
    for (auto &[Time, Work] : llvm::ArrayRef(Own).take_front(MostShown))
      Kinds[K].Own.push_back(Work);
  }
}

std::vector<StepKind> Finder::run() {
  readTimes();
  readWork();
  cluster();
  ClusterOf.assign(S.measured(), None);
  std::vector<StepKind> Kinds;
  for (const Cluster &C : Clusters) {
    for (uint32_t I : C.Steps)
      ClusterOf[I] = uint32_t(Kinds.size());
    Kinds.push_back(summarize(C));
  }
  // A few odd steps that cost nothing are not worth a table.
  if (Kinds.size() < 2 || (Kinds.size() == 2 && Kinds.back().IsRest &&
                           100 * Kinds.back().Total < Total))
    return {};
  size_t I = 0;
  for (const Wait &W : Waits) {
    while (I < S.measured() && step(I).End <= W.Start)
      ++I;
    if (I < S.measured() && ClusterOf[I] != None && W.Start >= step(0).Start)
      Kinds[ClusterOf[I]].Waited += W.length();
  }
  describe(Kinds);
  return Kinds;
}

} // namespace

std::vector<StepKind>
autoprof::analysis::findKinds(const Timeline &T, const Attribution &A,
                              const Steps &S, const std::vector<Wait> &Waits) {
  return S.measured() < 2 * FewestSteps ? std::vector<StepKind>()
                                        : Finder(T, A, S, Waits).run();
}
