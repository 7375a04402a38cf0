// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/nsys/Enums.h"

#include "llvm/ADT/StringSwitch.h"

using namespace autoprof::trace;
using llvm::StringRef;

llvm::Error NsysEnums::read(Database &D) {
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

StringRef NsysEnums::nameOf(const Names &Table, int64_t Number) {
  auto It = Table.find(Number);
  return It == Table.end() ? StringRef() : StringRef(It->second);
}

Direction NsysEnums::direction(int64_t CopyKind) const {
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

bool NsysEnums::isMigration(int64_t CopyKind) const {
  return nameOf(Copies, CopyKind).contains("_UVM_");
}

MemoryKind NsysEnums::memory(std::optional<int64_t> Kind) const {
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

StreamFlag NsysEnums::stream(int64_t Flag) const {
  return llvm::StringSwitch<StreamFlag>(nameOf(Streams, Flag))
      .EndsWith("_NON_BLOCKING", StreamFlag::NonBlocking)
      .EndsWith("_DEFAULT", StreamFlag::Blocking)
      .EndsWith("_NULL", StreamFlag::Null)
      .Default(StreamFlag::Unknown);
}

SyncType NsysEnums::sync(int64_t Type) const {
  return llvm::StringSwitch<SyncType>(nameOf(Syncs, Type))
      .EndsWith("_STREAM_WAIT_EVENT", SyncType::StreamWaitEvent)
      .EndsWith("_STREAM_SYNCHRONIZE", SyncType::Stream)
      .EndsWith("_CONTEXT_SYNCHRONIZE", SyncType::Context)
      .Default(SyncType::Event);
}

OverheadKind NsysEnums::overhead(int64_t Type) const {
  StringRef Name = nameOf(Overheads, Type);
  if (Name.contains("COMMAND_BUFFER_FULL"))
    return OverheadKind::QueueFull;
  if (Name.contains("LOADING"))
    return OverheadKind::ModuleLoad;
  return Name.contains("CUPTI") ? OverheadKind::Profiler : OverheadKind::Other;
}
