// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/page/TimelineData.h"

#include "analysis/waits/RunAhead.h"
#include "report/Format.h"
#include "report/Html.h"
#include "report/recording/Sentences.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

#include <cmath>
#include <unordered_map>

using namespace autoprof;
using namespace autoprof::report;
using trace::HostKind;
using trace::None;
using trace::Timeline;
namespace json = llvm::json;

namespace {

/// Longer names are cut: instantiated templates fill pages. Beyond this many
/// bytes of names, the others are cut shorter.
constexpr size_t LongestName = 240, LateName = 40, MaxNameBytes = 500'000;

/// Whole numbers, one for each row of a table.
using Column = std::vector<int64_t>;

class Writer {
  const Timeline &T;
  const analysis::Result &R;
  const TimelinePart &Part;
  std::string Text;
  llvm::raw_string_ostream Out{Text};
  json::OStream J{Out};
  std::vector<std::string> Names;
  size_t NameBytes = 0;
  llvm::StringMap<uint32_t> NameIndex;
  std::unordered_map<uint32_t, uint32_t> SliceOf; ///< Host event -> row.
  std::unordered_map<uint32_t, uint32_t> OpOf;    ///< Operation -> row.

  uint32_t nameOf(llvm::StringRef Name);
  uint32_t placeOf(uint32_t Site);
  bool isShown(int64_t Start, int64_t End) const {
    return Start < Part.End && End > Part.Start;
  }
  void write(llvm::StringRef Key, const Column &C);
  void writeStarts(llvm::StringRef Key, const Column &C);
  void threads();
  void queues();
  void slices();
  void ops();
  void waits();
  void gaps();
  void steps();
  void runAhead();
  void utilization();

public:
  Writer(const Input &Subject, const TimelinePart &Part)
      : T(Subject.T), R(Subject.R), Part(Part) {}
  std::string write();
};

uint32_t Writer::nameOf(llvm::StringRef Name) {
  auto [It, New] = NameIndex.try_emplace(Name, uint32_t(Names.size()));
  if (New) {
    const size_t Most = NameBytes < MaxNameBytes ? LongestName : LateName;
    std::string Shown = readable(Name.take_front(Most));
    Names.push_back(Name.size() > Most ? Shown + "..." : Shown);
    NameBytes += Names.back().size();
  }
  return It->second;
}

uint32_t Writer::placeOf(uint32_t Site) {
  return nameOf(Site == None ? "" : place(T, Site));
}

void Writer::write(llvm::StringRef Key, const Column &C) {
  J.attributeArray(Key, [&] {
    for (int64_t V : C)
      J.value(V);
  });
}

/// Times since the part's start, each as the difference to the one before.
void Writer::writeStarts(llvm::StringRef Key, const Column &C) {
  J.attributeArray(Key, [&] {
    int64_t Previous = Part.Start;
    for (int64_t V : C) {
      J.value(V - Previous);
      Previous = V;
    }
  });
}

void Writer::threads() {
  J.attributeArray("threads", [&] {
    for (const trace::Thread &One : T.Threads) {
      std::string Name = readable(One.Name);
      if (!One.IsLane && One.Tid >= 0)
        Name += (Name.empty() ? "thread " : " ") + std::to_string(One.Tid);
      J.value(Name);
    }
  });
}

void Writer::queues() {
  J.attributeArray("devices", [&] {
    for (const trace::Device &D : T.Devices)
      J.value("GPU " + std::to_string(D.Id));
  });
  J.attributeArray("queues", [&] {
    for (const trace::Queue &Q : T.Queues)
      J.object([&] {
        size_t Device = 0;
        while (Device < T.Devices.size() && T.Devices[Device].Id != Q.Device)
          ++Device;
        J.attribute("device", int64_t(Device));
        J.attribute("label", Q.Stream == None
                                 ? std::string("stream ?")
                                 : "stream " + std::to_string(Q.Stream));
      });
  });
}

/// How the script draws a slice: see timeline_model.js.
int64_t sliceKind(const Timeline &T, uint32_t I) {
  switch (T.Host.Kind[I]) {
  case HostKind::Api:
    return 0;
  case HostKind::Driver:
    return 1;
  case HostKind::Site:
    return 2;
  case HostKind::Range:
    break;
  }
  return T.Host.Site[I] != None && T.Sites[T.Host.Site[I]].isUserRange() ? 4
                                                                         : 3;
}

void Writer::slices() {
  const trace::HostEvents &H = T.Host;
  Column Start, Length, Name, Thread, Row, Kind, Place;
  std::vector<std::vector<int64_t>> Open(T.Threads.size()); // Ends.
  for (uint32_t I = 0; I < H.size() && H.Start[I] < Part.End; ++I) {
    if (!isShown(H.Start[I], H.End[I]))
      continue;
    std::vector<int64_t> &Around = Open[H.Thread[I]];
    while (!Around.empty() && Around.back() <= H.Start[I])
      Around.pop_back();
    SliceOf[I] = uint32_t(Start.size());
    Start.push_back(H.Start[I]);
    Length.push_back(H.End[I] - H.Start[I]);
    Name.push_back(nameOf(T.Strings[H.Name[I]]));
    Thread.push_back(H.Thread[I]);
    Row.push_back(int64_t(Around.size()));
    Kind.push_back(sliceKind(T, I));
    Place.push_back(placeOf(H.Site[I]));
    Around.push_back(H.End[I]);
  }
  J.attributeObject("slices", [&] {
    writeStarts("start", Start);
    write("length", Length);
    write("name", Name);
    write("thread", Thread);
    write("row", Row);
    write("kind", Kind);
    write("place", Place);
  });
}

void Writer::ops() {
  const trace::GpuOps &O = T.Ops;
  Column Start, Length, Name, Queue, Kind, Launch;
  for (uint32_t I = 0; I < O.size() && O.Start[I] < Part.End; ++I) {
    if (!isShown(O.Start[I], O.End[I]))
      continue;
    const trace::Stage &S = T.Stages[O.Stage[I]];
    auto Call = SliceOf.find(O.Launch[I]);
    OpOf[I] = uint32_t(Start.size());
    Start.push_back(O.Start[I]);
    Length.push_back(O.End[I] - O.Start[I]);
    Name.push_back(nameOf(T.Strings[S.Name]));
    Queue.push_back(O.Queue[I]);
    Kind.push_back(int64_t(S.Kind));
    Launch.push_back(Call == SliceOf.end() ? -1 : int64_t(Call->second));
  }
  J.attributeObject("ops", [&] {
    writeStarts("start", Start);
    write("length", Length);
    write("name", Name);
    write("queue", Queue);
    write("kind", Kind);
    write("launch", Launch);
  });
}

void Writer::waits() {
  Column Start, Length, Slice, Op, Exposed, Place;
  for (size_t I = 0; I < R.Waits.size(); ++I) {
    const analysis::Wait &W = R.Waits[I];
    auto Call = SliceOf.find(W.Call);
    if (!isShown(W.Start, W.End) || Call == SliceOf.end())
      continue;
    auto Last = OpOf.find(W.LastOp);
    Start.push_back(W.Start);
    Length.push_back(W.length());
    Slice.push_back(Call->second);
    Op.push_back(Last == OpOf.end() ? -1 : int64_t(Last->second));
    Exposed.push_back(R.Stalls.OfWait[I]);
    Place.push_back(placeOf(W.Site));
  }
  J.attributeObject("waits", [&] {
    writeStarts("start", Start);
    write("length", Length);
    write("slice", Slice);
    write("op", Op);
    write("exposed", Exposed);
    write("place", Place);
  });
}

void Writer::gaps() {
  // The causes; then, for exposed stalls, the places of waits.
  std::vector<std::pair<uint32_t, uint32_t>> Stalls; // Site, call.
  Column Start, Length, Device, Reason;
  analysis::forEachGapPart(
      R, Part.Start, Part.End, [&](const analysis::GapPart &G) {
        size_t Index = unsigned(G.Kind);
        if (G.Wait != trace::None) {
          const analysis::Wait &W = R.Waits[G.Wait];
          const std::pair Key(W.Site, T.Host.Name[W.Call]);
          const auto It = llvm::find(Stalls, Key);
          Index = analysis::NumCauses + size_t(It - Stalls.begin());
          if (It == Stalls.end())
            Stalls.push_back(Key);
        }
        Start.push_back(G.Start);
        Length.push_back(G.End - G.Start);
        Device.push_back(int64_t(G.Device));
        Reason.push_back(int64_t(Index));
      });
  auto Write = [&](analysis::Cause Kind, const std::string &Text,
                   const std::string &Label) {
    J.object([&] {
      J.attribute("cause", analysis::name(Kind));
      J.attribute("phrase", phrase(Kind));
      J.attribute("text", readable(Text));
      J.attribute("label", readable(Label));
    });
  };
  J.attributeArray("reasons", [&] {
    for (unsigned I = 0; I < analysis::NumCauses; ++I)
      Write(analysis::Cause(I), phrase(analysis::Cause(I)).str(), "");
    for (auto [Site, Call] : Stalls)
      Write(analysis::Cause::ExposedWait,
            "exposed stall of " + T.Strings[Call].str() +
                (Site == trace::None ? "" : " at " + place(T, Site)),
            place(T, Site));
  });
  J.attributeObject("gaps", [&] {
    writeStarts("start", Start);
    write("length", Length);
    write("device", Device);
    write("reason", Reason);
  });
}

void Writer::steps() {
  Column Start, Number;
  for (size_t I = 0; I < R.Steps.List.size(); ++I)
    if (isShown(R.Steps.List[I].Start, R.Steps.List[I].End)) {
      Start.push_back(R.Steps.List[I].Start);
      Number.push_back(int64_t(I) + 1);
    }
  J.attributeObject("steps", [&] {
    writeStarts("start", Start);
    write("number", Number);
  });
}

void Writer::runAhead() {
  J.attributeArray("ahead", [&] {
    for (const analysis::RunAheadCurve &C :
         analysis::findRunAheadCurves(T, Part.Start, Part.End)) {
      Column Time, Depth, Lead, Falling;
      for (const analysis::RunAheadPoint &P : C.Points) {
        Time.push_back(P.Time);
        Depth.push_back(P.Depth);
        Lead.push_back(P.Lead);
        Falling.push_back(P.Falling);
      }
      J.object([&] {
        J.attribute("device", "GPU " + std::to_string(C.Device));
        writeStarts("time", Time);
        write("depth", Depth);
        write("lead", Lead);
        write("falling", Falling);
      });
    }
  });
}

void Writer::utilization() {
  // More than a screen has pixels.
  constexpr int64_t Parts = 2'000;
  const int64_t Width =
      std::max<int64_t>(1, (Part.End - Part.Start + Parts - 1) / Parts);
  auto Permille = [&](llvm::StringRef Key, const std::vector<double> &Shares) {
    Column C;
    for (double Share : Shares)
      C.push_back(std::llround(1000 * Share));
    write(Key, C);
  };
  J.attributeObject("utilization", [&] {
    J.attribute("width", Width);
    J.attributeArray("curves", [&] {
      for (const analysis::UtilizationCurve &C :
           analysis::findUtilizationCurves(T, {Part.Start, Part.End}, Width))
        J.object([&] {
          J.attribute("device", "GPU " + std::to_string(C.Device));
          Permille("kernels", C.Kernels);
          Permille("sms", C.Sms);
        });
    });
  });
}

/// Between <script> tags, "</script" and "<!--" must not occur.
std::string withoutTags(llvm::StringRef Json) {
  std::string Result;
  Result.reserve(Json.size());
  for (char C : Json)
    if (C == '<')
      Result += "\\u003c";
    else
      Result += C;
  return Result;
}

std::string Writer::write() {
  J.object([&] {
    J.attribute("from", Part.Start);
    J.attribute("length", Part.End - Part.Start);
    J.attribute("viewFrom", Part.ViewFrom - Part.Start);
    J.attribute("viewTo", Part.ViewTo - Part.Start);
    threads();
    queues();
    slices();
    ops();
    waits();
    gaps();
    steps();
    runAhead();
    utilization();
    J.attributeArray("names", [&] {
      for (const std::string &Name : Names)
        J.value(Name);
    });
  });
  J.flush();
  return withoutTags(Text);
}

} // namespace

std::string report::timelineJson(const Input &Subject,
                                 const TimelinePart &Part) {
  return Writer(Subject, Part).write();
}
