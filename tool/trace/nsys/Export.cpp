// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/nsys/Export.h"

#include "trace/import/Names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace autoprof::trace;
using namespace autoprof::trace::nsys;
using llvm::StringRef;

namespace {

struct Amount {
  uint64_t Ops = 0, Calls = 0;
  bool operator<(const Amount &B) const {
    return std::pair(Ops, Calls) < std::pair(B.Ops, B.Calls);
  }
};
using Amounts = std::map<int64_t, Amount>; ///< By pid.

/// Of the processes with calls.
llvm::Expected<Amounts> count(Database &D) {
  Amounts All;
  if (llvm::Error E =
          D.forEach(Calls, {"globalTid"}, [&All](const DatabaseRow &Row) {
            ++All[pidOf(Row.number(0))].Calls;
          }))
    return std::move(E);
  for (const char *Table : {Kernels, Copies, Sets, Graphs})
    if (llvm::Error E =
            D.forEach(Table, {"globalPid"}, [&All](const DatabaseRow &Row) {
              auto It = All.find(pidOf(Row.number(0)));
              if (It != All.end())
                ++It->second.Ops;
            }))
      return std::move(E);
  return All;
}

} // namespace

llvm::Expected<std::vector<std::string>> nsys::readDiagnostics(Database &D) {
  constexpr int64_t Info = 1, Warning = 2, Error = 3;
  constexpr size_t Most = 3;
  std::vector<std::pair<int64_t, std::string>> Found;
  bool IsSerious = false;
  if (llvm::Error E = D.forEach(
          "DIAGNOSTIC_EVENT", {"severity", "text"},
          [&](const DatabaseRow &Row) {
            const int64_t Severity = Row.number(0);
            StringRef Text = Row.text(1).trim().rtrim('.');
            const bool Counts = Severity == Warning || Severity == Error ||
                                (Severity == Info && (Text.contains("CUDA") ||
                                                      Text.contains("CUPTI")));
            if (!Counts || Text.empty())
              return;
            IsSerious |= Severity != Info;
            std::pair<int64_t, std::string> One(Severity, "");
            for (StringRef Rest = Text; !Rest.empty();) {
              auto [Line, Others] = Rest.split('\n');
              One.second += (One.second.empty() ? "" : " ") + Line.trim().str();
              Rest = Others;
            }
            if (!llvm::is_contained(Found, One))
              Found.push_back(std::move(One));
          }))
    return std::move(E);
  if (IsSerious)
    llvm::erase_if(Found, [](const auto &One) { return One.first == Info; });
  llvm::stable_sort(
      Found, [](const auto &A, const auto &B) { return A.first > B.first; });
  std::vector<std::string> Texts;
  for (auto &[Severity, Text] : Found)
    if (Texts.size() < Most)
      Texts.push_back(std::move(Text));
  return Texts;
}

/// `What`, and what Nsight Systems reports about that.
static llvm::Error withDiagnostics(Database &D, StringRef What,
                                   StringRef OrElse) {
  llvm::Expected<std::vector<std::string>> Reasons = nsys::readDiagnostics(D);
  if (!Reasons)
    return Reasons.takeError();
  if (Reasons->empty())
    return llvm::createStringError(What + OrElse);
  return llvm::createStringError(
      What + "; Nsight Systems reported: " + llvm::join(*Reasons, "; "));
}

llvm::Expected<ChosenProcess> nsys::chooseProcess(Database &D,
                                                  std::optional<int64_t> Pid) {
  if (!D.hasTable(Calls)) {
    if (D.hasTable("StringIds"))
      return withDiagnostics(
          D,
          "it is an export of Nsight Systems without calls of CUDA (no table "
          "CUPTI_ACTIVITY_KIND_RUNTIME)",
          "; record with 'nsys profile --trace=cuda,nvtx'");
    return llvm::createStringError(
        "it is an SQLite file, but no export of Nsight Systems: it has no "
        "table CUPTI_ACTIVITY_KIND_RUNTIME");
  }
  llvm::Expected<Amounts> All = count(D);
  if (!All)
    return All.takeError();
  if (All->empty())
    return withDiagnostics(D, "it has no call of CUDA", "");
  std::vector<std::string> Names;
  for (const auto &[Name, Of] : *All)
    Names.push_back(std::to_string(Name));
  const std::string List = llvm::join(Names, ", ");
  if (Pid && !All->count(*Pid))
    return llvm::createStringError("it has no process " + std::to_string(*Pid) +
                                   " with calls of CUDA; there are " + List);
  if (Pid)
    return ChosenProcess{*Pid, ""};
  auto Busiest = llvm::max_element(
      *All, [](const auto &A, const auto &B) { return A.second < B.second; });
  ChosenProcess Chosen{Busiest->first, ""};
  const bool HasEqual = llvm::count_if(*All, [Busiest](const auto &Other) {
                          return Other.second.Ops == Busiest->second.Ops;
                        }) > 1;
  if (Names.size() > 1)
    Chosen.Note =
        "The file has " + std::to_string(Names.size()) + " processes (" + List +
        "); the report is about process " + std::to_string(Chosen.Pid) +
        (HasEqual ? " (another one has the same number of GPU operations"
                  : " (the others have fewer GPU operations") +
        "). --pid selects another.";
  return Chosen;
}

