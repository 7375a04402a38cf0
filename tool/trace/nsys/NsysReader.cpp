// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/Readers.h"

#include "trace/import/Collected.h"
#include "trace/import/Names.h"
#include "trace/nsys/Export.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

using namespace autoprof::trace;
using namespace autoprof::trace::nsys;
using llvm::StringRef;

namespace {

/// Of NVTX_EVENTS (ENUM_NSYS_EVENT_TYPE).
enum : int64_t { PushPop = 59, StartEnd = 60, DomainCreate = 75 };

class Reader {
  Database &D;
  std::optional<int64_t> Pid;
  Collected C;
  TimelineBuilder &B = C.Builder;
  nsys::Enums Enums;
  std::unordered_map<int64_t, uint32_t> Names;   ///< StringIds that are used.
  std::unordered_map<int64_t, uint32_t> Threads; ///< By global id.
  std::map<std::tuple<uint32_t, OpKind, Direction, MemoryKind, MemoryKind,
                      uint64_t, LaunchShape>,
           uint32_t>
      Stages;
  std::map<int64_t, uint32_t> Domains; ///< Names.
  std::vector<HostRow> Free;           ///< Ranges of no thread.
  uint64_t Invalid = 0;

  llvm::Error readNames();
  llvm::Error readCalls();
  llvm::Error readKernels();
  llvm::Error readTransfers();
  llvm::Error readGraphs();
  llvm::Error readSyncs();
  llvm::Error readOverheads();
  llvm::Error readRanges();
  llvm::Error readMachine();
  llvm::Error nameThreads();
  void addMissingNames();
  llvm::Error describe();
  llvm::Error addDiagnostics();

