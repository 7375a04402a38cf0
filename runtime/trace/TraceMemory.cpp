// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/trace/TracePacket.h"

namespace autoprof::runtime {

uint64_t Trace::memoryTrack(uint32_t Device) const {
  constexpr uint64_t Memory =
      0x6d656d; // Keeps these ids apart from those of threads and lanes.
  return mix(mix(Identity.Hash, Memory), Device) | 1;
}

void Trace::describeMemory(uint32_t Device) {
  constexpr uint64_t SizeInBytes = 3;
  Packet P(*this, Process, NeedsState);
  Message Descriptor(E, packet::TrackDescriptor);
  E.varint(1, memoryTrack(Device));
  E.string(2, "GPU " + std::to_string(Device) + " memory allocated");
  E.varint(5, Process.Track);
  Message Unit(E, 8);
  E.varint(3, SizeInBytes);
}

void Trace::memory(const MemoryUse &Use) {
  if (!accepts(Use.Time, Use.Time))
    return;
  restartIfDue(Process);
  {
    Packet P(*this, Process, NeedsState, Use.Time);
    Message Event(E, packet::TrackEvent);
    E.varint(event::Type, Instant);
    E.string(event::CategoryText, "memory");
    E.string(event::NameText, Use.IsRelease ? "free" : "allocate");
    {
      Message Annotation(E, event::Annotations);
      E.string(annotation::Name, "kind");
      E.string(annotation::Text, Use.Kind);
    }
    annotate("device", Use.Device);
    annotate("address", Use.Address);
    annotate("bytes", Use.Bytes);
    if (Use.Correlation) {
      Message Correlation(E, event::GpuCorrelation);
      E.varint(1, eventId(Use.Correlation));
    }
  }
  if (MemoryDevices.insert(Use.Device).second)
    describeMemory(Use.Device);
  Packet P(*this, Process, NeedsState, Use.Time);
  Message Event(E, packet::TrackEvent);
  E.varint(event::Type, Counter);
  E.varint(event::Track, memoryTrack(Use.Device));
  E.varint(event::CounterValue, Use.Total);
}

} // namespace autoprof::runtime
