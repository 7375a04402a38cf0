// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/stalls/HostLines.h"

#include "analysis/common/Sorting.h"
#include "analysis/common/Statistics.h"
#include "analysis/common/Windows.h"
#include "trace/timeline/PythonCode.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::None;
using trace::OpKind;
using trace::ThreadSample;
using trace::ThreadState;
using trace::Timeline;

namespace {

/// When some GPU lacked work because of the CPU, in order, without overlaps.
std::vector<trace::Window> findIdle(const Idling &I, trace::Window Part) {
  std::vector<trace::Window> Idle, Joined;
  forEachGapPart(I, Part.Start, Part.End, [&](const GapPart &G) {
    if (G.Kind == Cause::HostBusy || G.Kind == Cause::LaunchBound)
      Idle.push_back({G.Start, G.End});
  });
  sortBy(Idle, &trace::Window::Start);
  for (const trace::Window &W : Idle)
    append(Joined, W);
  return Joined;
}

/// Between two outermost calls of a thread. A thread that sleeps until another
/// one has fetched a result from the GPU waits for the GPU, although none of
/// its own calls does: float(x) of JAX, a future, a queue. A thread that sleeps
/// while another one launches kernels has handed its work over, as the backward
/// pass of a framework is.
struct ThreadPause {
  trace::Window When;
  /// Work that was queued before the pause was unfinished when it began, and
  /// another thread began to copy to the host, or ended a wait.
  bool Fetches = false;
  bool Launches = false; ///< Another thread launched a kernel or a graph.
};

/// What happens in the program, in order of time.
struct Event {
  enum Kind : uint8_t {
    Begins,  ///< An outermost call of the thread.
    Ends,    ///< The same.
    Queues,  ///< Any thread, an operation that ends at Until.
    Fetches, ///< Another thread.
    Launches ///< Another thread.
  };
  int64_t Time;
  Kind What;
  int64_t Until = 0; ///< ns
};

std::vector<Event> listEvents(const Timeline &T, const Attribution &A,
                              const std::vector<Wait> &Waits, uint32_t Thread) {
  const trace::HostEvents &H = T.Host;
  std::vector<Event> Events;
  for (uint32_t I = 0; I < H.size(); ++I)
    if (H.Thread[I] == Thread && H.isCall(I) && A.Outer[I] == I) {
      Events.push_back({H.Start[I], Event::Begins});
      Events.push_back({H.End[I], Event::Ends});
    }
  for (uint32_t Op : T.LaunchOrder) {
    const uint32_t Call = T.Ops.Launch[Op];
    const trace::Stage &S = T.Stages[T.Ops.Stage[Op]];
    Events.push_back({H.Start[Call], Event::Queues, T.Ops.End[Op]});
    if (H.Thread[Call] == Thread)
      continue;
    if (S.Kind == OpKind::Copy && S.Dir == trace::Direction::DtoH)
      Events.push_back({H.Start[Call], Event::Fetches});
    else if (S.Kind == OpKind::Kernel || S.Kind == OpKind::Graph)
      Events.push_back({H.Start[Call], Event::Launches});
  }
  for (const Wait &W : Waits)
    if (H.Thread[W.Call] != Thread)
      Events.push_back({H.End[W.Call], Event::Fetches});
  sortBy(Events, &Event::Time);
  return Events;
}

/// The pauses of a thread that are one or the other, in order of time.
std::vector<ThreadPause> findPauses(const Timeline &T, const Attribution &A,
                                    const std::vector<Wait> &Waits,
                                    uint32_t Thread) {
  std::vector<ThreadPause> Result;
  int64_t QueuedUntil = std::numeric_limits<int64_t>::min();
  ThreadPause Now;
  bool IsPending = false;
  for (const Event &E : listEvents(T, A, Waits, Thread))
    switch (E.What) {
    case Event::Begins:
      Now.When.End = E.Time;
      if (Now.Fetches || Now.Launches)
        Result.push_back(Now);
      break;
    case Event::Ends:
      Now = {{E.Time, E.Time}};
      IsPending = QueuedUntil > E.Time;
      break;
    case Event::Queues:
      QueuedUntil = std::max(QueuedUntil, E.Until);
      break;
    case Event::Fetches:
      Now.Fetches |= IsPending;
      break;
    case Event::Launches:
      Now.Launches = true;
      break;
    }
  return Result;
}

class Finder {
  const Timeline &T;
  HostLines Result;
  std::map<uint32_t, SleepingLine> Sleeping;               ///< By site.
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> Index; ///< Parent, site.
  /// For each of Timeline::Paths that occurs: its lines in the tree.
  llvm::DenseMap<uint32_t, std::vector<uint32_t>> Lines;

