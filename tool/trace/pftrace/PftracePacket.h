// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_TRACE_PFTRACE_PFTRACEPACKET_H
#define AUTOPROF_TRACE_PFTRACE_PFTRACEPACKET_H

#include "trace/pftrace/Fields.h"

#include <cstdint>

namespace autoprof::trace {

using protozero::data_view;

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

} // namespace autoprof::trace

#endif // AUTOPROF_TRACE_PFTRACE_PFTRACEPACKET_H