  bool isOther(std::optional<int64_t> Global) const {
    return Global && pidOf(*Global) != *Pid;
  }
  /// Counts those that cannot be.
  bool isSlice(int64_t Start, int64_t End);
  uint32_t name(std::optional<int64_t> Id) const;
  uint32_t thread(int64_t GlobalTid);
  uint32_t stage(const Stage &S);
  uint32_t transfer(Stage S);
  void operation(const DatabaseRow &Row, uint32_t Stage);
  void range(const DatabaseRow &Row);
  void addLanes();

public:
  Reader(Database &D, std::optional<int64_t> Pid, const Selection &Select)
      : D(D), Pid(Pid) {
    B.Select = Select;
  }
  llvm::Expected<Timeline> run();
};

bool Reader::isSlice(int64_t Start, int64_t End) {
  constexpr int64_t Limit = 4'000'000'000'000'000'000; // 126 years.
  bool IsValid = End >= Start && Start > -Limit && End < Limit;
  Invalid += !IsValid;
  return IsValid;
}

uint32_t Reader::name(std::optional<int64_t> Id) const {
  auto It = Id ? Names.find(*Id) : Names.end();
  return It == Names.end() ? 0 : It->second;
}

uint32_t Reader::thread(int64_t GlobalTid) {
  auto [It, New] = Threads.try_emplace(GlobalTid, 0);
  if (New)
    It->second = B.addThread(tidOf(GlobalTid), "");
  return It->second;
}

/// StringIds also holds whole files: only names that events use are kept.
llvm::Error Reader::readNames() {
  auto Use = [this](const DatabaseRow &Row) {
    for (int Column = 0; Column < 2; ++Column)
      if (auto Id = Row.optionalNumber(Column))
        Names.try_emplace(*Id, 0);
  };
  const std::pair<const char *, std::vector<const char *>> Users[] = {
      {Calls, {"nameId", "nameId"}},
      {Kernels, {"demangledName", "shortName"}},
      {Nvtx, {"textId", "textId"}},
      {"ThreadNames", {"nameId", "nameId"}}};
  for (const auto &[Table, Columns] : Users)
    if (llvm::Error E = D.forEach(Table, Columns, Use))
      return E;
  return D.forEach("StringIds", {"id", "value"},
                   [this](const DatabaseRow &Row) {
                     auto It = Names.find(Row.number(0));
                     if (It != Names.end())
                       It->second = B.T.Strings.intern(apiName(Row.text(1)));
                   });
}

llvm::Error Reader::readCalls() {
  return D.forEach(
      Calls, {"start", "end", "globalTid", "correlationId", "nameId"},
      [this](const DatabaseRow &Row) {
        if (isOther(Row.optionalNumber(2)) ||
            !isSlice(Row.number(0), Row.number(1)))
          return;
        uint32_t Name = name(Row.optionalNumber(4));
        bool IsDriver = B.T.Strings[Name].starts_with("cu") &&
                        !B.T.Strings[Name].starts_with("cuda");
        C.Host.push_back({Row.number(0), Row.number(1), uint64_t(Row.number(3)),
                          Name, thread(Row.number(2)),
                          IsDriver ? HostRole::Driver : HostRole::Api});
      });
}

/// What operations of all tables have; see operation().
#define AUTOPROF_OPERATION                                                     \
  "start", "end", "globalPid", "deviceId", "contextId", "streamId",            \
      "correlationId"
constexpr int FirstOwnColumn = 7; ///< The first column after these.

void Reader::operation(const DatabaseRow &Row, uint32_t Stage) {
  if (isOther(Row.optionalNumber(2)) || !isSlice(Row.number(0), Row.number(1)))
    return;
  uint32_t Queue = B.queue(uint32_t(Row.number(3)), uint32_t(Row.number(4)),
                           uint32_t(Row.number(5)));
  C.Ops.push_back(
      {Row.number(0), Row.number(1), uint64_t(Row.number(6)), Queue, Stage});
}

uint32_t Reader::stage(const Stage &S) {
  auto [It, New] = Stages.try_emplace(
      {S.Name, S.Kind, S.Dir, S.Source, S.Destination, S.Bytes, S.Shape}, 0);
  if (New)
    It->second = B.addStage(S);
  return It->second;
}

/// Copies and sets have no names in the file.
uint32_t Reader::transfer(Stage S) {
  std::string Name = transferName(S);
  S.Name = B.T.Strings.intern(Name.empty() ? "Memcpy" : Name);
  return stage(S);
}

llvm::Error Reader::readKernels() {
  constexpr int Shape = FirstOwnColumn + 2;
  return D.forEach(
      Kernels,
      {AUTOPROF_OPERATION, "demangledName", "shortName", "gridX", "gridY",
       "gridZ", "blockX", "blockY", "blockZ", "registersPerThread",
       "staticSharedMemory", "dynamicSharedMemory"},
      [this](const DatabaseRow &Row) {
        Stage S;
        S.Kind = OpKind::Kernel;
        S.Name = name(Row.optionalNumber(FirstOwnColumn));
        if (!S.Name)
          S.Name = name(Row.optionalNumber(FirstOwnColumn + 1));
        for (int I = 0; I < 3; ++I) {
          S.Shape.Grid[I] = uint32_t(Row.number(Shape + I));
          S.Shape.Block[I] = uint32_t(Row.number(Shape + 3 + I));
        }
        S.Shape.Registers = uint32_t(Row.number(Shape + 6));
        if (!Row.isNull(Shape + 7) && !Row.isNull(Shape + 8))
          S.Shape.Shared = uint64_t(uint32_t(Row.number(Shape + 7))) +
                           uint32_t(Row.number(Shape + 8));
        operation(Row, stage(S));
      });
}

llvm::Error Reader::readTransfers() {
  if (llvm::Error E = D.forEach(
          Copies,
          {AUTOPROF_OPERATION, "bytes", "copyKind", "srcKind", "dstKind"},
          [&](const DatabaseRow &Row) {
            int64_t Kind = Row.number(FirstOwnColumn + 1);
            if (Enums.isMigration(Kind))
              return;
            Stage S;
            S.Kind = OpKind::Copy;
            S.Bytes = uint64_t(Row.number(FirstOwnColumn));
            S.Dir = Enums.direction(Kind);
            S.Source = Enums.memory(Row.optionalNumber(FirstOwnColumn + 2));
            S.Destination =
                Enums.memory(Row.optionalNumber(FirstOwnColumn + 3));
            operation(Row, transfer(S));
          }))
    return E;
  return D.forEach(Sets, {AUTOPROF_OPERATION, "bytes", "memKind"},
                   [&](const DatabaseRow &Row) {
                     Stage S;
                     S.Kind = OpKind::Set;
                     S.Bytes = uint64_t(Row.number(FirstOwnColumn));
                     S.Destination =
                         Enums.memory(Row.optionalNumber(FirstOwnColumn + 1));
                     operation(Row, transfer(S));
                   });
}

llvm::Error Reader::readGraphs() {
  Stage S;
  S.Kind = OpKind::Graph;
  S.Name = B.T.Strings.intern("graph");
  return D.forEach(Graphs, {AUTOPROF_OPERATION},
                   [&](const DatabaseRow &Row) { operation(Row, stage(S)); });
}

llvm::Error Reader::readSyncs() {
  return D.forEach(Syncs,
                   {"start", "end", "globalPid", "contextId", "streamId",
                    "correlationId", "syncType"},
                   [this](const DatabaseRow &Row) {
                     if (isOther(Row.optionalNumber(2)) ||
                         !isSlice(Row.number(0), Row.number(1)))
                       return;
                     SyncRecord S;
                     S.Start = Row.number(0);
                     S.Duration = Row.number(1) - Row.number(0);
                     S.Type = Enums.sync(Row.number(6));
                     // -1 in 32 bits: of the context, not of a stream.
                     S.Context = uint32_t(Row.optionalNumber(3).value_or(-1));
                     S.Stream = uint32_t(Row.optionalNumber(4).value_or(-1));
                     C.Syncs.push_back({S, uint64_t(Row.number(5))});
                   });
}

llvm::Error Reader::readOverheads() {
  return D.forEach(Overheads, {"start", "end", "globalTid", "overheadType"},
                   [this](const DatabaseRow &Row) {
                     if (isOther(Row.optionalNumber(2)) ||
                         !isSlice(Row.number(0), Row.number(1)))
                       return;
                     int64_t Tid = Row.isNull(2) ? -1 : tidOf(Row.number(2));
                     C.Overheads.push_back({Row.number(0), Row.number(1),
                                            Enums.overhead(Row.number(3)),
                                            Tid});
                   });
}

void Reader::range(const DatabaseRow &Row) {
  int64_t Start = Row.number(0), End = Row.number(1), Type = Row.number(2);
  if (isOther(Row.optionalNumber(3)) || (Type != PushPop && Type != StartEnd) ||
      Row.isNull(1) || !isSlice(Start, End))
    return;
  StringRef Text =
      Row.isNull(4) ? B.T.Strings[name(Row.optionalNumber(5))] : Row.text(4);
  HostRow Range{Start, End, 0, 0, 0, HostRole::Range};
  auto Domain = Domains.find(Row.number(6));
  if (std::optional<MarkedOperator> Operator = markedOperator(Text)) {
    Range.Role = HostRole::Operator;
    Range.Id = B.T.Strings.intern(Operator->Shapes);
    Text = Operator->Name;
  } else if (Domain != Domains.end()) {
    Range.Id = Domain->second;
  }
  Range.Name = B.T.Strings.intern(Text);
  if (Type == StartEnd) {
    Free.push_back(Range);
    return;
  }
  Range.Thread = thread(Row.number(3));
  C.Host.push_back(Range);
}

/// Ranges that begin and end anywhere do not nest on a thread: those that
/// overlap get lanes of their own.
void Reader::addLanes() {
  llvm::sort(Free, [](const HostRow &A, const HostRow &B) {
    return std::tie(A.Start, A.End, A.Name) < std::tie(B.Start, B.End, B.Name);
  });
  std::vector<std::pair<int64_t, uint32_t>> Lanes; // Last end, thread.
  for (HostRow &Range : Free) {
    auto Lane = llvm::find_if(
        Lanes, [&](const auto &L) { return L.first <= Range.Start; });
    if (Lane == Lanes.end()) {
      uint32_t Thread = B.addThread(-1, "NVTX start/end ranges");
      B.T.Threads[Thread].IsLane = true;
      Lane = Lanes.insert(Lanes.end(), {0, Thread});
    }
    Lane->first = Range.End;
    Range.Thread = Lane->second;
    C.Host.push_back(Range);
  }
}

llvm::Error Reader::readRanges() {
  if (llvm::Error E = D.forEach(
          Nvtx, {"domainId", "text", "textId", "eventType", "globalTid"},
          [this](const DatabaseRow &Row) {
            if (Row.number(3) != DomainCreate || isOther(Row.optionalNumber(4)))
              return;
            Domains[Row.number(0)] = Row.isNull(1)
                                         ? name(Row.optionalNumber(2))
                                         : B.T.Strings.intern(Row.text(1));
          }))
    return E;
  llvm::Error E = D.forEach(
      Nvtx,
      {"start", "end", "eventType", "globalTid", "text", "textId", "domainId"},
      [this](const DatabaseRow &Row) { range(Row); });
  addLanes();
  return E;
}

llvm::Error Reader::nameThreads() {
  return D.forEach("ThreadNames", {"globalTid", "nameId"},
                   [this](const DatabaseRow &Row) {
                     auto It = Threads.find(Row.number(0));
                     if (It != Threads.end())
                       B.T.Threads[It->second].Name =
                           B.T.Strings[name(Row.optionalNumber(1))].str();
                   });
}

/// Ranges, operators and source lines.
void Reader::addMissingNames() {
  std::vector<std::string> &Limits = B.T.Info.Source.Limits;
  const bool HasOperators = llvm::any_of(
      C.Host, [](const HostRow &R) { return R.Role == HostRole::Operator; });
  const bool IsTorch = llvm::any_of(B.T.Stages, [this](const Stage &S) {
    return B.T.Strings[S.Name].contains("at::native::");
  });
  if (IsTorch && !HasOperators)
    Limits.push_back("It has no operators of PyTorch; 'nsys profile "
                     "--trace=cuda,nvtx --pytorch=autograd-nvtx' records "
                     "them.");
  if (!D.hasTable(Nvtx))
    Limits.push_back("It has no NVTX ranges; if the program makes some, 'nsys "
                     "profile --trace=cuda,nvtx' records them.");
  Limits.push_back("It has no source lines; 'autoprof run --stacks' records "
                   "them.");
}

llvm::Error Reader::describe() {
  std::string Version;
  auto Each = [&](const DatabaseRow &Row) {
    if (Row.text(0) == "EXPORT_PRODUCT_VERSION")
      Version = Row.text(1).str();
    if (Row.text(0) == "EXPORT_HOST")
      B.T.Info.Host = Row.text(1).str();
  };
  if (llvm::Error E = D.forEach("META_DATA_EXPORT", {"name", "value"}, Each))
    return E;
  B.T.Info.Source.Producer =
      "Nsight Systems" + (Version.empty() ? "" : " " + Version);
  if (C.Ops.empty())
    B.T.Info.CuptiReason = "the profiler recorded calls, but no GPU operation";
  if (C.Syncs.empty())
    B.T.Info.Source.Limits.push_back(
        noSyncRecords(B.T.Queues.size() > 1).str() +
        "; 'autoprof run' records them.");
  if (!D.hasTable("TARGET_INFO_CUDA_STREAM") && B.T.Queues.size() > 1)
    B.T.Info.Source.Limits.push_back(noStreamFlags().str());
  addMissingNames();
  return llvm::Error::success();
}

llvm::Error Reader::readMachine() {
  if (llvm::Error E = readStreamFlags(D, *Pid, Enums, B.T.Queues))
    return E;
  if (llvm::Error E = readDevices(D, *Pid, B.T))
    return E;
  return readStart(D, C.Epoch);
}

/// What Nsight Systems says itself about losses.
llvm::Error Reader::addDiagnostics() {
  llvm::Expected<std::vector<std::string>> Texts = readDiagnostics(D);
  if (!Texts)
    return Texts.takeError();
  for (const std::string &Text : *Texts)
    if (C.Ops.empty() || StringRef(Text).contains("CUDA"))
      B.T.Info.Source.Limits.push_back("Nsight Systems reported: " + Text +
                                       ".");
  return llvm::Error::success();
}

llvm::Expected<Timeline> Reader::run() {
  llvm::Expected<ChosenProcess> Process = chooseProcess(D, Pid);
  if (!Process)
    return Process.takeError();
  Pid = B.T.Info.Pid = Process->Pid;
  if (!Process->Note.empty())
    B.T.Info.Source.Limits.push_back(Process->Note);
  if (llvm::Error E = Enums.read(D))
    return std::move(E);
  for (auto Step :
       {&Reader::readNames, &Reader::readCalls, &Reader::readKernels,
        &Reader::readTransfers, &Reader::readGraphs, &Reader::readSyncs,
        &Reader::readOverheads, &Reader::readRanges, &Reader::readMachine,
        &Reader::nameThreads, &Reader::describe, &Reader::addDiagnostics})
    if (llvm::Error E = (this->*Step)())
      return std::move(E);
  B.T.Unread.EventsInvalid = Invalid;
  return C.finish();
}

} // namespace

