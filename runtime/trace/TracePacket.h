// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wire format of a trace, for the files that implement Trace.
#pragma once

#include "runtime/support/Loss.h"
#include "runtime/support/Memory.h"
#include "runtime/trace/Trace.h"

namespace autoprof::runtime {

// Field numbers of perfetto/trace/*.proto.
namespace packet {
enum : uint32_t {
  ClockSnapshot = 6,
  Timestamp = 8,
  SequenceId = 10,
  TrackEvent = 11,
  InternedData = 12,
  SequenceFlags = 13,
  SynchronizationMarker = 36,
  CompressedPackets = 50,
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
  CategoryText = 22,
  NameText = 23,
  SourceLocation = 34,
  GpuCorrelation = 3000
};
} // namespace event
namespace annotation {
enum : uint32_t { NameId = 1, Unsigned = 3, Text = 6, Name = 10, TextId = 17 };
} // namespace annotation
namespace interned {
enum : uint32_t {
  Categories = 1,
  Names = 2,
  AnnotationNames = 3,
  SourceLocations = 4,
  GpuSpecifications = 24,
  AnnotationTexts = 29
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
  Meta,
  Stack,
  Nvtx ///< No domain; domain n has the id Nvtx + n.
};
constexpr const char *CategoryNames[] = {
    "",          "cuda_api", "cuda_driver", "site",  "range",
    "cuda_sync", "overhead", "autoprof",    "stack", "nvtx"};

/// The interned annotation name.
constexpr uint64_t FramesName = 1;

/// Nanoseconds since the trace began; and nanoseconds since the previous packet
/// with this clock in the same sequence.
constexpr uint64_t TraceClock = 64, AddingClock = 65;

/// Marks a place where reading a trace can begin: Perfetto's
/// TracePacket.synchronization_marker, the bytes of the UUID
/// 82477a76-b28d-42ba-81dc-33326d57a079.
constexpr std::string_view Marker("\x82\x47\x7a\x76\xb2\x8d\x42\xba\x81\xdc"
                                  "\x33\x32\x6d\x57\xa0\x79",
                                  16);

/// Readers may drop a packet that needs the sequence's state if they lack it.
/// The numerous packets of slices and GPU operations omit the flag, to be
/// short: a reader that began at a marker always has the state.
constexpr uint64_t NoFlags = 0, StateCleared = 1, NeedsState = 2;

// Batches that reach this size are written early.
constexpr size_t BatchSize = 256u << 10;

/// A packet that is open during the object's life. It is written completely or
/// not at all.
class Trace::Packet {
  Trace &T;
  size_t Before;
  size_t Opened;
  Sequence *Timed = nullptr; // The sequence whose time it changed.
  uint64_t TimeBefore = 0;

  void writeTime(Sequence &S, uint64_t Time) {
    Encoder &E = T.E;
    if (!S.AddsTimes)
      return E.varint(packet::Timestamp, Time);
    if (Time < S.Time) {
      E.varint(packet::Timestamp, Time);
      return E.varint(packet::TimestampClockId, TraceClock);
    }
    E.varint(packet::Timestamp, Time - S.Time);
    Timed = &S;
    TimeBefore = S.Time;
    S.Time = Time;
  }

public:
  /// An empty packet.
  explicit Packet(Trace &T) : T(T), Before(T.E.size()), Opened(T.E.begin(1)) {}
  Packet(Trace &T, const Sequence &S, uint64_t Flags) : Packet(T) {
    T.E.varint(packet::SequenceId, S.Id);
    if (Flags)
      T.E.varint(packet::SequenceFlags, Flags);
  }
  Packet(Trace &T, Sequence &S, uint64_t Flags, uint64_t Time)
      : Packet(T, S, Flags) {
    writeTime(S, Time > T.Start ? Time - T.Start : 0);
  }
  Packet(const Packet &) = delete;
  Packet &operator=(const Packet &) = delete;
  ~Packet() {
    T.E.end(Opened);
    ++T.Packets;
    if (T.E.failed()) {
      T.E.truncate(Before);
      if (Timed)
        Timed->Time = TimeBefore;
      Lost.WriteErrors.fetch_add(1, std::memory_order_relaxed);
      IsOutOfMemory.store(true);
    }
    if (T.E.size() >= BatchSize)
      T.flush();
  }
};

/// The contents of the two packets of a slice.
struct Trace::Slice {
  unsigned Category;
  uint64_t Begin, End;
  IidMap::Result Name{};
  std::string_view NameText{};
  uint64_t EventId = 0;
  IidMap::Result Place{};
  uint64_t SiteId = 0;
  IidMap::Result Domain{}; ///< That of a range of the program's own.
  uint32_t DomainId = 0;
  uint64_t Track = 0; ///< 0: the sequence's own.
};

} // namespace autoprof::runtime
