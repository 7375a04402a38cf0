// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Steps.h"

#include "analysis/RunAhead.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <map>
#include <set>

using namespace autoprof;
using namespace autoprof::analysis;
using llvm::StringRef;
using trace::HostEvents;
using trace::HostKind;
using trace::None;
using trace::Timeline;

namespace {

/// The iterations of one loop, or the runs of one function, on one thread.
struct Candidate {
  uint32_t Site = None, Thread = None;
  unsigned Depth = ~0u; ///< Ranges around it, where it is outermost.
  int64_t GpuTime = 0;  ///< ns launched inside, unions not taken.
  std::vector<uint32_t> Ranges;
};

std::vector<bool> threadsOfRanges(const Timeline &T) {
  std::vector<bool> Result(T.Threads.size());
  for (uint32_t I = 0; I < T.Host.size(); ++I)
    if (T.Host.Kind[I] == HostKind::Range)
      Result[T.Host.Thread[I]] = true;
  return Result;
}

class Collector {
  const Timeline &T;
  const HostEvents &H;
  std::map<std::pair<uint32_t, uint32_t>, Candidate> Candidates;
  std::vector<llvm::SmallVector<uint32_t, 8>> Open; ///< Ranges, by thread.

  const std::vector<bool> HasRanges; ///< By thread.

  void closeUntil(uint32_t Thread, int64_t Time);
  void enter(uint32_t Range);
  void launch(uint32_t Call, uint32_t Op);

public:
  explicit Collector(const Timeline &T)
      : T(T), H(T.Host), Open(T.Threads.size()), HasRanges(threadsOfRanges(T)) {
  }
  std::vector<Candidate> run();
};

void Collector::enter(uint32_t Range) {
  closeUntil(H.Thread[Range], H.Start[Range]);
  auto &Stack = Open[H.Thread[Range]];
  uint32_t Site = H.Where[Range];
  // Of a recursion only the outermost run counts.
  bool Inside = llvm::any_of(
      Stack, [&](uint32_t Around) { return H.Where[Around] == Site; });
  if (Site != None && !Inside) {
    Candidate &C = Candidates[{Site, H.Thread[Range]}];
    C.Site = Site;
    C.Thread = H.Thread[Range];
    C.Depth = std::min<unsigned>(C.Depth, Stack.size());
    C.Ranges.push_back(Range);
  }
  Stack.push_back(Range);
}

/// A launch belongs to the ranges of its thread. A thread without any (one
/// that works for others, like an autograd engine's) works for the ranges
/// that are open elsewhere at that time.
void Collector::launch(uint32_t Call, uint32_t Op) {
  uint32_t Thread = H.Thread[Call];
  for (uint32_t Other = 0; Other < Open.size(); ++Other) {
    if (Other != Thread && HasRanges[Thread])
      continue;
    closeUntil(Other, H.Start[Call]);
    llvm::SmallVector<uint32_t, 8> Seen;
    for (uint32_t Range : Open[Other]) {
      if (H.Where[Range] == None || llvm::is_contained(Seen, H.Where[Range]))
        continue;
      Seen.push_back(H.Where[Range]);
      Candidates[{H.Where[Range], Other}].GpuTime +=
          T.Ops.End[Op] - T.Ops.Start[Op];
    }
  }
}

void Collector::closeUntil(uint32_t Thread, int64_t Time) {
  auto &Stack = Open[Thread];
  while (!Stack.empty() && H.End[Stack.back()] <= Time)
    Stack.pop_back();
}

std::vector<Candidate> Collector::run() {
  size_t Next = 0;
  for (uint32_t I = 0; I < H.size(); ++I) {
    if (H.Kind[I] == HostKind::Range)
      enter(I);
    for (;
         Next < T.LaunchOrder.size() && T.Ops.Launch[T.LaunchOrder[Next]] == I;
         ++Next)
      launch(I, T.LaunchOrder[Next]);
  }
  std::vector<Candidate> Result;
  for (auto &[Key, C] : Candidates)
    Result.push_back(std::move(C));
  return Result;
}

std::string place(const trace::Site &S) {
  return llvm::sys::path::filename(S.File).str() + ":" + std::to_string(S.Line);
}

bool isNamed(const trace::Site &S, StringRef Name) {
  if (Name == place(S) || Name == S.File + ":" + std::to_string(S.Line))
    return true;
  // train::step(int) is also called train::step, and step.
  StringRef Function = StringRef(S.Function).split('(').first;
  return S.Kind != "loop" && (Name == S.Function || Name == Function ||
                              Function.ends_with(("::" + Name).str()));
}

const Candidate *chooseNamed(const Timeline &T,
                             const std::vector<Candidate> &All,
                             StringRef Name) {
  const Candidate *Best = nullptr;
  for (const Candidate &C : All)
    if (isNamed(T.Sites[C.Site], Name) &&
        (!Best || C.Ranges.size() > Best->Ranges.size()))
      Best = &C;
  return Best;
}

/// The outermost candidate with at least 3 runs and this share of the GPU
/// time; of two at the same depth the one with more of it.
const Candidate *outermost(const Timeline &T, const std::vector<Candidate> &All,
                           double Share, bool LoopsOnly) {
  int64_t GpuTime = 0;
  for (uint32_t I = 0; I < T.Ops.size(); ++I)
    GpuTime += T.Ops.End[I] - T.Ops.Start[I];
  const Candidate *Best = nullptr;
  for (const Candidate &C : All) {
    if (C.Ranges.size() < 3 || double(C.GpuTime) < Share * double(GpuTime))
      continue;
    // Without GPU work nothing tells which function is worth a step.
    if ((LoopsOnly || !GpuTime) && T.Sites[C.Site].Kind != "loop")
      continue;
    if (!Best ||
        std::pair(C.Depth, -C.GpuTime) < std::pair(Best->Depth, -Best->GpuTime))
      Best = &C;
  }
  return Best;
}

/// A loop that holds nearly everything is the program's hot loop. Where it has
/// no range, a function that runs once in each iteration stands for it; a loop
/// over the layers inside that function must not.
const Candidate *chooseSteps(const Timeline &T,
                             const std::vector<Candidate> &All) {
  if (const Candidate *Loop = outermost(T, All, 0.9, /*LoopsOnly=*/true))
    return Loop;
  return outermost(T, All, 0.5, /*LoopsOnly=*/false);
}

std::string describe(const trace::Site &S) {
  std::string Text = S.Kind == "loop" ? "loop at " : S.Function + " at ";
  Text += place(S);
  if (S.Kind == "loop" && !S.Function.empty())
    Text += " in " + S.Function;
  return Text;
}

/// The operation that ended last among those launched by each step; None if a
/// step launched nothing.
std::vector<uint32_t> lastOps(const Timeline &T, const Candidate &C) {
  const HostEvents &H = T.Host;
  std::vector<uint32_t> Result(C.Ranges.size(), None);
  const std::vector<bool> HasRanges = threadsOfRanges(T);
  size_t Step = 0;
  for (uint32_t Op : T.LaunchOrder) {
    uint32_t Launch = T.Ops.Launch[Op];
    if (H.Thread[Launch] != C.Thread && HasRanges[H.Thread[Launch]])
      continue;
    while (Step < C.Ranges.size() && H.End[C.Ranges[Step]] <= H.Start[Launch])
      ++Step;
    if (Step == C.Ranges.size())
      break;
    uint32_t &Last = Result[Step];
    if (H.Start[Launch] >= H.Start[C.Ranges[Step]] &&
        (Last == None || T.Ops.End[Op] > T.Ops.End[Last]))
      Last = Op;
  }
  return Result;
}

Steps makeSteps(const Timeline &T, const Candidate &C) {
  const HostEvents &H = T.Host;
  Steps Result;
  Result.Source = describe(T.Sites[C.Site]);
  Result.Site = T.Sites[C.Site].Id;
  std::vector<uint32_t> Ops = lastOps(T, C);
  Result.FromGpu = !llvm::is_contained(Ops, None);
  std::vector<RunAheadQuery> Queries;
  for (size_t I = 0; I < C.Ranges.size(); ++I) {
    int64_t Start = H.Start[C.Ranges[I]], End = H.End[C.Ranges[I]];
    int64_t Time = End - Start;
    if (Result.FromGpu) {
      // On several streams a later step may finish first.
      if (I && T.Ops.End[Ops[I]] < T.Ops.End[Ops[I - 1]])
        Ops[I] = Ops[I - 1];
      int64_t Done = T.Ops.End[Ops[I]];
      Time = Done - (I ? T.Ops.End[Ops[I - 1]] : std::min(Start, Done));
    }
    Result.List.push_back({Start, End, Time});
    // A function may end well before the step that it stands for.
    bool Loop = T.Sites[C.Site].Kind == "loop",
         Final = I + 1 == C.Ranges.size();
    if (!T.Devices.empty())
      Queries.push_back({Loop || Final ? End : H.Start[C.Ranges[I + 1]],
                         T.Devices.front().Id});
  }
  std::vector<RunAhead> Samples = sampleRunAhead(T, Queries);
  for (size_t I = 0; I < Samples.size(); ++I)
    Result.List[I].Lead = Samples[I].Lead;
  // First steps load modules, pick algorithms and fill the queue.
  if (Result.List.size() >= 4)
    Result.WarmUp = std::max<size_t>(1, Result.List.size() / 10);
  if (Result.FromGpu) {
    Result.FromOp = Result.WarmUp ? Ops[Result.WarmUp - 1] : None;
    Result.ToOp = Ops.back();
  }
  return Result;
}

} // namespace

