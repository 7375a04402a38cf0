// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/trace/Trace.h"

#include "runtime/probes/Sites.h"
#include "runtime/support/Clock.h"
#include "runtime/support/Loss.h"
#include "runtime/trace/TracePacket.h"

#include <cstdio>
#include <functional>
#include <iterator>
#include <utility>

namespace autoprof::runtime {

// Limits the documents kept for repeat(): each stream has one, and a program
// may create new streams forever.
static constexpr size_t MostStanding = 10'000;

uint64_t Trace::eventId(uint64_t Correlation) const {
  return Correlation * ShareCount + Identity.Share;
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

void Trace::internNames(const Slice &Written) {
  if (!Written.Name.IsNew && !Written.Place.IsNew && !Written.Domain.IsNew)
    return;
  Message Interned(E, packet::InternedData);
  if (Written.Domain.IsNew)
    internDomain(Written.DomainId);
  if (Written.Name.IsNew) {
    Message Entry(E, interned::Names);
    E.varint(1, Written.Name.Iid);
    E.string(2, Written.NameText);
  }
  if (Written.Place.IsNew)
    internPlace(Written.Place.Iid, Written.SiteId);
}

void Trace::instant(uint64_t Category, std::string_view Name) {
  E.varint(event::Type, Instant);
  E.varint(event::Categories, Category);
  E.string(event::NameText, Name);
}

void Trace::annotate(std::string_view Name, uint64_t Value) {
  Message Annotation(E, event::Annotations);
  E.string(annotation::Name, Name);
  E.varint(annotation::Unsigned, Value);
}

void Trace::annotate(std::string_view Name, std::string_view Value) {
  Message Annotation(E, event::Annotations);
  E.string(annotation::Name, Name);
  E.string(annotation::Text, Value);
}

void Trace::joinEvent(uint64_t EventId) {
  Message Correlation(E, event::GpuCorrelation);
  E.varint(1, EventId);
}

// Two adjacent packets; nothing may be written between them.
void Trace::writeSlice(Sequence &S, const Slice &Written) {
  {
    Packet P(*this, S, NoFlags, Written.Begin);
    internNames(Written);
    Message Event(E, packet::TrackEvent);
    E.varint(event::Type, SliceBegin);
    if (Written.Category != CudaApi && Written.Category != SiteProbe)
      E.varint(event::Categories, Written.Category);
    E.varint(event::Name, Written.Name.Iid);
    if (Written.Track)
      E.varint(event::Track, Written.Track);
    if (Written.Place.Iid)
      E.varint(event::SourceLocation, Written.Place.Iid);
    if (Written.EventId)
      joinEvent(Written.EventId);
  }
  Packet P(*this, S, NoFlags, Written.End);
  Message Event(E, packet::TrackEvent);
  E.varint(event::Type, SliceEnd);
  if (Written.Track)
    E.varint(event::Track, Written.Track);
}

void Trace::apiCall(const ApiCall &Call, const char *Name) {
  if (!accepts(Call.Begin, Call.End))
    return;
  // Calls of light recording come with the probes.
  Sequence &S = threadSequence(Call.Tid, Call.Correlation ? Source::Cupti
                                                          : Source::Probes);
  bool IsDriver = Call.Api == Domain::Driver;
  Slice Written{IsDriver ? CudaDriver : CudaApi, Call.Begin, Call.End};
  Written.Name = S.Names.get(mix(Written.Category, Call.Callback));
  Written.NameText = Name;
  Written.EventId = Call.Correlation ? eventId(Call.Correlation) : 0;
  writeSlice(S, Written);
}

void Trace::bindSite(Sequence &S, uint64_t Time, uint32_t Iid,
                     uint64_t SiteId) {
  char Json[64];
  snprintf(Json, sizeof Json, "{\"name\":%u,\"id\":\"0x%016llx\"}", Iid,
           static_cast<unsigned long long>(SiteId));
  Packet P(*this, S, NeedsState, Time);
  Message Event(E, packet::TrackEvent);
  E.varint(event::Type, Instant);
  E.varint(event::Categories, Meta);
  E.varint(event::Track, Process.Track);
  E.string(event::NameText, "site");
  annotate("json", Json);
}

void Trace::probe(uint32_t Tid, uint64_t SiteId, uint64_t Begin, uint64_t End) {
  if (!accepts(Begin, End))
    return;
  Sequence &S = threadSequence(Tid, Source::Probes);
  const Site *Known = findSite(SiteId);
  const bool IsRange = Known && Known->IsRange;
  Slice Written{IsRange ? RangeProbe : SiteProbe, Begin, End};
  Written.SiteId = SiteId;
  Written.Name = S.Names.get(mix(SiteProbe, SiteId));
  Written.NameText = Known ? std::string_view(Known->Label) : "unknown site";
  if (Written.Name.IsNew)
    bindSite(S, Begin, Written.Name.Iid, SiteId);
  if (IsRange) // The labels of other sites contain it.
    Written.Place = S.Places.get(SiteId);
  writeSlice(S, Written);
}

void Trace::specification(uint32_t Iid, const StageText &Text) {
  const uint64_t Compute = 2;
  Message Entry(E, interned::GpuSpecifications);
  E.varint(1, Iid);
  E.string(2, Text.Name);
  E.string(3, Text.Description);
  E.varint(4, Compute);
}

// Queues and stages share one id space: queues have even ids, stages odd ones.
// Ids of queues are unique in the file, because Perfetto makes tracks of them.
void Trace::writeGpu(Sequence &S, const GpuOperation &Op, uint32_t Queue,
                     uint32_t Stage, const StageText *Text) {
  const uint32_t QueueIid = 2 * Queue, StageIid = 2 * Stage - 1;
  const bool IsNewQueue = S.Queues.get(Queue).IsNew;
  Packet P(*this, S, NoFlags, Op.Begin);
  if (Text || IsNewQueue) {
    Message Interned(E, packet::InternedData);
    if (Text)
      specification(StageIid, *Text);
    if (IsNewQueue)
      specification(QueueIid, {"stream " + std::to_string(Op.Stream),
                               "device=" + std::to_string(Op.Device) +
                                   " context=" + std::to_string(Op.Context) +
                                   " stream=" + std::to_string(Op.Stream)});
  }
  Message Event(E, packet::GpuRenderStageEvent);
  E.varint(1, eventId(Op.Correlation));
  E.varint(2, Op.End - Op.Begin);
  if (Op.Device != 0)
    E.varint(11, Op.Device);
  E.varint(13, QueueIid);
  E.varint(14, StageIid);
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
  instant(CudaSync, syncName(Sync.Type));
  annotate("type", Sync.Type);
  if (Sync.Stream != ~0u)
    annotate("stream", Sync.Stream);
  annotate("context", Sync.Context);
  annotate("duration", Sync.End - Sync.Begin);
  if (Sync.Correlation)
    joinEvent(eventId(Sync.Correlation));
}

// Returns the number of the text; to be called in a packet, before its event.
uint64_t Trace::internFrames(Sequence &S, std::string_view Frames) {
  IidMap::Result Text =
      S.Stacks.get(mix(FramesName, std::hash<std::string_view>()(Frames)));
  if (Text.IsNew) {
    Message Interned(E, packet::InternedData);
    Message Entry(E, interned::AnnotationTexts);
    E.varint(1, Text.Iid);
    E.string(2, Frames);
  }
  return Text.Iid;
}

void Trace::stackEvent(std::string_view Name, uint64_t Text) {
  instant(Stack, Name);
  Message Annotation(E, event::Annotations);
  E.varint(annotation::NameId, FramesName);
  E.varint(annotation::TextId, Text);
}

void Trace::sample(const ThreadSample &Sample) {
  if (!accepts(Sample.Time, Sample.Time))
    return;
  Sequence &S = threadSequence(Sample.Tid, Source::Cupti);
  Packet P(*this, S, NeedsState, Sample.Time);
  const uint64_t Text = internFrames(S, Sample.Frames);
  Message Event(E, packet::TrackEvent);
  stackEvent("sample", Text);
  annotate("state", static_cast<uint64_t>(Sample.State));
  annotate("cpu_ns", Sample.Cpu);
  if (Sample.Delayed != ThreadSample::Unknown)
    annotate("delayed_ns", Sample.Delayed);
}

void Trace::stack(uint32_t Tid, uint64_t Time, uint64_t Correlation,
                  std::string_view Frames) {
  if (!accepts(Time, Time))
    return;
  Sequence &S = threadSequence(Tid, Source::Cupti);
  Packet P(*this, S, NeedsState, Time);
  const uint64_t Text = internFrames(S, Frames);
  Message Event(E, packet::TrackEvent);
  stackEvent("stack", Text);
  joinEvent(eventId(Correlation));
}

void Trace::overhead(const Overhead &Cost) {
  if (!accepts(Cost.Begin, Cost.End))
    return;
  Packet P(*this, Process, NeedsState, Cost.Begin);
  Message Event(E, packet::TrackEvent);
  instant(OverheadCost, "overhead");
  annotate("kind", Cost.Kind);
  if (Cost.Tid)
    annotate("tid", Cost.Tid);
  annotate("duration", Cost.End - Cost.Begin);
}

void Trace::memory(const MemoryUse &Use) {
  if (!accepts(Use.Time, Use.Time))
    return;
  Packet P(*this, Process, NeedsState, Use.Time);
  Message Event(E, packet::TrackEvent);
  E.varint(event::Type, Instant);
  E.string(event::CategoryText, "memory");
  E.string(event::NameText, Use.IsRelease ? "free" : "allocate");
  annotate("kind", Use.Kind);
  annotate("device", Use.Device);
  annotate("address", Use.Address);
  annotate("bytes", Use.Bytes);
  if (Use.Correlation)
    joinEvent(eventId(Use.Correlation));
}

void Trace::metadata(std::string_view Name, std::string_view Json) {
  Packet P(*this, Process, NeedsState, now());
  Message Event(E, packet::TrackEvent);
  instant(Meta, Name);
  annotate("json", Json);
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
