// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wire format of packets and track events: protobuf in, plain structs out.
#pragma once

#include "trace/pftrace/Fields.h"
#include "trace/pftrace/PftraceSequence.h"

namespace autoprof::trace {

/// The parts of a packet that must be read in a certain order.
struct Packet {
  uint64_t Time = 0;
  uint32_t Clock = 0; ///< 0: the sequence's default.
  uint32_t Sequence = 0;
  uint32_t Flags = 0;
  data_view Event{}, Interned{}, Defaults{}, Clocks{}, Track{}, GpuOp{},
      Compressed{};
};

/// protozero::exception when the bytes are not valid; `Sequence` then holds the
/// packet's if it came before. Inline: reading takes most of its time here.
LLVM_ATTRIBUTE_ALWAYS_INLINE Packet readPacketFields(data_view Bytes,
                                                     uint32_t &Sequence) {
  Packet P;
  for (Fields R(Bytes); R.next();) {
    switch (R.tag()) {
    case 6:
      P.Clocks = R.bytes();
      break;
    case 8:
      P.Time = R.number();
      break;
    case 10:
      P.Sequence = Sequence = uint32_t(R.number());
      break;
    case 11:
      P.Event = R.bytes();
      break;
    case 12:
      P.Interned = R.bytes();
      break;
    case 13:
      P.Flags = uint32_t(R.number());
      break;
    case 50:
      P.Compressed = R.bytes();
      break;
    case 53:
      P.GpuOp = R.bytes();
      break;
    case 58:
      P.Clock = uint32_t(R.number());
      break;
    case 59:
      P.Defaults = R.bytes();
      break;
    case 60:
      P.Track = R.bytes();
      break;
    default:
      R.skip();
    }
  }
  return P;
}

/// The fields of one track_event.
struct Event {
  uint32_t Type = 0;
  uint64_t Track = 0, EventId = 0, Location = 0;
  uint32_t Name = 0;
  uint32_t Site = None; ///< Of the name, where it is bound to one.
  bool HasTrack = false;
  Category Kind = Category::None;
  uint32_t Domain = 0; ///< Of NVTX, into Strings.
  llvm::SmallVector<data_view, 4> Annotations;
};

/// A debug annotation: its name and either value.
struct Annotation {
  llvm::StringRef Name, Text;
  uint64_t Number = 0;
};

/// Both throw protozero::exception when the bytes are not valid.
Event readTrackEvent(const Sequence &S, StringPool &Strings, data_view Bytes);
Annotation readAnnotation(const Sequence &S, const StringPool &Strings,
                          data_view Bytes);

/// The meaning of CUPTI's number of an overhead.
OverheadKind overheadOf(uint64_t Cupti);

} // namespace autoprof::trace
