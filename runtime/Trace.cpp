// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Trace.h"

#include "Clock.h"
#include "Loss.h"
#include "Sites.h"

#include <cstdio>
#include <iterator>
#include <utility>

namespace autoprof::runtime {

namespace {

// Field numbers of perfetto/trace/*.proto.
namespace packet {
enum : uint32_t {
  ClockSnapshot = 6,
  Timestamp = 8,
  SequenceId = 10,
  TrackEvent = 11,
  InternedData = 12,
  SequenceFlags = 13,
  GpuRenderStageEvent = 53,
  TimestampClockId = 58,
  Defaults = 59,
  TrackDescriptor = 60
};
} // namespace packet
namespace event {
enum : uint32_t {
  Categories = 3,
  Annotations = 4,
  Type = 9,
  Name = 10,
  Track = 11,
  NameText = 23,
  SourceLocation = 34,
  GpuCorrelation = 3000
};
} // namespace event
namespace interned {
enum : uint32_t {
  Categories = 1,
  Names = 2,
  SourceLocations = 4,
  GpuSpecifications = 24
};
} // namespace interned

enum EventType : uint64_t { SliceBegin = 1, SliceEnd = 2, Instant = 3 };

enum Category : unsigned {
  CudaApi = 1,
  CudaDriver,
  SiteProbe,
  RangeProbe,
  CudaSync,
  OverheadCost,
  Meta
};
constexpr const char *CategoryNames[] = {"",         "cuda_api", "cuda_driver",
                                         "site",     "range",    "cuda_sync",
                                         "overhead", "autoprof"};

constexpr uint64_t TraceClock = 64;
constexpr uint64_t StateCleared = 1, NeedsState = 2;

// A sequence's dictionaries are started afresh when they hold this many
// entries: programs that never repeat a copy size must not grow without bound.
constexpr uint32_t DictionaryLimit = 1u << 17;

// Batches of this size are written early.
constexpr size_t BatchSize = 256u << 10;

} // namespace

/// A packet that is open while the object lives: whole or not there at all.
class Trace::Packet {
  Trace &T;
  size_t Before;
  size_t Opened;

public:
  Packet(Trace &T, const Sequence &S, uint64_t Flags)
      : T(T), Before(T.E.size()), Opened(T.E.begin(1)) {
    T.E.varint(packet::SequenceId, S.Id);
    T.E.varint(packet::SequenceFlags, Flags);
  }
  Packet(Trace &T, const Sequence &S, uint64_t Flags, uint64_t Time)
      : Packet(T, S, Flags) {
    T.E.varint(packet::Timestamp, Time > T.Start ? Time - T.Start : 0);
  }
  Packet(const Packet &) = delete;
  Packet &operator=(const Packet &) = delete;
  ~Packet() {
    T.E.end(Opened);
    ++T.Packets;
    if (T.E.failed()) {
      T.E.truncate(Before);
      Lost.WriteErrors.fetch_add(1, std::memory_order_relaxed);
    }
    if (T.E.size() >= BatchSize)
      T.flush();
  }
};

// Tracks of processes must differ, because Perfetto can show several traces
// together. Sequence ids belong to a file; they are small because one stands in
// every packet.
Trace::Trace(Output &Out, ProcessIdentity Id, uint64_t Start)
    : Out(Out), Identity(std::move(Id)), Start(Start) {
  Process.Id = 1;
  Process.Track = Identity.Hash | 1;
  startSequence(Process);
  Packet P(*this, Process, NeedsState);
  Message Descriptor(E, packet::TrackDescriptor);
  E.varint(1, Process.Track);
  Message ProcessDescriptor(E, 3);
  E.varint(1, Identity.Pid);
  for (const std::string &Word : Identity.CommandLine)
    E.string(2, Word);
  E.string(6, Identity.Name);
}

void Trace::writeClocks() {
  Message Snapshot(E, packet::ClockSnapshot);
  uint64_t Monotonic = now();
  const std::pair<uint64_t, uint64_t> Clocks[] = {
      {TraceClock, Monotonic > Start ? Monotonic - Start : 0},
      {3, Monotonic},
      {1, readClock(CLOCK_REALTIME)},
      {6, readClock(CLOCK_BOOTTIME)}};
  for (const auto &[Id, Time] : Clocks) {
    Message Clock(E, 1);
    E.varint(1, Id);
    E.varint(2, Time);
  }
}

void Trace::clockSnapshot() {
  Packet P(*this, Process, NeedsState);
  writeClocks();
}

void Trace::startSequence(Sequence &S) {
  Packet P(*this, S, StateCleared);
  writeClocks();
  {
    Message Defaults(E, packet::Defaults);
    E.varint(packet::TimestampClockId, TraceClock);
    Message EventDefaults(E, packet::TrackEvent);
    E.varint(event::Track, S.Track);
  }
  Message Interned(E, packet::InternedData);
  for (unsigned I = CudaApi; I <= Meta; ++I) {
    Message Entry(E, interned::Categories);
    E.varint(1, I);
    E.string(2, CategoryNames[I]);
  }
}

void Trace::restartIfLarge(Sequence &S) {
  if (S.Names.size() + S.Places.size() < DictionaryLimit)
    return;
  S.Names = IidMap();
  S.Places = IidMap();
  startSequence(S);
}

void Trace::describeThread(const Sequence &S, uint32_t Tid) {
  char Path[64], Name[64] = "";
  snprintf(Path, sizeof Path, "/proc/self/task/%u/comm", Tid);
  if (FILE *File = fopen(Path, "re")) {
    if (size_t Size = fread(Name, 1, sizeof Name - 1, File))
      Name[Name[Size - 1] == '\n' ? Size - 1 : Size] = '\0';
    fclose(File);
  }
  Packet P(*this, S, NeedsState);
  Message Descriptor(E, packet::TrackDescriptor);
  E.varint(1, S.Track);
  E.varint(5, Process.Track);
  Message Thread(E, 4);
  E.varint(1, Identity.Pid);
  E.varint(2, Tid);
  if (Name[0])
    E.string(5, Name);
}

Trace::Sequence &Trace::threadSequence(uint32_t Tid) {
  if (LastSequence && LastTid == Tid) {
    restartIfLarge(*LastSequence);
    return *LastSequence;
  }
  IidMap::Result Index = Threads.get(Tid);
  if (Index.IsNew) {
    auto S = std::make_unique<Sequence>();
    S->Id = Process.Id + Index.Iid;
    S->Track = mix(Identity.Hash, Tid) | 1;
    startSequence(*S);
    describeThread(*S, Tid);
    ThreadSequences.push_back(std::move(S));
  }
  LastTid = Tid;
  LastSequence = ThreadSequences[Index.Iid - 1].get();
  restartIfLarge(*LastSequence);
  return *LastSequence;
}

uint64_t Trace::eventId(uint64_t Correlation) const {
  return Correlation << 12 | (Identity.Hash & 0xFFF);
}

bool Trace::accepts(uint64_t Begin, uint64_t End) {
  if (Begin >= Start && End >= Begin)
    return true;
  Lost.ZeroTimestamps.fetch_add(1, std::memory_order_relaxed);
  return false;
}

void Trace::internPlace(uint32_t Iid, uint64_t SiteId) {
  Message Location(E, interned::SourceLocations);
  E.varint(1, Iid);
  if (const Site *S = findSite(SiteId)) {
    E.string(2, S->File);
    E.string(3, S->Function);
    E.varint(4, S->Line);
  }
}

// Two adjacent packets; nothing may be written between them.
void Trace::writeSlice(Sequence &S, unsigned Kind, uint64_t Begin, uint64_t End,
                       IidMap::Result Name, std::string_view NameText,
                       uint64_t EventId, IidMap::Result Place,
                       uint64_t SiteId) {
  {
    Packet P(*this, S, NeedsState, Begin);
    if (Name.IsNew || Place.IsNew) {
      Message Interned(E, packet::InternedData);
      if (Name.IsNew) {
        Message Entry(E, interned::Names);
        E.varint(1, Name.Iid);
        E.string(2, NameText);
      }
      if (Place.IsNew)
        internPlace(Place.Iid, SiteId);
    }
    Message Event(E, packet::TrackEvent);
    E.varint(event::Type, SliceBegin);
    E.varint(event::Categories, Kind);
    E.varint(event::Name, Name.Iid);
    if (Place.Iid)
      E.varint(event::SourceLocation, Place.Iid);
    if (EventId) {
      Message Correlation(E, event::GpuCorrelation);
      E.varint(1, EventId);
    }
  }
  Packet P(*this, S, NeedsState, End);
  Message Event(E, packet::TrackEvent);
  E.varint(event::Type, SliceEnd);
}

void Trace::apiCall(const ApiCall &Call, const char *Name) {
  if (!accepts(Call.Begin, Call.End))
    return;
  Sequence &S = threadSequence(Call.Tid);
  bool IsDriver = Call.In == Domain::Driver;
  IidMap::Result Iid =
      S.Names.get(mix(IsDriver ? CudaDriver : CudaApi, Call.Callback));
  writeSlice(S, IsDriver ? CudaDriver : CudaApi, Call.Begin, Call.End, Iid,
             Name, Call.Correlation ? eventId(Call.Correlation) : 0, {}, 0);
}

void Trace::bindSite(Sequence &S, uint64_t At, uint32_t Iid, uint64_t SiteId) {
  char Json[64];
  snprintf(Json, sizeof Json, "{\"iid\":%u,\"id\":\"0x%016llx\"}", Iid,
           static_cast<unsigned long long>(SiteId));
  Packet P(*this, S, NeedsState, At);
  Message Event(E, packet::TrackEvent);
  E.varint(event::Type, Instant);
  E.varint(event::Categories, Meta);
  E.varint(event::Track, Process.Track);
  E.string(event::NameText, "site");
  Message Annotation(E, event::Annotations);
  E.string(10, "json");
  E.string(6, Json);
}

void Trace::probe(uint32_t Tid, uint64_t SiteId, uint64_t Begin, uint64_t End) {
  if (!accepts(Begin, End))
    return;
  Sequence &S = threadSequence(Tid);
  const Site *Known = findSite(SiteId);
  IidMap::Result Place = S.Places.get(SiteId);
  if (Place.IsNew)
    bindSite(S, Begin, Place.Iid, SiteId);
  IidMap::Result Name = S.Names.get(mix(SiteProbe, SiteId));
  bool IsRange = Known && Known->IsRange;
  std::string_view Text = !Known    ? "unknown site"
                          : IsRange ? std::string_view(Known->Label)
                                    : std::string_view(Known->Callee);
  writeSlice(S, IsRange ? RangeProbe : SiteProbe, Begin, End, Name, Text, 0,
             Place, SiteId);
}

void Trace::specification(uint32_t Iid, const StageText &Text) {
  const uint64_t Compute = 2;
  Message Entry(E, interned::GpuSpecifications);
  E.varint(1, Iid);
  E.string(2, Text.Name);
  E.string(3, Text.Description);
  E.varint(4, Compute);
}

void Trace::writeGpu(const GpuOperation &Op, uint32_t Stage,
                     const StageText *Text) {
  uint64_t Key = mix(mix(Op.Device, Op.Context), Op.Stream);
  IidMap::Result Queue = Process.Names.get(Key | QueueBit);
  Packet P(*this, Process, NeedsState, Op.Begin);
  if (Text || Queue.IsNew) {
    Message Interned(E, packet::InternedData);
    if (Text)
      specification(Stage, *Text);
    if (Queue.IsNew)
      specification(Queue.Iid, {"stream " + std::to_string(Op.Stream),
                                "device=" + std::to_string(Op.Device) +
                                    " context=" + std::to_string(Op.Context) +
                                    " stream=" + std::to_string(Op.Stream)});
  }
  Message Event(E, packet::GpuRenderStageEvent);
  E.varint(1, eventId(Op.Correlation));
  E.varint(2, Op.End - Op.Begin);
  if (Op.Device != 0)
    E.varint(11, Op.Device);
  E.varint(13, Queue.Iid);
  E.varint(14, Stage);
}

void Trace::annotate(std::string_view Name, uint64_t Value) {
  Message Annotation(E, event::Annotations);
  E.string(10, Name);
  E.varint(3, Value);
}

static const char *syncName(uint32_t Type) {
  static const char *const Names[] = {"sync", "event sync", "stream wait event",
                                      "stream sync", "context sync"};
  return Names[Type < std::size(Names) ? Type : 0];
}

void Trace::synchronization(const Synchronization &Sync) {
  if (!accepts(Sync.Begin, Sync.End))
    return;
  Packet P(*this, Process, NeedsState, Sync.Begin);
  Message Event(E, packet::TrackEvent);
  E.varint(event::Type, Instant);
  E.varint(event::Categories, CudaSync);
  E.string(event::NameText, syncName(Sync.Type));
  annotate("type", Sync.Type);
  if (Sync.Stream != ~0u)
    annotate("stream", Sync.Stream);
  annotate("context", Sync.Context);
  annotate("duration", Sync.End - Sync.Begin);
  if (Sync.Correlation) {
    Message Correlation(E, event::GpuCorrelation);
    E.varint(1, eventId(Sync.Correlation));
  }
}

void Trace::overhead(const Overhead &Cost) {
  if (!accepts(Cost.Begin, Cost.End))
    return;
  Packet P(*this, Process, NeedsState, Cost.Begin);
  Message Event(E, packet::TrackEvent);
  E.varint(event::Type, Instant);
  E.varint(event::Categories, OverheadCost);
  E.string(event::NameText, "overhead");
  annotate("kind", Cost.Kind);
  if (Cost.Tid)
    annotate("tid", Cost.Tid);
  annotate("duration", Cost.End - Cost.Begin);
}

void Trace::metadata(std::string_view Name, std::string_view Json) {
  Packet P(*this, Process, NeedsState, now());
  Message Event(E, packet::TrackEvent);
  E.varint(event::Type, Instant);
  E.varint(event::Categories, Meta);
  E.string(event::NameText, Name);
  Message Annotation(E, event::Annotations);
  E.string(10, "json");
  E.string(6, Json);
}

bool Trace::flush() {
  if (E.size() == 0)
    return Out.isOpen();
  bool Written = Out.write(E.data(), E.size());
  E.truncate(0);
  return Written;
}

} // namespace autoprof::runtime
