// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "export/NsysWriter.h"

#include "export/NsysSchema.h"
#include "trace/pftrace/MetadataWriter.h"

#include "llvm/Support/FormatVariadic.h"

#include <set>

using namespace autoprof;
using namespace autoprof::exports;
using namespace autoprof::trace;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

// Of ENUM_NSYS_EVENT_TYPE.
constexpr int64_t PushPop = 59, StartEnd = 60, DomainCreate = 75;
/// For ranges and probes of the plugin.
constexpr int64_t OwnDomain = 1;

Cell number(uint64_t N) { return int64_t(N); }
/// For values of which 0 means unknown.
Cell known(uint64_t N) { return N ? number(N) : Cell(); }

int64_t numberOf(Direction D) {
  constexpr int64_t Numbers[] = {0, 1, 2, 8, 9, 10};
  return Numbers[unsigned(D)];
}

Cell numberOf(MemoryKind M) {
  constexpr int64_t Numbers[] = {-1, 0, 1, 2, 4};
  int64_t N = Numbers[unsigned(M)];
  return N < 0 ? Cell() : Cell(N);
}

int64_t numberOf(StreamFlag F) {
  constexpr int64_t Numbers[] = {3, 1, 2, 0};
  return Numbers[unsigned(F)];
}

int64_t numberOf(OverheadKind K) {
  constexpr int64_t Numbers[] = {8, 7, 4, 1};
  return Numbers[unsigned(K)];
}

class Writer {
  SqliteFile &Out;
  const Recording &Subject;
  const Timeline &T;
  const Tick &Progress;
  std::map<std::string, int64_t> Domains; ///< Of the program's own ranges.
  size_t Done = 0;

  // A process and a thread in one number, as Nsight Systems packs them.
  int64_t globalPid() const {
    return int64_t(1) << 48 | (T.Info.Pid & 0xFFFFFF) << 24;
  }
  int64_t globalTid(int64_t Tid) const {
    return globalPid() | (Tid & 0xFFFFFF);
  }
  int64_t threadOf(uint32_t I) const {
    return globalTid(T.Threads[T.Host.Thread[I]].Tid);
  }
  Cell correlation(uint32_t Call) const {
    return Call == None ? Cell() : number(Call + 1);
  }

  void step();
  void enums();
  void target();
  void call(uint32_t I);
  void range(uint32_t I);
  void op(uint32_t I);
  void kernel(uint32_t I, llvm::SmallVector<Cell> Cells);
  void syncs();
  void overheads();
  void domain(int64_t Id, StringRef Name);
  void findings();

public:
  Writer(SqliteFile &Out, const Recording &Subject, const Tick &Progress)
      : Out(Out), Subject(Subject), T(Subject.T), Progress(Progress) {}
  void write();
};

void Writer::step() {
  if (++Done % 8192 == 0)
    Progress(Done, T.Host.size() + T.Ops.size());
}

void Writer::enums() {
  std::set<StringRef> Made;
  for (const NsysEnum &E : NsysEnums) {
    if (Made.insert(E.Table).second)
      Out.create(E.Table, "id INTEGER, name TEXT, label TEXT");
    Out.insert(E.Table, {int64_t(E.Id), StringRef(E.Name), StringRef(E.Label)});
  }
}