llvm::Error Enums::read(Database &D) {
  struct Table {
    const char *Name;
    Names &Out;
    Names Default;
  };
  Table Tables[] = {
      {"ENUM_CUDA_MEMCPY_OPER",
       Copies,
       {{1, "_HTOD"},
        {2, "_DTOH"},
        {8, "_DTOD"},
        {9, "_HTOH"},
        {10, "_PTOP"},
        {11, "_UVM_HTOD"},
        {12, "_UVM_DTOH"},
        {13, "_UVM_DTOD"}}},
      {"ENUM_CUDA_MEM_KIND",
       Memory,
       {{0, "_PAGEABLE"},
        {1, "_PINNED"},
        {2, "_DEVICE"},
        {3, "_ARRAY"},
        {4, "_MANAGED"}}},
      {"ENUM_CUPTI_STREAM_TYPE",
       Streams,
       {{1, "_DEFAULT"}, {2, "_NON_BLOCKING"}, {3, "_NULL"}}},
      {"ENUM_CUPTI_SYNC_TYPE",
       Syncs,
       {{1, "_EVENT_SYNCHRONIZE"},
        {2, "_STREAM_WAIT_EVENT"},
        {3, "_STREAM_SYNCHRONIZE"},
        {4, "_CONTEXT_SYNCHRONIZE"}}},
      {"ENUM_CUPTI_OVERHEAD_TYPE", Overheads, {}},
  };
  for (Table &T : Tables) {
    if (llvm::Error E =
            D.forEach(T.Name, {"id", "name"}, [&T](const DatabaseRow &Row) {
              T.Out[Row.number(0)] = Row.text(1).str();
            }))
      return E;
    if (T.Out.empty())
      T.Out = std::move(T.Default);
  }
  return llvm::Error::success();
}

StringRef Enums::nameOf(const Names &Table, int64_t Number) {
  auto It = Table.find(Number);
  return It == Table.end() ? StringRef() : StringRef(It->second);
}

Direction Enums::direction(int64_t CopyKind) const {
  return llvm::StringSwitch<Direction>(nameOf(Copies, CopyKind))
      .EndsWith("_HTOD", Direction::HtoD)
      .EndsWith("_HTOA", Direction::HtoD)
      .EndsWith("_DTOH", Direction::DtoH)
      .EndsWith("_ATOH", Direction::DtoH)
      .EndsWith("_HTOH", Direction::HtoH)
      .EndsWith("_PTOP", Direction::PtoP)
      .EndsWith("_DTOD", Direction::DtoD)
      .EndsWith("_ATOD", Direction::DtoD)
      .EndsWith("_DTOA", Direction::DtoD)
      .EndsWith("_ATOA", Direction::DtoD)
      .Default(Direction::Unknown);
}

bool Enums::isMigration(int64_t CopyKind) const {
  return nameOf(Copies, CopyKind).contains("_UVM_");
}

MemoryKind Enums::memory(std::optional<int64_t> Kind) const {
  if (!Kind)
    return MemoryKind::Unknown;
  return llvm::StringSwitch<MemoryKind>(nameOf(Memory, *Kind))
      .EndsWith("_PAGEABLE", MemoryKind::Pageable)
      .EndsWith("_PINNED", MemoryKind::Pinned)
      .EndsWith("_DEVICE", MemoryKind::Device)
      .EndsWith("_DEVICE_STATIC", MemoryKind::Device)
      .EndsWith("_ARRAY", MemoryKind::Device)
      .EndsWith("_MANAGED", MemoryKind::Managed)
      .EndsWith("_MANAGED_STATIC", MemoryKind::Managed)
      .Default(MemoryKind::Unknown);
}