std::vector<int64_t> Steps::times() const {
  std::vector<int64_t> Result;
  for (size_t I = WarmUp; I < List.size(); ++I)
    Result.push_back(List[I].Time);
  return Result;
}

std::vector<int64_t> Steps::leads() const {
  std::vector<int64_t> Result;
  for (size_t I = WarmUp; I < List.size(); ++I)
    Result.push_back(List[I].Lead);
  return Result;
}

llvm::Expected<Steps> autoprof::analysis::findSteps(const Timeline &T,
                                                    StringRef Name) {
  std::vector<Candidate> All = Collector(T).run();
  const Candidate *Chosen =
      Name.empty() ? chooseSteps(T, All) : chooseNamed(T, All, Name);
  if (Chosen)
    return makeSteps(T, *Chosen);
  if (Name.empty())
    return Steps();
  std::set<std::string> Known;
  for (const Candidate &C : All)
    Known.insert(T.Sites[C.Site].Kind == "loop" ? place(T.Sites[C.Site])
                                                : T.Sites[C.Site].Function);
  return llvm::createStringError(
      llvm::inconvertibleErrorCode(),
      "no range is called '" + Name + "'; " +
          (Known.empty() ? "the trace has no ranges (compile the program with "
                           "the autoprof plugin)"
                         : "there are: " + llvm::join(Known, ", ")));
}

Steps autoprof::analysis::findStepsOfSite(const Timeline &T, uint64_t Site) {
  for (const Candidate &C : Collector(T).run())
    if (Site && T.Sites[C.Site].Id == Site)
      return makeSteps(T, C);
  return Steps();
}