  const std::vector<uint32_t> &linesOf(uint32_t Path);
  void sort();

public:
  explicit Finder(const Timeline &T) : T(T) {}
  void add(const ThreadSample &S, uint64_t Weight, bool IsIdle,
           const ThreadPause *In);
  HostLines take(uint32_t Thread);
};

const std::vector<uint32_t> &Finder::linesOf(uint32_t Path) {
  auto [It, IsNew] = Lines.try_emplace(Path);
  if (!IsNew)
    return It->second;
  uint32_t Parent = None;
  const std::vector<uint32_t> &Sites = T.Paths[Path].Lines;
  const auto Outer = llvm::find(llvm::reverse(Sites), T.Paths[Path].Place);
  const size_t NumOuter = size_t(Outer.base() - Sites.begin());
  for (uint32_t Site : Sites) {
    auto [Place, IsNewLine] =
        Index.try_emplace({Parent, Site}, Result.Tree.size());
    if (IsNewLine)
      Result.Tree.push_back({Site, Parent});
    Parent = Place->second;
    It->second.push_back(Parent);
    if (It->second.size() <= NumOuter)
      Result.Tree[Parent].IsInner = false;
  }
  return It->second;
}

/// `In`: the pause in which other threads did something for it, or null.
void Finder::add(const ThreadSample &S, uint64_t Weight, bool IsIdle,
                 const ThreadPause *In) {
  const bool IsHelped = In && In->Launches;
  const bool IsAsleep = S.State != ThreadState::Running &&
                        S.State != ThreadState::OnTimer && !IsHelped;
  Result.Samples += Weight;
  Result.Idle += IsIdle ? Weight : 0;
  if (S.Path == None)
    return;
  const uint32_t Place = T.Paths[S.Path].Place;
  SleepingLine &At =
      Sleeping.try_emplace(Place, SleepingLine{Place}).first->second;
  At.Samples += Weight;
  if (IsAsleep && In && In->Fetches && S.State == ThreadState::Lock)
    At.Waits += Weight;
  for (uint32_t Line : linesOf(S.Path)) {
    HostLine &L = Result.Tree[Line];
    L.All += Weight;
    L.Samples += IsIdle ? Weight : 0;
    L.Asleep += IsIdle && IsAsleep ? Weight : 0;
  }
}

/// Depth first, the largest child first.
void Finder::sort() {
  std::vector<HostLine> &Tree = Result.Tree;
  std::vector<std::vector<uint32_t>> Children(Tree.size() + 1);
  for (uint32_t I = 0; I < Tree.size(); ++I)
    Children[Tree[I].Parent + 1].push_back(I); // None + 1 is 0.
  for (auto &List : Children)
    llvm::stable_sort(List, [&](uint32_t A, uint32_t B) {
      return Tree[A].Samples < Tree[B].Samples; // The last one is taken first.
    });
  std::vector<HostLine> Sorted;
  std::vector<uint32_t> Open = Children[0], NewPlace(Tree.size());
  while (!Open.empty()) {
    const uint32_t I = Open.back();
    Open.pop_back();
    NewPlace[I] = Sorted.size();
    Sorted.push_back(Tree[I]);
    if (uint32_t &Parent = Sorted.back().Parent; Parent != None)
      Parent = NewPlace[Parent];
    llvm::append_range(Open, Children[I + 1]);
  }
  Tree = std::move(Sorted);
}

HostLines Finder::take(uint32_t Thread) {
  sort();
  Result.Thread = Thread;
  for (const auto &[Site, Line] : Sleeping)
    if (Line.Waits)
      Result.Sleeping.push_back(Line);
  largestFirst(Result.Sleeping, &SleepingLine::Waits);
  return std::move(Result);
}

/// Of the sampled threads that run the user's code, the one with the most
/// launches; if none does, of all; None: none. Of threads of the array library,
/// such as that of a compiled backward pass, the user knows no line.
uint32_t chooseThread(const Timeline &T, llvm::ArrayRef<ThreadSample> Samples) {
  auto IsUsers = [&](uint32_t Site) {
    return trace::ownerOf(T.Sites[Site].File) == trace::CodeOwner::User;
  };
  // Whether it runs the user's code, launches, samples.
  std::map<uint32_t, std::tuple<bool, uint64_t, uint64_t>> Known;
  for (const ThreadSample &S : Samples)
    if (S.Path != None) {
      auto &[RunsUsersCode, Launches, Count] = Known[S.Thread];
      RunsUsersCode |= llvm::any_of(T.Paths[S.Path].Lines, IsUsers);
      ++Count;
    }
  for (uint32_t Op : T.LaunchOrder)
    if (auto It = Known.find(T.Host.Thread[T.Ops.Launch[Op]]);
        It != Known.end())
      ++std::get<1>(It->second);
  auto Most = std::max_element(
      Known.begin(), Known.end(),
      [](const auto &A, const auto &B) { return A.second < B.second; });
  return Most == Known.end() ? None : Most->first;
}

llvm::ArrayRef<ThreadSample> samplesIn(const Timeline &T, trace::Window Part) {
  auto IsBefore = [](const ThreadSample &S, int64_t Time) {
    return S.Time < Time;
  };
  auto From = llvm::lower_bound(T.Samples, Part.Start, IsBefore),
       To = llvm::lower_bound(T.Samples, Part.End, IsBefore);
  return {T.Samples.data() + (From - T.Samples.begin()),
          From < To ? size_t(To - From) : 0};
}

/// What passes evenly from one sample of a thread to the next, ns.
int64_t clockOf(const ThreadSample &S) {
  return S.State == ThreadState::OnTimer ? S.Cpu : S.Time;
}

/// The usual time between two of the thread's samples, ns; at least 1.
int64_t usualInterval(llvm::ArrayRef<ThreadSample> Samples, uint32_t Thread) {
  std::vector<int64_t> Intervals;
  const ThreadSample *Before = nullptr;
  for (const ThreadSample &S : Samples) {
    if (S.Thread != Thread)
      continue;
    if (Before)
      Intervals.push_back(clockOf(S) - clockOf(*Before));
    Before = &S;
  }
  return Intervals.empty() ? 1 : std::max<int64_t>(1, median(Intervals));
}

} // namespace