StreamFlag Enums::stream(int64_t Flag) const {
  return llvm::StringSwitch<StreamFlag>(nameOf(Streams, Flag))
      .EndsWith("_NON_BLOCKING", StreamFlag::NonBlocking)
      .EndsWith("_DEFAULT", StreamFlag::Blocking)
      .EndsWith("_NULL", StreamFlag::Null)
      .Default(StreamFlag::Unknown);
}

SyncType Enums::sync(int64_t Type) const {
  return llvm::StringSwitch<SyncType>(nameOf(Syncs, Type))
      .EndsWith("_STREAM_WAIT_EVENT", SyncType::StreamWaitEvent)
      .EndsWith("_STREAM_SYNCHRONIZE", SyncType::Stream)
      .EndsWith("_CONTEXT_SYNCHRONIZE", SyncType::Context)
      .Default(SyncType::Event);
}

OverheadKind Enums::overhead(int64_t Type) const {
  std::string Name = nameOf(Overheads, Type).str();
  llvm::replace(Name, '_', ' ');
  return overheadKind(Name);
}

llvm::Error nsys::readStreamFlags(Database &D, int64_t Pid, const Enums &Enums,
                                  std::vector<Queue> &Queues) {
  auto Set = [&](const DatabaseRow &Row, StreamFlag Flag) {
    if (Row.isNull(0) || Row.number(2) != Pid || Flag == StreamFlag::Unknown)
      return;
    for (Queue &Q : Queues)
      if (Q.Stream == uint32_t(Row.number(0)) &&
          Q.Context == uint32_t(Row.number(1)))
        Q.Flag = Flag;
  };
  if (llvm::Error E = D.forEach("TARGET_INFO_CUDA_STREAM",
                                {"streamId", "contextId", "processId", "flag"},
                                [&](const DatabaseRow &Row) {
                                  Set(Row, Enums.stream(Row.number(3)));
                                }))
    return E;
  // Of each context the default stream, which the first table may lack.
  for (auto [Table, Stream] :
       {std::pair("TARGET_INFO_CUDA_CONTEXT_INFO", "nullStreamId"),
        {"TARGET_INFO_CUDA_NULL_STREAM", "streamId"}})
    if (llvm::Error E = D.forEach(
            Table, {Stream, "contextId", "processId"},
            [&](const DatabaseRow &Row) { Set(Row, StreamFlag::Null); }))
      return E;
  return llvm::Error::success();
}

llvm::Error nsys::readDevices(Database &D, int64_t Pid, Timeline &Out) {
  // A process may see the machine's GPUs under other numbers.
  std::map<int64_t, int64_t> GpuOf;
  if (llvm::Error E =
          D.forEach("TARGET_INFO_CUDA_DEVICE", {"cudaId", "gpuId", "pid"},
                    [&](const DatabaseRow &Row) {
                      if (Row.isNull(2) || Row.number(2) == Pid)
                        GpuOf[Row.number(0)] = Row.number(1);
                    }))
    return E;
  std::map<int64_t, Device> Gpus;
  if (llvm::Error E =
          D.forEach("TARGET_INFO_GPU",
                    {"id", "name", "computeMajor", "computeMinor", "smCount",
                     "totalMemory", "maxWarpsPerSm", "maxBlocksPerSm",
                     "maxRegistersPerSm", "maxShmemPerSm"},
                    [&](const DatabaseRow &Row) {
                      auto Small = [&Row](int Column) {
                        return uint32_t(Row.number(Column));
                      };
                      Gpus[Row.number(0)] = {0,        Row.text(1).str(),
                                             Small(2), Small(3),
                                             Small(4), uint64_t(Row.number(5)),
                                             Small(6), Small(7),
                                             Small(8), Small(9)};
                    }))
    return E;
  std::map<uint32_t, Device> Used;
  for (const Queue &Q : Out.Queues) {
    auto Number = GpuOf.find(Q.Device);
    Device &Described = Used[Q.Device] =
        Gpus[Number == GpuOf.end() ? Q.Device : Number->second];
    Described.Id = Q.Device;
  }
  for (const auto &[Id, Described] : Used)
    Out.Devices.push_back(Described);
  return llvm::Error::success();
}

llvm::Error nsys::readStart(Database &D, std::optional<int64_t> &Epoch) {
  return D.forEach(
      "TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"},
      [&Epoch](const DatabaseRow &Row) { Epoch = Row.optionalNumber(0); });
}
