// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's own NVTX ranges and marks as packets.
#include "runtime/probes/UserNvtx.h"
#include "runtime/trace/TracePacket.h"

#include <functional>

namespace autoprof::runtime {

static uint64_t hashOf(std::string_view Text) {
  return mix(Nvtx, std::hash<std::string_view>()(Text));
}

// "nvtx:NCCL" for the domain NCCL.
void Trace::internDomain(uint32_t Domain) {
  Message Entry(E, interned::Categories);
  E.varint(1, Nvtx + Domain);
  E.string(2, CategoryNames[Nvtx] + (":" + nvtxDomainName(Domain)));
}

void Trace::writeUserRange(Sequence &S, const UserRange &Range, uint64_t Begin,
                           uint64_t End, uint64_t Track) {
  Slice Written{Nvtx + Range.Domain, Begin, End};
  Written.Name = S.Names.get(hashOf(Range.Name));
  Written.NameText = Range.Name;
  if (Range.Domain) {
    Written.Domain = S.Domains.get(Range.Domain);
    Written.DomainId = Range.Domain;
  }
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
    internDomain(Mark.Domain);
  }
  Message Event(E, packet::TrackEvent);
  instant(Nvtx + Mark.Domain, Mark.Name);
}

} // namespace autoprof::runtime