void Writer::target() {
  for (auto [Name, Value] :
       {std::pair<StringRef, StringRef>("EXPORT_PRODUCT_NAME", "autoprof"),
        {"EXPORT_PRODUCT_VERSION", T.Info.Version},
        {"EXPORT_SCHEMA_VERSION", "3.16.1"},
        {"EXPORT_SCHEMA_VERSION_MAJOR", "3"},
        {"EXPORT_SCHEMA_VERSION_MINOR", "16"},
        {"EXPORT_SCHEMA_VERSION_MICRO", "1"},
        {"EXPORT_HOST", T.Info.Host}})
    Out.insert("META_DATA_EXPORT", {Name, Value});
  if (T.Info.Epoch)
    Out.insert("TARGET_INFO_SESSION_START_TIME", {*T.Info.Epoch});
  Out.insert("PROCESSES",
             {globalPid(), T.Info.Pid, StringRef(T.Info.CommandLine)});
  for (uint32_t I = 1; I < T.Strings.size(); ++I)
    Out.insert("StringIds", {number(I), T.Strings[I]});
  int64_t NextName = int64_t(T.Strings.size());
  for (const Thread &HostThread : T.Threads) {
    if (HostThread.Name.empty() || HostThread.Tid < 0)
      continue;
    Out.insert("StringIds", {NextName, StringRef(HostThread.Name)});
    Out.insert("ThreadNames",
               {NextName++, int64_t(0), globalTid(HostThread.Tid)});
  }
  for (const Device &D : T.Devices) {
    Out.insert(
        "TARGET_INFO_GPU",
        {number(D.Id), StringRef(D.Name), number(D.Sms), number(D.MemoryBytes),
         number(D.ComputeMajor), number(D.ComputeMinor), known(D.WarpsPerSm),
         known(D.BlocksPerSm), known(D.RegistersPerSm), known(D.SharedPerSm)});
    Out.insert("TARGET_INFO_CUDA_DEVICE",
               {number(D.Id), number(D.Id), T.Info.Pid});
  }
  for (const Queue &Q : T.Queues)
    Out.insert("TARGET_INFO_CUDA_STREAM",
               {number(Q.Stream), number(Q.Device), int64_t(1), T.Info.Pid,
                number(Q.Context), int64_t(0), numberOf(Q.Flag)});
  for (const auto &Documents : {metadataAtStart(T), metadataAtEnd(T)})
    for (const MetadataDocument &D : Documents) {
      std::string Text =
          llvm::formatv("{0}", json::Value(json::Object(D.Content)));
      Out.insert("AUTOPROF_METADATA", {StringRef(D.Name), StringRef(Text)});
    }
}

void Writer::call(uint32_t I) {
  const HostEvents &H = T.Host;
  Out.insert("CUPTI_ACTIVITY_KIND_RUNTIME",
             {H.Start[I], H.End[I], int64_t(H.Kind[I] == HostKind::Driver),
              threadOf(I), number(I + 1), number(H.Name[I]), int64_t(0),
              Cell()});
}

void Writer::domain(int64_t Id, StringRef Name) {
  Out.insert("NVTX_EVENTS",
             {T.begin(), Cell(), DomainCreate, Cell(), Cell(), Cell(), Name,
              globalTid(0), Cell(), Cell(), Id, Cell(), Cell()});
}

void Writer::range(uint32_t I) {
  const HostEvents &H = T.Host;
  const Site *S = H.Site[I] == None ? nullptr : &T.Sites[H.Site[I]];
  int64_t Domain = 0;
  Cell Payload;
  if (S && S->isUserRange()) {
    if (!S->Callee.empty()) {
      auto [It, IsNew] =
          Domains.try_emplace(S->Callee, OwnDomain + 1 + Domains.size());
      Domain = It->second;
      if (IsNew)
        domain(Domain, S->Callee);
    }
  } else if (S && S->Id) {
    Domain = OwnDomain;
    Payload = number(S->Id);
  }
  bool IsLane = T.Threads[H.Thread[I]].IsLane;
  // As nsys --pytorch marks operators; this one is named by the path to it.
  std::string Operator;
  if (S && S->isOperator())
    Operator = S->Callee + ", op_id = 0";
  Cell Text, TextId;
  if (Operator.empty())
    TextId = number(H.Name[I]);
  else
    Text = StringRef(Operator);
  Out.insert("NVTX_EVENTS", {H.Start[I], H.End[I], IsLane ? StartEnd : PushPop,
                             Cell(), Cell(), Cell(), Text, threadOf(I), Cell(),
                             TextId, Domain, Payload, Cell()});
}

