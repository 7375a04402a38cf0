// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/steps/StepCandidates.h"

#include "trace/timeline/TimelineBuilder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

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

/// A name with a # in the place of its last number.
struct NumberedName {
  std::string Stem;
  uint64_t Number = 0;
};

std::optional<NumberedName> splitNumber(StringRef Name) {
  const char *const Digits = "0123456789";
  size_t Last = Name.find_last_of(Digits);
  if (Last == StringRef::npos)
    return std::nullopt;
  StringRef Prefix = Name.take_front(Last + 1);
  size_t Before = Prefix.find_last_not_of(Digits);
  size_t First = Before == StringRef::npos ? 0 : Before + 1;
  NumberedName Result;
  if (Prefix.drop_front(First).getAsInteger(10, Result.Number))
    return std::nullopt;
  // "ProfilerStep#3" has its own.
  Result.Stem =
      (Name.take_front(First).rtrim('#') + "#" + Name.drop_front(Last + 1))
          .str();
  return Result;
}

/// What the sites of a timeline are runs of.
class Groups {
  struct Stem {
    std::string Name;
    uint32_t First = None; ///< Site.
    bool Rises = true;
    size_t MaxRanges = 0; ///< Ranges, on one thread.
  };
  struct Counter {
    uint64_t Last = 0;
    size_t Count = 0;
  };
  const Timeline &T;
  const size_t MinRanges;
  std::vector<Stem> Stems;
  std::vector<uint32_t> StemOf; ///< By site; None: not numbered.
  std::vector<uint64_t> Number; ///< By site.

  void readNames();
  void followNumbers();

public:
  Groups(const Timeline &T, size_t MinRanges) : T(T), MinRanges(MinRanges) {
    readNames();
    if (!Stems.empty())
      followNumbers();
  }

  const Stem *stemOf(uint32_t Site) const {
    if (StemOf[Site] == None)
      return nullptr;
    const Stem &S = Stems[StemOf[Site]];
    return S.Rises && S.MaxRanges >= MinRanges ? &S : nullptr;
  }
  uint32_t representative(uint32_t Site) const {
    const Stem *S = stemOf(Site);
    return S ? S->First : Site;
  }
};

void Groups::readNames() {
  StemOf.assign(T.Sites.size(), None);
  Number.assign(T.Sites.size(), 0);
  llvm::StringMap<uint32_t> Index;
  for (uint32_t I = 0; I < T.Sites.size(); ++I) {
    if (!T.Sites[I].isUserRange())
      continue;
    std::optional<NumberedName> Name = splitNumber(T.Sites[I].Function);
    if (!Name)
      continue;
    auto [It, New] = Index.try_emplace(T.Sites[I].Callee + "\n" + Name->Stem,
                                       uint32_t(Stems.size()));
    if (New)
      Stems.push_back({Name->Stem, I});
    StemOf[I] = It->second;
    Number[I] = Name->Number;
  }
}

void Groups::followNumbers() {
  const HostEvents &H = T.Host;
  std::map<std::pair<uint32_t, uint32_t>, Counter> Counters;
  for (uint32_t I = 0; I < H.size(); ++I) {
    uint32_t Site = H.Kind[I] == HostKind::Range ? H.Site[I] : None;
    if (Site == None || StemOf[Site] == None)
      continue;
    Counter &C = Counters[{H.Thread[I], StemOf[Site]}];
    Stem &S = Stems[StemOf[Site]];
    S.Rises &= C.Count == 0 || Number[Site] > C.Last;
    C.Last = Number[Site];
    S.MaxRanges = std::max(S.MaxRanges, ++C.Count);
  }
}

class Collector {
  const Timeline &T;
  const HostEvents &H;
  const Groups Group;
  const Helpers Help;
  std::map<std::pair<uint32_t, uint32_t>, StepCandidate> Candidates;
  std::set<std::pair<uint32_t, uint32_t>> Runs;     ///< Site and thread.
  std::vector<llvm::SmallVector<uint32_t, 8>> Open; ///< Ranges, by thread.

  uint32_t thingOf(uint32_t Range) const {
    return H.Site[Range] == None ? None : Group.representative(H.Site[Range]);
  }
  void findRuns();
  void closeUntil(uint32_t Thread, int64_t Time);
  void enter(uint32_t Range);
  void launch(uint32_t Call, uint32_t Op);
  void launchIn(uint32_t Thread, uint32_t Other, uint32_t Op);
  void name(StepCandidate &C) const;

public:
  Collector(const Timeline &T, size_t MinNumbered)
      : T(T), H(T.Host), Group(T, MinNumbered), Help(T),
        Open(T.Threads.size()) {}
  std::vector<StepCandidate> run();
};

void Collector::findRuns() {
  for (uint32_t I = 0; I < H.size(); ++I)
    if (H.Kind[I] == HostKind::Range && H.Site[I] != None &&
        T.Sites[H.Site[I]].isUserRange())
      Runs.insert({thingOf(I), H.Thread[I]});
}

void Collector::enter(uint32_t Range) {
  closeUntil(H.Thread[Range], H.Start[Range]);
  auto &Stack = Open[H.Thread[Range]];
  uint32_t Site = thingOf(Range);
  // Of a recursion only the outermost run counts.
  bool Inside = llvm::any_of(
      Stack, [&](uint32_t Outer) { return thingOf(Outer) == Site; });
  if (Site != None && !Inside) {
    StepCandidate &C = Candidates[{Site, H.Thread[Range]}];
    C.Site = Site;
    C.Thread = H.Thread[Range];
    C.Depth = std::min<unsigned>(C.Depth, Stack.size());
    C.Ranges.push_back(Range);
  }
  Stack.push_back(Range);
}

void Collector::launch(uint32_t Call, uint32_t Op) {
  for (uint32_t Other = 0; Other < Open.size(); ++Other) {
    closeUntil(Other, H.Start[Call]);
    launchIn(H.Thread[Call], Other, Op);
  }
}

void Collector::launchIn(uint32_t Thread, uint32_t Other, uint32_t Op) {
  llvm::SmallVector<uint32_t, 8> Seen;
  for (uint32_t Range : Open[Other]) {
    uint32_t Site = thingOf(Range);
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

void Collector::name(StepCandidate &C) const {
  const trace::Site &S = T.Sites[C.Site];
  C.Id = S.Id;
  if (const auto *Stem = Group.stemOf(C.Site)) {
    C.Name = Stem->Name;
    C.Id = trace::userRangeId(S.Callee, C.Name);
  } else if (S.Kind != "loop") {
    C.Name = S.Function;
  }
}

std::vector<StepCandidate> Collector::run() {
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
    name(C);
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
autoprof::analysis::findStepCandidates(const Timeline &T, size_t MinNumbered) {
  return Collector(T, MinNumbered).run();
}
