// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's own NVTX ranges and marks as packets.
#include "runtime/probes/UserNvtx.h"
#include "runtime/trace/TracePacket.h"

#include <cstring>
#include <functional>
#include <nvtx3/nvToolsExt.h>

namespace autoprof::runtime {

static uint64_t hashOf(std::string_view Text) {
  return mix(Nvtx, std::hash<std::string_view>()(Text));
}

// "nvtx:NCCL" for the domain NCCL.
void Trace::internDomain(uint32_t Iid, const UserRange &Range) {
  Message Entry(E, interned::Categories);
  E.varint(1, Iid);
  E.string(2, CategoryNames[Nvtx] + (":" + nvtxDomainName(Range.Domain)));
}

static uint64_t doubleBits(double Value) {
  uint64_t Bits;
  memcpy(&Bits, &Value, sizeof Bits);
  return Bits;
}

static void writePayload(Encoder &E, const UserRange &Range) {
  nvtxEventAttributes_t Value = {};
  Value.payload.ullValue = Range.Payload;
  switch (Range.PayloadType) {
  case NVTX_PAYLOAD_TYPE_UNSIGNED_INT64:
    return E.varint(annotation::Unsigned, Value.payload.ullValue);
  case NVTX_PAYLOAD_TYPE_INT64:
    return E.varint(annotation::Signed,
                    static_cast<uint64_t>(Value.payload.llValue));
  case NVTX_PAYLOAD_TYPE_DOUBLE:
    return E.fixed64(annotation::Double, doubleBits(Value.payload.dValue));
  case NVTX_PAYLOAD_TYPE_UNSIGNED_INT32:
    return E.varint(annotation::Unsigned, Value.payload.uiValue);
  case NVTX_PAYLOAD_TYPE_INT32:
    return E.varint(
        annotation::Signed,
        static_cast<uint64_t>(static_cast<int64_t>(Value.payload.iValue)));
  case NVTX_PAYLOAD_TYPE_FLOAT:
    return E.fixed64(annotation::Double, doubleBits(Value.payload.fValue));
  default:
    return;
  }
}

void Trace::annotate(const UserRange &Range) {
  if (Range.PayloadType) {
    Message Annotation(E, event::Annotations);
    E.string(annotation::Name, "payload");
    writePayload(E, Range);
  }
  if (Range.Category) {
    std::string Name = nvtxCategoryName(Range.Domain, Range.Category);
    Message Annotation(E, event::Annotations);
    E.string(annotation::Name, "category");
    if (Name.empty())
      E.varint(annotation::Unsigned, Range.Category);
    else
      E.string(annotation::Text, Name);
  }
}

void Trace::writeUserRange(Sequence &S, const UserRange &Range, uint64_t Begin,
                           uint64_t End, uint64_t Track) {
  Slice Written{Nvtx + Range.Domain, Begin, End};
  Written.Name = S.Names.get(hashOf(Range.Name));
  Written.NameText = Range.Name;
  Written.User = &Range;
  if (Range.Domain)
    Written.Domain = S.Domains.get(Range.Domain);
  Written.Track = Track;
  writeSlice(S, Written);
}

void Trace::userRange(uint32_t Tid, const UserRange &Range, uint64_t Begin,
                      uint64_t End) {
  if (accepts(Begin, End))
    writeUserRange(threadSequence(Tid, Source::Probes), Range, Begin, End, 0);
}

void Trace::describeLane(uint32_t Lane) {
  Packet P(*this, Process, NeedsState);
  Message Descriptor(E, packet::TrackDescriptor);
  E.varint(1, Lanes[Lane]);
  E.string(2, "NVTX ranges " + std::to_string(Lane + 1));
  E.varint(5, Process.Track);
}

uint64_t Trace::laneTrack(uint32_t Lane) {
  for (auto I = static_cast<uint32_t>(Lanes.size()); I <= Lane; ++I) {
    Lanes.push_back(mix(mix(Identity.Hash, Nvtx), I) | 1);
    describeLane(I);
  }
  return Lanes[Lane];
}

void Trace::userRangeOnLane(uint32_t Lane, const UserRange &Range,
                            uint64_t Begin, uint64_t End) {
  if (!accepts(Begin, End))
    return;
  restartIfDue(Process);
  writeUserRange(Process, Range, Begin, End, laneTrack(Lane));
}

void Trace::mark(uint32_t Tid, const UserRange &Mark, uint64_t Time) {
  if (!accepts(Time, Time))
    return;
  Sequence &S = threadSequence(Tid, Source::Probes);
  Packet P(*this, S, NeedsState, Time);
  if (Mark.Domain && S.Domains.get(Mark.Domain).IsNew) {
    Message Interned(E, packet::InternedData);
    internDomain(Nvtx + Mark.Domain, Mark);
  }
  Message Event(E, packet::TrackEvent);
  E.varint(event::Type, Instant);
  E.varint(event::Categories, Nvtx + Mark.Domain);
  E.string(event::NameText, Mark.Name);
  annotate(Mark);
}

} // namespace autoprof::runtime
