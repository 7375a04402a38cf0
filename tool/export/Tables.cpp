// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "export/Tables.h"

#include "trace/timeline/Words.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::exports;
using trace::None;
using trace::Site;
using trace::Timeline;

namespace {

constexpr auto Integer = ColumnType::Integer;
constexpr auto Boolean = ColumnType::Boolean;
constexpr auto Text = ColumnType::Text;

/// "": unknown.
Cell text(llvm::StringRef S) { return S.empty() ? Cell() : Cell(S); }
template <typename Number> Cell known(const std::optional<Number> &N) {
  return N ? Cell(int64_t(*N)) : Cell();
}
/// 0: unknown.
Cell positive(uint64_t N) { return N ? Cell(int64_t(N)) : Cell(); }
Cell number(uint64_t N) { return int64_t(N); }

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

constexpr Column ProcessColumns[] = {{"path", Text},
                                     {"pid", Integer},
                                     {"host", Text},
                                     {"command", Text},
                                     {"mode", Text},
                                     {"local_rank", Integer},
                                     {"ranks", Integer},
                                     {"cupti", Text},
                                     {"ended_in_order", Boolean},
                                     {"wall_ns", Integer},
                                     {"recorded_ns", Integer},
                                     {"gpu_span_ns", Integer},
                                     {"wait_ns", Integer},
                                     {"drains", Integer},
                                     {"step_source", Text},
                                     {"regime", Text},
                                     {"cupti_dropped", Integer},
                                     {"bytes_dropped", Integer}};

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

constexpr Column DeviceColumns[] = {{"device", Integer},
                                    {"name", Text},
                                    {"ops", Integer},
                                    {"span_ns", Integer},
                                    {"busy_ns", Integer}};

void devices(const Recording &Subject, RowSink Row) {
  for (auto [D, Device] : llvm::zip(Subject.R.Devices, Subject.T.Devices))
    Row({number(D.Device), text(Device.Name), number(D.Ops), D.span(), D.Busy});
}

constexpr Column StepColumns[] = {{"step", Integer},    {"start_ns", Integer},
                                  {"end_ns", Integer},  {"time_ns", Integer},
                                  {"lead_ns", Integer}, {"counts", Boolean}};

void steps(const Recording &Subject, RowSink Row) {
  const analysis::Steps &S = Subject.R.Steps;
  for (size_t I = 0; I < S.List.size(); ++I) {
    const analysis::Step &One = S.List[I];
    Row({number(I + 1), One.Start, One.End,
         One.TimeKnown ? Cell(One.Time) : Cell(), One.Lead, I >= S.WarmUp});
  }
}

constexpr Column SiteColumns[] = {{"site_id", Text},
                                  {"file", Text},
                                  {"line", Integer},
                                  {"function", Text},
                                  {"call", Text},
                                  {"kind", Text},
                                  {"count", Integer},
                                  {"host_ns", Integer},
                                  {"waits", Integer},
                                  {"wait_ns", Integer},
                                  {"exposed_ns", Integer},
                                  {"gain_low_ns", Integer},
                                  {"gain_high_ns", Integer},
                                  {"step_waits", Integer},
                                  {"step_wait_ns", Integer},
                                  {"step_exposed_ns", Integer},
                                  {"verdict", Text}};

void sites(const Recording &Subject, RowSink Row) {
  for (const analysis::SiteRow &S : Subject.R.Sites) {
    PlaceCells Cells(S.Site == None ? nullptr : &Subject.T.Sites[S.Site]);
    auto Gain = [&S](int64_t analysis::Gain::*End) {
      return S.Gained ? Cell((*S.Gained).*End) : Cell();
    };
    auto InSteps = [&S](int64_t analysis::SiteSteps::*Sum) {
      return S.Steps ? Cell((*S.Steps).*Sum) : Cell();
    };
    Row({text(Cells.Id), Cells.File, Cells.Line, Cells.Function, text(S.Call),
         text(S.Kind), number(S.Count), S.HostTime, number(S.Waits),
         known(S.Wait), known(S.Exposed), Gain(&analysis::Gain::Low),
         Gain(&analysis::Gain::High),
         S.Steps ? Cell(number(S.Steps->Waits)) : Cell(),
         InSteps(&analysis::SiteSteps::Wait),
         InSteps(&analysis::SiteSteps::Exposed),
         text(analysis::name(S.Judged.Kind))});
  }
}

constexpr Column WaitColumns[] = {
    {"start_ns", Integer},   {"end_ns", Integer}, {"wait_ns", Integer},
    {"exposed_ns", Integer}, {"step", Integer},   {"thread", Integer},
    {"call_id", Integer},    {"call", Text},      {"site_id", Text},
    {"file", Text},          {"line", Integer},   {"function", Text},
    {"device", Integer},     {"stream", Integer}, {"waited_for", Text}};

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

constexpr Column GapColumns[] = {{"device", Integer}, {"start_ns", Integer},
                                 {"end_ns", Integer}, {"cause", Text},
                                 {"call", Text},      {"site_id", Text},
                                 {"file", Text},      {"line", Integer},
                                 {"function", Text},  {"call_id", Integer}};

void gaps(const Recording &Subject, RowSink Row) {
  const analysis::Result &R = Subject.R;
  auto Add = [&](const analysis::GapPart &P) {
    const analysis::Reason &Reason = R.Causes.Reasons[P.Reason];
    PlaceCells Cells(Reason.Site == None ? nullptr
                                         : &Subject.T.Sites[Reason.Site]);
    Row({number(R.Devices[P.Device].Device), P.Start, P.End,
         analysis::name(Reason.Kind),
         Reason.Call == None ? Cell() : Cell(Subject.T.Strings[Reason.Call]),
         text(Cells.Id), Cells.File, Cells.Line, Cells.Function,
         P.Wait == None ? Cell() : number(R.Waits[P.Wait].Call + 1)});
  };
  analysis::forEachGapPart(R.Devices, R.Stalls, R.Causes, Subject.T.begin(),
                           Subject.T.end(), Add);
}

constexpr Column CallColumns[] = {{"call_id", Integer}, {"start_ns", Integer},
                                  {"end_ns", Integer},  {"thread", Integer},
                                  {"call", Text},       {"api", Text},
                                  {"site_id", Text}};

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

constexpr Column RangeColumns[] = {
    {"start_ns", Integer}, {"end_ns", Integer}, {"thread", Integer},
    {"name", Text},        {"kind", Text},      {"site_id", Text},
    {"file", Text},        {"line", Integer},   {"domain", Text}};

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

constexpr Column OpColumns[] = {{"start_ns", Integer},
                                {"end_ns", Integer},
                                {"device", Integer},
                                {"context", Integer},
                                {"stream", Integer},
                                {"kind", Text},
                                {"name", Text},
                                {"direction", Text},
                                {"source", Text},
                                {"destination", Text},
                                {"bytes", Integer},
                                {"blocks", Integer},
                                {"block_threads", Integer},
                                {"registers", Integer},
                                {"shared_bytes", Integer},
                                {"call_id", Integer}};

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

} // namespace

llvm::ArrayRef<Table> exports::tables() { return AllTables; }

std::string exports::siteId(const Site *S) {
  return S && S->Id ? fmt::format("{:#018x}", S->Id) : std::string();
}

size_t exports::stepAt(const analysis::Steps &S, int64_t Time) {
  auto Next = llvm::upper_bound(
      S.List, Time,
      [](int64_t Time, const analysis::Step &One) { return Time < One.Start; });
  if (Next == S.List.begin() || Time >= std::prev(Next)->End)
    return 0;
  return Next - S.List.begin();
}
