// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Annotate.h"

#include "analysis/waits/Attribution.h"
#include "analysis/waits/RunAhead.h"
#include "report/Format.h"
#include "report/recording/IdleSentences.h"
#include "report/recording/Sentences.h"
#include "trace/pftrace/TrackAdder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

using namespace autoprof;
using namespace autoprof::report;
using trace::None;
using trace::TrackAdder;

namespace {

class Annotator {
  const Input &Subject;
  const trace::Timeline &T;
  const analysis::Result &R;
  TrackAdder &Add;
  const uint64_t Root;

  /// The annotations of each wait of a site.
  struct Words {
    std::string Name, Gain, Verdict;
  };

  std::string threadName(uint32_t Thread) const;
  Words wordsFor(const analysis::Wait &W) const;
  const analysis::SiteRow *rowOf(const analysis::Wait &W) const;
  void waits();
  void gaps();
  void runAhead();
  void fall(uint64_t Track, const analysis::RunAheadPoint &Start, int64_t End);

public:
  Annotator(const Input &Subject, TrackAdder &Add)
      : Subject(Subject), T(Subject.T), R(Subject.R), Add(Add),
        Root(Add.group("autoprof: waits, idle GPU, run-ahead")) {}
  void write() {
    waits();
    gaps();
    runAhead();
  }
};

std::string Annotator::threadName(uint32_t Thread) const {
  const trace::Thread &One = T.Threads[Thread];
  if (One.Tid < 0)
    return One.Name;
  return fmt::format("{} {}", One.Name.empty() ? "thread" : One.Name, One.Tid);
}

/// The report's row for a wait: of its site, or of the calls of its name.
const analysis::SiteRow *Annotator::rowOf(const analysis::Wait &W) const {
  const llvm::StringRef Call = T.Strings[T.Host.Name[W.Call]];
  for (const analysis::SiteRow &Row : R.Sites)
    if (Row.Waits && Row.Site == W.Site && (W.Site != None || Row.Call == Call))
      return &Row;
  return nullptr;
}

Annotator::Words Annotator::wordsFor(const analysis::Wait &W) const {
  Words Result;
  Result.Name = T.Strings[T.Host.Name[W.Call]].str();
  if (W.Site != None)
    Result.Name += " at " + place(T, W.Site);
  if (const analysis::SiteRow *Row = rowOf(W)) {
    Result.Gain = gainText(Subject, *Row);
    Result.Verdict = analysis::phrase(Row->Judged.Kind).str();
  }
  return Result;
}

void Annotator::waits() {
  std::map<uint32_t, uint64_t> TrackOf; // By thread.
  for (const analysis::Wait &W : R.Waits)
    TrackOf.try_emplace(T.Host.Thread[W.Call], 0);
  for (auto &[Thread, Track] : TrackOf)
    Track = Add.slices(threadName(Thread) + ": waits", Root);
  // Once for each site: it may have a million waits.
  std::map<std::pair<uint32_t, uint32_t>, Words> Said;
  for (size_t I = 0; I < R.Waits.size(); ++I) {
    const analysis::Wait &W = R.Waits[I];
    auto [It, New] = Said.try_emplace({W.Site, T.Host.Name[W.Call]});
    if (New)
      It->second = wordsFor(W);
    Add.slice(
        TrackOf[T.Host.Thread[W.Call]], W.Start, W.End, It->second.Name,
        {{"waits for", T.Strings[T.Stages[T.Ops.Stage[W.LastOp]].Name].str()},
         {"exposed_ns", "", uint64_t(R.Stalls.OfWait[I])},
         {"gain by changing this site", It->second.Gain},
         {"verdict", It->second.Verdict}});
  }
}

void Annotator::gaps() {
  std::vector<uint64_t> TrackOf;
  for (const analysis::DeviceActivity &D : R.Devices)
    TrackOf.push_back(
        Add.slices(fmt::format("GPU {}: idle, and why", D.Device), Root));
  std::vector<std::string> Texts;
  for (const analysis::Reason &One : R.Causes.Reasons)
    Texts.push_back(reasonText(T, One));
  analysis::forEachGapPart(
      R.Devices, R.Stalls, R.Causes, T.begin(), T.end(),
      [&](const analysis::GapPart &G) {
        const analysis::Reason &Reason = R.Causes.Reasons[G.Reason];
        Add.slice(TrackOf[G.Device], G.Start, G.End, Texts[G.Reason],
                  {{"cause", analysis::name(Reason.Kind).str()}});
      });
}

/// Perfetto draws counters as stairs: add some steps on the way down.
void Annotator::fall(uint64_t Track, const analysis::RunAheadPoint &Start,
                     int64_t End) {
  constexpr int64_t Stairs = 4, ShortestStair = 5'000; // ns
  const int64_t Each = (End - Start.Time) / Stairs;
  if (Each < ShortestStair)
    return;
  for (int64_t Down = Each; Down < End - Start.Time; Down += Each)
    Add.value(Track, Start.Time + Down,
              std::max<int64_t>(Start.Lead - Down, 0));
}

void Annotator::runAhead() {
  for (const analysis::RunAheadCurve &C :
       analysis::findRunAheadCurves(T, T.begin(), T.end())) {
    const std::string Name = fmt::format("GPU {}", C.Device);
    const uint64_t Depth = Add.counter("depth, " + Name, false, Root),
                   Lead = Add.counter("lead, " + Name, true, Root);
    for (size_t I = 0; I < C.Points.size(); ++I) {
      const analysis::RunAheadPoint &P = C.Points[I];
      Add.value(Depth, P.Time, P.Depth);
      Add.value(Lead, P.Time, P.Lead);
      if (P.Falling && I + 1 < C.Points.size())
        fall(Lead, P, C.Points[I + 1].Time);
    }
  }
}

} // namespace

llvm::Error report::annotate(const Input &Subject, llvm::StringRef Bytes,
                             llvm::raw_ostream &Out) {
  llvm::Expected<TrackAdder> Add = TrackAdder::create(Bytes, Out);
  if (!Add)
    return Add.takeError();
  Annotator(Subject, *Add).write();
  return llvm::Error::success();
}