/// Tables that can be long, and how often they are gone through.
static uint64_t rowsToRead(Database &D) {
  constexpr std::pair<const char *, unsigned> Passes[] = {
      {Calls, 3}, {Kernels, 3}, {Nvtx, 3},  {Copies, 2},
      {Sets, 2},  {Graphs, 2},  {Syncs, 1}, {Overheads, 1}};
  uint64_t Sum = 0;
  for (auto [Table, Times] : Passes)
    Sum += Times * D.rowsAbout(Table);
  return Sum;
}

llvm::Expected<Timeline>
autoprof::trace::readNsys(StringRef Path, std::optional<int64_t> Pid,
                          const ProgressFunction &Progress,
                          const Selection &Select) {
  llvm::Expected<Database> D = Database::open(Path);
  if (!D)
    return D.takeError();
  if (Progress)
    if (uint64_t Total = rowsToRead(*D))
      D->onRows([&Progress, Total](uint64_t Read) {
        Progress(std::min(1.0, double(Read) / double(Total)));
      });
  return Reader(*D, Pid, Select).run();
}

static bool isNsys(const TraceFile &File) {
  // Nsight Systems' own reports are recognized, to report what to do with them.
  return File.start().starts_with("SQLite format 3") ||
         File.path().ends_with(".nsys-rep") || File.path().ends_with(".qdrep");
}

static llvm::Expected<Timeline> readSqlite(TraceFile &File,
                                           const ReadOptions &Options) {
  if (!File.start().starts_with("SQLite format 3"))
    return llvm::createStringError(
        "it is a report of Nsight Systems; export it with 'nsys export "
        "--type=sqlite' and give that file");
  if (File.isPacked())
    return llvm::createStringError(
        "it is an SQLite file in a gzip file; unpack it first");
  return readNsys(File.path(), Options.Pid, Options.Progress, Options.Select);
}

const Format autoprof::trace::NsysFormat = {isNsys, readSqlite};
