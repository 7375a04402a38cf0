// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "export/OutputFile.h"
#include "export/Recording.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include <fmt/format.h>

#include <variant>

using namespace autoprof;
using namespace autoprof::exports;
using llvm::StringRef;
using trace::None;
using trace::Site;
using trace::Timeline;

namespace {

/// monostate: unknown. Text is valid only during the call that gets it.
using Cell = std::variant<std::monostate, int64_t, bool, StringRef>;
using RowSink = llvm::function_ref<void(llvm::ArrayRef<Cell>)>;

/// To add a column, add it here and to docs/convert.md. Times are ns: `_ns` of
/// durations, and of instants since the trace's start.
struct Table {
  const char *Name;
  llvm::ArrayRef<StringRef> Columns;
  /// Gives each row to the sink, with a cell for each column.
  void (*Fill)(const Recording &, RowSink);
};

/// "": unknown.
Cell text(StringRef S) { return S.empty() ? Cell() : Cell(S); }
template <typename Number> Cell known(const std::optional<Number> &N) {
  return N ? Cell(int64_t(*N)) : Cell();
}
/// 0: unknown.
Cell positive(uint64_t N) { return N ? Cell(int64_t(N)) : Cell(); }
Cell number(uint64_t N) { return int64_t(N); }

/// The number, from 1, of the step that this instant of the host lies in; 0:
/// none.
size_t stepAt(const analysis::Steps &S, int64_t Time) {
  auto Next = llvm::upper_bound(
      S.List, Time,
      [](int64_t Time, const analysis::Step &One) { return Time < One.Start; });
  if (Next == S.List.begin() || Time >= std::prev(Next)->End)
    return 0;
  return Next - S.List.begin();
}

/// id, file, line, function of a place.
struct PlaceCells {
  std::string Id;
  Cell File, Line, Function;
  explicit PlaceCells(const Site *S) : Id(siteId(S)) {
    if (!S)
      return;
    File = text(S->File);
    Line = positive(S->Line);
    Function = text(S->Function);
  }
};

constexpr StringRef ProcessColumns[] = {
    "path",           "pid",          "host",        "command",
    "mode",           "local_rank",   "ranks",       "cupti",
    "ended_in_order", "wall_ns",      "recorded_ns", "gpu_span_ns",
    "wait_ns",        "drains",       "step_source", "regime",
    "cupti_dropped",  "bytes_dropped"};

void processes(const Recording &Subject, RowSink Row) {
  const trace::Process &P = Subject.T.Info;
  const analysis::Result &R = Subject.R;
  Row({text(Subject.Path), P.Pid < 0 ? Cell() : Cell(P.Pid), text(P.Host),
       text(P.CommandLine), text(P.Mode), known(P.LocalRank), known(P.Ranks),
       text(P.CuptiState), !P.EndReason.empty(), R.Wall, R.Recorded, R.Span,
       R.WaitsKnown ? Cell(R.Waited) : Cell(), number(R.Drains),
       text(R.Steps.Source),
       R.InSteps ? Cell(analysis::name(R.InSteps->Limit)) : Cell(),
       number(Subject.T.Lost.CuptiDropped),
       number(Subject.T.Unread.BytesDropped)});
}

constexpr StringRef DeviceColumns[] = {"device", "name", "ops", "span_ns",
                                       "busy_ns"};

void devices(const Recording &Subject, RowSink Row) {
  for (auto [D, Device] : llvm::zip(Subject.R.Devices, Subject.T.Devices))
    Row({number(D.Device), text(Device.Name), number(D.Ops), D.span(), D.Busy});
}

constexpr StringRef StepColumns[] = {"step",    "start_ns", "end_ns",
                                     "time_ns", "lead_ns",  "counts"};

void steps(const Recording &Subject, RowSink Row) {
  const analysis::Steps &S = Subject.R.Steps;
  for (size_t I = 0; I < S.List.size(); ++I) {
    const analysis::Step &One = S.List[I];
    Row({number(I + 1), One.Start, One.End,
         One.TimeKnown ? Cell(One.Time) : Cell(), One.Lead, I >= S.WarmUp});
  }
}

constexpr StringRef SiteColumns[] = {"site_id",
                                     "file",
                                     "line",
                                     "function",
                                     "call",
                                     "kind",
                                     "count",
                                     "host_ns",
                                     "waits",
                                     "wait_ns",
                                     "exposed_ns",
                                     "gain_low_ns",
                                     "gain_high_ns",
                                     "step_waits",
                                     "step_wait_ns",
                                     "step_exposed_ns",
                                     "step_gain_low_ns",
                                     "step_gain_high_ns",
                                     "verdict"};

void sites(const Recording &Subject, RowSink Row) {
  for (const analysis::SiteRow &S : Subject.R.Sites) {
    PlaceCells Cells(S.Site == None ? nullptr : &Subject.T.Sites[S.Site]);
    auto Part = [](const std::optional<analysis::Gain> &G,
                   int64_t analysis::Gain::*End) {
      return G ? Cell((*G).*End) : Cell();
    };
    const auto OfRun = S.gainOfRun(), OfSteps = S.gainOfSteps();
    auto InSteps = [&S](int64_t analysis::SiteSteps::*Sum) {
      return S.Steps ? Cell((*S.Steps).*Sum) : Cell();
    };
    Row({text(Cells.Id), Cells.File, Cells.Line, Cells.Function, text(S.Call),
         text(S.Kind), number(S.Count), S.HostTime, number(S.Waits),
         known(S.Wait), known(S.Exposed), Part(OfRun, &analysis::Gain::Low),
         Part(OfRun, &analysis::Gain::High),
         S.Steps ? Cell(number(S.Steps->Waits)) : Cell(),
         InSteps(&analysis::SiteSteps::Wait),
         InSteps(&analysis::SiteSteps::Exposed),
         Part(OfSteps, &analysis::Gain::Low),
         Part(OfSteps, &analysis::Gain::High),
         text(analysis::name(S.Judged.Kind))});
  }
}

constexpr StringRef WaitColumns[] = {
    "start_ns", "end_ns",   "wait_ns", "exposed_ns", "step",
    "thread",   "call_id",  "call",    "site_id",    "file",
    "line",     "function", "device",  "stream",     "waited_for"};

void waits(const Recording &Subject, RowSink Row) {
  const Timeline &T = Subject.T;
  for (size_t I = 0; I < Subject.R.Waits.size(); ++I) {
    const analysis::Wait &W = Subject.R.Waits[I];
    PlaceCells Cells(W.Site == None ? nullptr : &T.Sites[W.Site]);
    const bool KnowsOp = W.LastOp != None;
    Row({W.Start, W.End, W.length(), Subject.R.Stalls.OfWait[I],
         positive(stepAt(Subject.R.Steps, W.Start)),
         T.Threads[T.Host.Thread[W.Call]].Tid, number(W.Call + 1),
         T.Strings[T.Host.Name[W.Call]], text(Cells.Id), Cells.File, Cells.Line,
         Cells.Function, number(W.Device),
         W.Queue == None ? Cell() : number(T.Queues[W.Queue].Stream),
         KnowsOp ? Cell(T.Strings[T.Stages[T.Ops.Stage[W.LastOp]].Name])
                 : Cell()});
  }
}

constexpr StringRef GapColumns[] = {"device",   "start_ns", "end_ns", "cause",
                                    "call",     "site_id",  "file",   "line",
                                    "function", "call_id"};

void gaps(const Recording &Subject, RowSink Row) {
  const analysis::Result &R = Subject.R;
  auto Add = [&](const analysis::GapPart &P) {
    const analysis::Wait *W = P.Wait == None ? nullptr : &R.Waits[P.Wait];
    PlaceCells Cells(W && W->Site != None ? &Subject.T.Sites[W->Site]
                                          : nullptr);
    Row({number(R.Devices[P.Device].Device), P.Start, P.End,
         analysis::name(P.Kind),
         W ? Cell(Subject.T.Strings[Subject.T.Host.Name[W->Call]]) : Cell(),
         text(Cells.Id), Cells.File, Cells.Line, Cells.Function,
         W ? number(W->Call + 1) : Cell()});
  };
  analysis::forEachGapPart(R, Subject.T.begin(), Subject.T.end(), Add);
}

constexpr StringRef CallColumns[] = {"call_id", "start_ns", "end_ns", "thread",
                                     "call",    "api",      "site_id"};

void calls(const Recording &Subject, RowSink Row) {
  const trace::HostEvents &H = Subject.T.Host;
  for (size_t I = 0; I < H.size(); ++I) {
    if (!H.isCall(I))
      continue;
    std::string Id = siteId(placeOf(Subject, I));
    Row({number(I + 1), H.Start[I], H.End[I],
         Subject.T.Threads[H.Thread[I]].Tid, Subject.T.Strings[H.Name[I]],
         H.Kind[I] == trace::HostKind::Api ? "runtime" : "driver", text(Id)});
  }
}

constexpr StringRef RangeColumns[] = {"start_ns", "end_ns", "thread",
                                      "name",     "kind",   "site_id",
                                      "file",     "line",   "domain"};

void ranges(const Recording &Subject, RowSink Row) {
  const trace::HostEvents &H = Subject.T.Host;
  for (size_t I = 0; I < H.size(); ++I) {
    if (H.Kind[I] != trace::HostKind::Range)
      continue;
    const Site *S = H.Site[I] == None ? nullptr : &Subject.T.Sites[H.Site[I]];
    PlaceCells Cells(S);
    Row({H.Start[I], H.End[I], Subject.T.Threads[H.Thread[I]].Tid,
         Subject.T.Strings[H.Name[I]], text(S ? S->Kind : ""), text(Cells.Id),
         Cells.File, Cells.Line,
         S && S->isUserRange() ? text(S->Callee) : Cell()});
  }
}

constexpr StringRef OpColumns[] = {
    "start_ns",      "end_ns",      "device",       "context",
    "stream",        "kind",        "name",         "direction",
    "source",        "destination", "bytes",        "blocks",
    "block_threads", "registers",   "shared_bytes", "call_id"};

void ops(const Recording &Subject, RowSink Row) {
  const trace::GpuOps &O = Subject.T.Ops;
  for (size_t I = 0; I < O.size(); ++I) {
    const trace::Queue &Q = Subject.T.Queues[O.Queue[I]];
    const trace::Stage &S = Subject.T.Stages[O.Stage[I]];
    const bool Copies = S.Kind == trace::OpKind::Copy,
               Moves = Copies || S.Kind == trace::OpKind::Set;
    Row({O.Start[I], O.End[I], number(Q.Device), number(Q.Context),
         number(Q.Stream), word(S.Kind), Subject.T.Strings[S.Name],
         Copies ? Cell(word(S.Dir)) : Cell(),
         Copies ? Cell(word(S.Source)) : Cell(),
         Moves ? Cell(word(S.Destination)) : Cell(),
         Moves ? number(S.Bytes) : Cell(), positive(S.Shape.blocks()),
         positive(S.Shape.threads()), positive(S.Shape.Registers),
         known(S.Shape.Shared),
         O.Launch[I] == None ? Cell() : number(O.Launch[I] + 1)});
  }
}

constexpr Table AllTables[] = {{"processes", ProcessColumns, processes},
                               {"devices", DeviceColumns, devices},
                               {"steps", StepColumns, steps},
                               {"sites", SiteColumns, sites},
                               {"waits", WaitColumns, waits},
                               {"gaps", GapColumns, gaps},
                               {"calls", CallColumns, calls},
                               {"ranges", RangeColumns, ranges},
                               {"ops", OpColumns, ops}};

/// Text is always quoted, so that an unknown value (nothing between two commas)
/// differs from an empty text, and numbers from text.
struct CsvCell {
  llvm::raw_ostream &Out;
  void operator()(std::monostate) const {}
  void operator()(int64_t N) const { Out << N; }
  void operator()(bool B) const { Out << (B ? "true" : "false"); }
  void operator()(StringRef S) const {
    std::string Valid = llvm::json::fixUTF8(S);
    Out << '"';
    for (char C : Valid)
      Out << (C == '"' ? "\"\"" : StringRef(&C, 1));
    Out << '"';
  }
};

void writeCsv(llvm::raw_ostream &Out, const Table &T,
              const Recording &Subject) {
  Out << llvm::join(T.Columns, ",") << '\n';
  T.Fill(Subject, [&](llvm::ArrayRef<Cell> Cells) {
    for (const Cell &C : Cells) {
      if (&C != Cells.begin())
        Out << ',';
      std::visit(CsvCell{Out}, C);
    }
    Out << '\n';
  });
}

} // namespace

std::string exports::siteId(const Site *S) {
  return S && S->Id ? fmt::format("{:#018x}", S->Id) : std::string();
}

llvm::Error exports::writeTables(StringRef Directory, const Recording &Subject,
                                 unsigned Part, const Tick &Progress) {
  // As Hive writes a partition whose column is null.
  std::string Rank = Subject.T.Info.Rank ? std::to_string(*Subject.T.Info.Rank)
                                         : "__HIVE_DEFAULT_PARTITION__";
  for (const auto &[I, T] : llvm::enumerate(AllTables)) {
    std::string Folder =
        fmt::format("{}/table={}/rank={}", Directory.str(), T.Name, Rank);
    if (std::error_code E = llvm::sys::fs::create_directories(Folder))
      return llvm::createStringError("cannot create the folder '" + Folder +
                                     "': " + E.message());
    llvm::Expected<OutputFile> File =
        OutputFile::create(fmt::format("{}/part-{}.csv", Folder, Part));
    if (!File)
      return File.takeError();
    Progress(I, std::size(AllTables));
    writeCsv(File->stream(), T, Subject);
    if (llvm::Error E = File->commit())
      return E;
  }
  return llvm::Error::success();
}
