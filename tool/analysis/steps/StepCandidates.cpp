// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/steps/StepCandidates.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <map>
#include <set>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::HostEvents;
using trace::HostKind;
using trace::None;
using trace::Timeline;

namespace {

class Collector {
  const Timeline &T;
  const HostEvents &H;
  const Helpers Help;
  std::map<std::pair<uint32_t, uint32_t>, StepCandidate> Candidates;
  std::set<std::pair<uint32_t, uint32_t>> Runs;     ///< Site and thread.
  std::vector<llvm::SmallVector<uint32_t, 8>> Open; ///< Ranges, by thread.
  llvm::SmallSetVector<uint32_t, 8> Busy; ///< Threads that may have open ones.

  void findRuns();
  void closeUntil(uint32_t Thread, int64_t Time);
  void enter(uint32_t Range);
  void launch(uint32_t Call, uint32_t Op);
  void launchIn(uint32_t Thread, uint32_t Other, uint32_t Op);

public:
  explicit Collector(const Timeline &T)
      : T(T), H(T.Host), Help(T), Open(T.Threads.size()) {}
  std::vector<StepCandidate> run(size_t MinRuns);
};

void Collector::findRuns() {
  for (uint32_t I = 0; I < H.size(); ++I)
    if (H.Kind[I] == HostKind::Range && H.Site[I] != None &&
        T.Sites[H.Site[I]].isUserRange())
      Runs.insert({H.Site[I], H.Thread[I]});
}

void Collector::enter(uint32_t Range) {
  closeUntil(H.Thread[Range], H.Start[Range]);
  auto &Stack = Open[H.Thread[Range]];
  uint32_t Site = H.Site[Range];
  // Of a recursion only the outermost run counts.
  bool Inside = llvm::any_of(
      Stack, [&](uint32_t Outer) { return H.Site[Outer] == Site; });
  if (Site != None && !Inside) {
    StepCandidate &C = Candidates[{Site, H.Thread[Range]}];
    C.Site = Site;
    C.Thread = H.Thread[Range];
    C.Depth = std::min<unsigned>(C.Depth, Stack.size());
    C.Ranges.push_back(Range);
  }
  Stack.push_back(Range);
  Busy.insert(H.Thread[Range]);
}

void Collector::launch(uint32_t Call, uint32_t Op) {
  Busy.remove_if([&](uint32_t Other) {
    closeUntil(Other, H.Start[Call]);
    launchIn(H.Thread[Call], Other, Op);
    return Open[Other].empty();
  });
}

void Collector::launchIn(uint32_t Thread, uint32_t Other, uint32_t Op) {
  llvm::SmallVector<uint32_t, 8> Seen;
  for (uint32_t Range : Open[Other]) {
    uint32_t Site = H.Site[Range];
    if (Site == None || llvm::is_contained(Seen, Site))
      continue;
    if (Thread != Other &&
        !Help.workFor(Thread, Other, Runs.count({Site, Thread})))
      continue;
    Seen.push_back(Site);
    Candidates[{Site, Other}].GpuTime += T.Ops.End[Op] - T.Ops.Start[Op];
  }
}

void Collector::closeUntil(uint32_t Thread, int64_t Time) {
  auto &Stack = Open[Thread];
  while (!Stack.empty() && H.End[Stack.back()] <= Time)
    Stack.pop_back();
}

std::vector<StepCandidate> Collector::run(size_t MinRuns) {
  findRuns();
  size_t Next = 0;
  for (uint32_t I = 0; I < H.size(); ++I) {
    if (H.Kind[I] == HostKind::Range)
      enter(I);
    for (;
         Next < T.LaunchOrder.size() && T.Ops.Launch[T.LaunchOrder[Next]] == I;
         ++Next)
      launch(I, T.LaunchOrder[Next]);
  }
  std::vector<StepCandidate> Result;
  for (auto &[Key, C] : Candidates) {
    if (C.Ranges.size() < MinRuns)
      continue;
    const trace::Site &S = T.Sites[C.Site];
    if (S.Kind != "loop")
      C.Name = S.Function;
    for (uint32_t Range : C.Ranges)
      C.HostTime += H.End[Range] - H.Start[Range];
    Result.push_back(std::move(C));
  }
  return Result;
}

} // namespace

Helpers::Helpers(const Timeline &T) : T(T), HasOwn(T.Threads.size()) {
  const HostEvents &H = T.Host;
  for (uint32_t I = 0; I < H.size(); ++I)
    if (H.Kind[I] == HostKind::Range &&
        (H.Site[I] == None || !T.Sites[H.Site[I]].isUserRange()))
      HasOwn[H.Thread[I]] = true;
}

bool Helpers::workFor(uint32_t Thread, uint32_t RangeThread, bool Runs) const {
  return T.Threads[RangeThread].IsLane || (!HasOwn[Thread] && !Runs);
}

std::vector<StepCandidate>
autoprof::analysis::findStepCandidates(const Timeline &T, size_t MinRuns) {
  return Collector(T).run(MinRuns);
}