uint64_t HostLines::samplesAt(const Timeline &T,
                              const trace::Site &Line) const {
  uint64_t Sum = 0;
  std::vector<bool> Inside(Tree.size()); // A parent comes first.
  for (size_t I = 0; I < Tree.size(); ++I) {
    const HostLine &L = Tree[I];
    const trace::Site &S = T.Sites[L.Site];
    const bool IsOuter = L.Parent == None || !Inside[L.Parent];
    Inside[I] = !IsOuter || (S.Line == Line.Line && S.File == Line.File);
    Sum += IsOuter && Inside[I] ? L.All : 0;
  }
  return Sum;
}

double HostLines::error(uint64_t OfLine) const {
  // Of a binomial distribution, as Agresti and Coull (1998) approximate it.
  const double N = double(Samples) + 4, P = (double(OfLine) + 2) / N;
  return 1.96 * std::sqrt(P * (1 - P) / N);
}

std::optional<HostLines>
autoprof::analysis::findHostLines(const Timeline &T, const Attribution &A,
                                  const std::vector<Wait> &Waits,
                                  const Idling &I, trace::Window Part) {
  const llvm::ArrayRef<ThreadSample> Samples = samplesIn(T, Part);
  const uint32_t Thread = chooseThread(T, Samples);
  if (Thread == None)
    return std::nullopt;
  const std::vector<trace::Window> Idle = findIdle(I, Part);
  const std::vector<ThreadPause> Pauses = findPauses(T, A, Waits, Thread);
  const int64_t Usual = usualInterval(Samples, Thread);
  Finder Lines(T);
  auto WeightOf = [&](int64_t Ns) {
    return std::llround(double(Ns) / double(Usual));
  };
  size_t NextIdle = 0, NextPause = 0;
  const ThreadSample *First = nullptr, *Last = nullptr;
  for (const ThreadSample &S : Samples) {
    if (S.Thread != Thread)
      continue;
    while (NextIdle < Idle.size() && Idle[NextIdle].End <= S.Time)
      ++NextIdle;
    while (NextPause < Pauses.size() && Pauses[NextPause].When.End <= S.Time)
      ++NextPause;
    const bool IsPause =
        NextPause < Pauses.size() && Pauses[NextPause].When.Start <= S.Time;
    const int64_t Since = Last ? clockOf(S) - clockOf(*Last) : Usual;
    Lines.add(S, std::max<int64_t>(1, WeightOf(Since)),
              NextIdle < Idle.size() && Idle[NextIdle].Start <= S.Time,
              IsPause ? &Pauses[NextPause] : nullptr);
    if (Last && S.State == ThreadState::OnTimer) {
      ThreadSample Unseen; // The thread slept, somewhere.
      Lines.add(Unseen,
                std::max<int64_t>(0, WeightOf(S.Time - Last->Time - Since)),
                /*IsIdle=*/false, nullptr);
    }
    First = First ? First : &S;
    Last = &S;
  }
  HostLines Result = Lines.take(Thread);
  Result.OnlyRunning = Last->State == ThreadState::OnTimer;
  // From the first to the last sample, as a share of the window.
  if (const int64_t Seen = Last->Time - First->Time; Seen > 0) {
    auto InWindow = [&](int64_t Ns) {
      return int64_t(std::llround(double(Ns) / double(Seen) *
                                  double(Part.End - Part.Start)));
    };
    Result.Ran = InWindow(Last->Cpu - First->Cpu);
    if (First->Delayed && Last->Delayed)
      Result.Delayed = InWindow(*Last->Delayed - *First->Delayed);
  }
  return Result;
}

