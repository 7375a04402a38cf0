// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Trace.h"

#include "Clock.h"
#include "Loss.h"
#include "Sites.h"
#include "TracePacket.h"

#include <cstdio>
#include <functional>
#include <iterator>
#include <utility>

namespace autoprof::runtime {

// A sequence's dictionaries are started afresh when they hold this many
// entries: programs that never repeat a copy size must not grow without bound.
static constexpr uint32_t DictionaryLimit = 1u << 17;

// Nor must those that never repeat a stream (each has a document).
static constexpr size_t MostStanding = 10'000;

// Tracks of processes must differ, because Perfetto can show several traces
// together. Sequence ids belong to a file; they are small because one stands in
// every packet.
Trace::Trace(Output &Out, ProcessIdentity Id, uint64_t Start)
    : Out(Out), Identity(std::move(Id)), Start(Start) {
  Process.Id = 1;
  Process.Track = Identity.Hash | 1;
  repeat();
}

void Trace::describeProcess() {
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
  S.Repeat = Repeats;
  Packet P(*this, S, StateCleared);
  writeClocks();
  {
    Message Defaults(E, packet::Defaults);
    E.varint(packet::TimestampClockId, TraceClock);
    Message EventDefaults(E, packet::TrackEvent);
    E.varint(event::Track, S.Track);
  }
  Message Interned(E, packet::InternedData);
  for (unsigned I = CudaApi; I <= Nvtx; ++I) {
    Message Entry(E, interned::Categories);
    E.varint(1, I);
    E.string(2, CategoryNames[I]);
  }
  auto AnnotationName = [this](uint64_t Iid, const char *Name) {
    Message Entry(E, interned::AnnotationNames);
    E.varint(1, Iid);
    E.string(2, Name);
  };
  AnnotationName(IterationName, "iteration");
  AnnotationName(FramesName, "frames");
}

void Trace::restartIfDue(Sequence &S) {
  if (S.Repeat == Repeats &&
      S.Names.size() + S.Places.size() + S.Stacks.size() < DictionaryLimit)
    return;
  S.Names = IidMap();
  S.Places = IidMap();
  S.Domains = IidMap();
  S.Stacks = IidMap();
  startSequence(S);
  if (S.Tid)
    describeThread(S);
}

void Trace::describeThread(Sequence &S) {
  char Path[64], Name[64] = "";
  snprintf(Path, sizeof Path, "/proc/self/task/%u/comm", S.Tid);
  if (FILE *File = fopen(Path, "re")) {
    if (size_t Size = fread(Name, 1, sizeof Name - 1, File))
      Name[Name[Size - 1] == '\n' ? Size - 1 : Size] = '\0';
    fclose(File);
  }
  if (Name[0]) // Else the thread has ended.
    S.ThreadName = Name;
  Packet P(*this, S, NeedsState);
  Message Descriptor(E, packet::TrackDescriptor);
  E.varint(1, S.Track);
  E.varint(5, Process.Track);
  Message Thread(E, 4);
  E.varint(1, Identity.Pid);
  E.varint(2, S.Tid);
  if (!S.ThreadName.empty())
    E.string(5, S.ThreadName);
}

Trace::Sequence &Trace::threadSequence(uint32_t Tid) {
  if (LastSequence && LastTid == Tid) {
    restartIfDue(*LastSequence);
    return *LastSequence;
  }
  IidMap::Result Index = Threads.get(Tid);
  if (Index.IsNew) {
    auto S = std::make_unique<Sequence>();
    S->Id = Process.Id + Index.Iid;
    S->Track = mix(Identity.Hash, Tid) | 1;
    S->Tid = Tid;
    startSequence(*S);
    describeThread(*S);
    ThreadSequences.push_back(std::move(S));
  }
  LastTid = Tid;
  LastSequence = ThreadSequences[Index.Iid - 1].get();
  restartIfDue(*LastSequence);
  return *LastSequence;
}

void Trace::repeat() {
  if (Packer)
    flush();
  ++Repeats;
  {
    Packet P(*this);
    E.bytes(packet::SynchronizationMarker, Marker);
    E.varint(packet::SequenceId, Process.Id);
  }
  restartIfDue(Process);
  describeProcess();
  for (uint32_t I = 0; I < Lanes.size(); ++I)
    describeLane(I);
  for (const auto &[Key, Json] : Standing)
    metadata(Key.first, Json);
  if (Packer)
    write(/*MayPack=*/false);
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

void Trace::internNames(const Slice &What) {
  if (!What.Name.IsNew && !What.Place.IsNew && !What.Domain.IsNew)
    return;
  Message Interned(E, packet::InternedData);
  if (What.Domain.IsNew)
    internDomain(What.Category, *What.User);
  if (What.Name.IsNew) {
    Message Entry(E, interned::Names);
    E.varint(1, What.Name.Iid);
    E.string(2, What.NameText);
  }
  if (What.Place.IsNew)
    internPlace(What.Place.Iid, What.SiteId);
}

// Two adjacent packets; nothing may be written between them.
void Trace::writeSlice(Sequence &S, const Slice &What) {
  {
    Packet P(*this, S, NeedsState, What.Begin);
    internNames(What);
    Message Event(E, packet::TrackEvent);
    E.varint(event::Type, SliceBegin);
    E.varint(event::Categories, What.Category);
    E.varint(event::Name, What.Name.Iid);
    if (What.Track)
      E.varint(event::Track, What.Track);
    if (What.Place.Iid)
      E.varint(event::SourceLocation, What.Place.Iid);
    if (What.Iteration) {
      Message Annotation(E, event::Annotations);
      E.varint(annotation::NameId, IterationName);
      E.varint(annotation::Unsigned, What.Iteration);
    }
    if (What.User)
      annotate(*What.User);
    if (What.EventId) {
      Message Correlation(E, event::GpuCorrelation);
      E.varint(1, What.EventId);
    }
  }
  Packet P(*this, S, NoFlags, What.End);
  Message Event(E, packet::TrackEvent);
  E.varint(event::Type, SliceEnd);
  if (What.Track)
    E.varint(event::Track, What.Track);
}

void Trace::apiCall(const ApiCall &Call, const char *Name) {
  if (!accepts(Call.Begin, Call.End))
    return;
  Sequence &S = threadSequence(Call.Tid);
  bool IsDriver = Call.In == Domain::Driver;
  Slice What{IsDriver ? CudaDriver : CudaApi, Call.Begin, Call.End};
  What.Name = S.Names.get(mix(What.Category, Call.Callback));
  What.NameText = Name;
  What.EventId = Call.Correlation ? eventId(Call.Correlation) : 0;
  writeSlice(S, What);
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
  E.string(annotation::Name, "json");
  E.string(annotation::Text, Json);
}

void Trace::probe(uint32_t Tid, uint64_t SiteId, uint64_t Begin, uint64_t End,
                  uint64_t Iteration) {
  if (!accepts(Begin, End))
    return;
  Sequence &S = threadSequence(Tid);
  const Site *Known = findSite(SiteId);
  const bool IsRange = Known && Known->IsRange;
  Slice What{IsRange ? RangeProbe : SiteProbe, Begin, End};
  What.Place = S.Places.get(SiteId);
  if (What.Place.IsNew)
    bindSite(S, Begin, What.Place.Iid, SiteId);
  What.SiteId = SiteId;
  What.Iteration = Iteration;
  What.Name = S.Names.get(mix(SiteProbe, SiteId));
  What.NameText = !Known    ? "unknown site"
                  : IsRange ? std::string_view(Known->Label)
                            : std::string_view(Known->Callee);
  writeSlice(S, What);
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
  E.string(annotation::Name, Name);
  E.varint(annotation::Unsigned, Value);
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

void Trace::stack(uint32_t Tid, uint64_t At, uint64_t Correlation,
                  std::string_view Frames) {
  if (!accepts(At, At))
    return;
  Sequence &S = threadSequence(Tid);
  IidMap::Result Text =
      S.Stacks.get(mix(FramesName, std::hash<std::string_view>()(Frames)));
  Packet P(*this, S, NeedsState, At);
  if (Text.IsNew) {
    Message Interned(E, packet::InternedData);
    Message Entry(E, interned::AnnotationTexts);
    E.varint(1, Text.Iid);
    E.string(2, Frames);
  }
  Message Event(E, packet::TrackEvent);
  E.varint(event::Type, Instant);
  E.varint(event::Categories, Stack);
  E.string(event::NameText, "stack");
  {
    Message Annotation(E, event::Annotations);
    E.varint(annotation::NameId, FramesName);
    E.varint(annotation::TextId, Text.Iid);
  }
  Message Joined(E, event::GpuCorrelation);
  E.varint(1, eventId(Correlation));
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
  E.string(annotation::Name, "json");
  E.string(annotation::Text, Json);
}

void Trace::standing(std::string_view Name, uint64_t Key, std::string Json) {
  metadata(Name, Json);
  standingLater(Name, Key, std::move(Json));
}

void Trace::standingLater(std::string_view Name, uint64_t Key,
                          std::string Json) {
  std::pair<std::string, uint64_t> Id(Name, Key);
  if (Standing.size() < MostStanding || Standing.count(Id))
    Standing[std::move(Id)] = std::move(Json);
}

bool Trace::flush() { return write(/*MayPack=*/Flushed > 0); }

bool Trace::write(bool MayPack) {
  if (E.size() == 0)
    return Out.isOpen();
  bool IsPacked = MayPack && Packer && Packer->pack(E.data(), E.size(), Packed);
  const Encoder &Bytes = IsPacked ? Packed : E;
  bool Written = Out.write(Bytes.data(), Bytes.size());
  Flushed += E.size();
  E.truncate(0);
  Packed.truncate(0);
  return Written;
}

} // namespace autoprof::runtime