void Writer::kernel(uint32_t I, llvm::SmallVector<Cell> Cells) {
  const Stage &S = T.Stages[T.Ops.Stage[I]];
  const LaunchShape &L = S.Shape;
  llvm::append_range(
      Cells, std::initializer_list<Cell>{
                 number(S.Name), number(S.Name), Cell(), number(L.Registers),
                 number(L.Grid[0]), number(L.Grid[1]), number(L.Grid[2]),
                 number(L.Block[0]), number(L.Block[1]), number(L.Block[2]),
                 L.Shared ? number(*L.Shared) : Cell(),
                 L.Shared ? number(0) : Cell(), Cell()});
  Out.insert("CUPTI_ACTIVITY_KIND_KERNEL", Cells);
}

void Writer::op(uint32_t I) {
  const GpuOps &O = T.Ops;
  const Queue &Q = T.Queues[O.Queue[I]];
  const Stage &S = T.Stages[O.Stage[I]];
  llvm::SmallVector<Cell> Cells{O.Start[I],       O.End[I],
                                number(Q.Device), number(Q.Context),
                                number(Q.Stream), correlation(O.Launch[I]),
                                globalPid()};
  switch (S.Kind) {
  case OpKind::Copy:
    llvm::append_range(Cells, std::initializer_list<Cell>{
                                  number(S.Bytes), numberOf(S.Dir),
                                  numberOf(S.Source), numberOf(S.Destination)});
    return Out.insert("CUPTI_ACTIVITY_KIND_MEMCPY", Cells);
  case OpKind::Set:
    llvm::append_range(Cells,
                       std::initializer_list<Cell>{int64_t(0), number(S.Bytes),
                                                   numberOf(S.Destination)});
    return Out.insert("CUPTI_ACTIVITY_KIND_MEMSET", Cells);
  case OpKind::Graph:
    llvm::append_range(Cells,
                       std::initializer_list<Cell>{int64_t(0), int64_t(0)});
    return Out.insert("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", Cells);
  case OpKind::Kernel:
  case OpKind::Other:
    return kernel(I, std::move(Cells));
  }
}

void Writer::syncs() {
  for (const SyncRecord &S : T.Syncs) {
    int64_t Device = T.Devices.empty() ? 0 : T.Devices.front().Id;
    for (const Queue &Q : T.Queues)
      if (Q.Context == S.Context)
        Device = Q.Device;
    // An unknown value is -1 in 32 bits, as in CUPTI.
    Out.insert("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
               {S.Start, S.Start + S.Duration, Device, number(S.Context),
                number(S.Stream), correlation(S.Call), globalPid(),
                int64_t(S.Type), int64_t(0)});
  }
}

void Writer::overheads() {
  for (const Overhead &O : T.Overheads)
    Out.insert("CUPTI_ACTIVITY_KIND_OVERHEAD",
               {O.Start, O.End, int64_t(0),
                O.Tid < 0 ? Cell() : Cell(globalTid(O.Tid)), Cell(), Cell(),
                numberOf(O.Kind)});
}

/// AUTOPROF_WAITS and the like.
void Writer::findings() {
  for (const Table &Definition : tables()) {
    if (!Definition.IsFound)
      continue;
    std::string Columns;
    for (const Column &C : Definition.Columns)
      Columns += (Columns.empty() ? "" : ", ") + std::string(C.Name) +
                 (C.Type == ColumnType::Text   ? " TEXT"
                  : C.Type == ColumnType::Real ? " REAL"
                                               : " INTEGER");
    std::string Name = "AUTOPROF_" + StringRef(Definition.Name).upper();
    Out.create(Name, Columns);
    Definition.Fill(Subject,
                    [&](llvm::ArrayRef<Cell> Row) { Out.insert(Name, Row); });
  }
}

void Writer::write() {
  for (const NsysTable &Definition : NsysTables)
    Out.create(Definition.Name, Definition.Columns);
  enums();
  target();
  domain(OwnDomain, "autoprof");
  for (uint32_t I = 0; I < T.Host.size(); ++I, step())
    T.Host.isCall(I) ? call(I) : range(I);
  for (uint32_t I = 0; I < T.Ops.size(); ++I, step())
    op(I);
  syncs();
  overheads();
  findings();
}

} // namespace

void exports::writeNsys(SqliteFile &Out, const Recording &Subject,
                        const Tick &Progress) {
  Writer(Out, Subject, Progress).write();
}