/// The smaller, the more it says to the user.
static trace::CodeOwner ownerOf(const Timeline &T, const HostLine &L) {
  return trace::ownerOf(T.Sites[L.Site].File);
}

/// A line that passes on more than this is only the way to another one.
constexpr double PassesOn = 0.9;
/// Fewer samples than this say that a line was hit, not how often.
constexpr uint64_t Fewest = 5;

Outline autoprof::analysis::outline(const Timeline &T, const HostLines &H,
                                    double Least) {
  const std::vector<HostLine> &Tree = H.Tree;
  const auto Limit = std::max<uint64_t>(
      Fewest, uint64_t(std::ceil(Least * double(H.Samples))));
  std::vector<uint64_t> Largest(Tree.size()); // Of the children.
  for (const HostLine &L : Tree)
    if (L.Parent != None && !L.IsInner)
      Largest[L.Parent] = std::max(Largest[L.Parent], L.Samples);
  auto IsPassedOn = [&](uint64_t Samples, uint32_t By) {
    return double(Samples) >= PassesOn * double(Tree[By].Samples);
  };
  Outline Result;
  std::vector<uint32_t> Inside(Tree.size()); // Lines shown around it.
  // Where lines only lead to each other, the innermost of the user's is shown
  // for them; if there is none, that of a framework.
  std::vector<uint32_t> ShownAs(Tree.size());
  for (uint32_t I = 0; I < Tree.size(); ++I) {
    const HostLine &L = Tree[I];
    const bool IsRoot = L.Parent == None;
    const uint32_t Depth = IsRoot ? 0 : Inside[L.Parent];
    ShownAs[I] = I;
    if (!IsRoot && IsPassedOn(L.Samples, L.Parent) &&
        ownerOf(T, Tree[ShownAs[L.Parent]]) < ownerOf(T, L))
      ShownAs[I] = ShownAs[L.Parent];
    const bool IsShown = !L.IsInner && L.Samples >= Limit &&
                         !IsPassedOn(Largest[I], I) &&
                         ownerOf(T, Tree[ShownAs[I]]) != trace::CodeOwner::Core;
    Inside[I] = Depth + IsShown;
    if (!IsShown)
      continue;
    Result.Lines.push_back(ShownAs[I]);
    Result.Depths.push_back(Depth);
  }
  return Result;
}

/// The user's lines that one leads to next (None: to all of them), through
/// others' such as a decorator. What is inside of a module of PyTorch is the
/// model's.
static std::vector<uint32_t> usersBelow(const Timeline &T,
                                        const std::vector<HostLine> &Tree,
                                        uint32_t Line) {
  std::vector<uint32_t> Result;
  std::vector<bool> IsWay(Tree.size() + 1); // None + 1 is 0.
  IsWay[Line + 1] = true;
  for (uint32_t I = 0; I < Tree.size(); ++I) { // A parent comes first.
    if (!IsWay[Tree[I].Parent + 1])
      continue;
    if (ownerOf(T, Tree[I]) == trace::CodeOwner::User)
      Result.push_back(I);
    else
      IsWay[I + 1] = !trace::isModuleCall(T.Sites[Tree[I].Site].File);
  }
  return Result;
}

const HostLine *autoprof::analysis::mainStatement(const Timeline &T,
                                                  const HostLines &H) {
  const HostLine *Main = nullptr;
  for (uint32_t Around = None;;) {
    uint64_t All = 0;
    const HostLine *Most = nullptr;
    for (uint32_t I : usersBelow(T, H.Tree, Around)) {
      All += H.Tree[I].Samples;
      if (!Most || H.Tree[I].Samples > Most->Samples)
        Most = &H.Tree[I];
    }
    if (!Most || Most->Samples < Fewest || 2 * Most->Samples < H.Idle) {
      const bool IsAll =
          Main && double(Main->Samples) >= PassesOn * double(H.Idle);
      return IsAll && 10 * All >= Main->Samples ? nullptr : Main;
    }
    Main = Most;
    Around = uint32_t(Most - H.Tree.data());
  }
}
