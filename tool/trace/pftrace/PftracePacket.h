// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_TRACE_PFTRACE_PFTRACEPACKET_H
#define AUTOPROF_TRACE_PFTRACE_PFTRACEPACKET_H

#include "trace/pftrace/Protobuf.h"

#include "llvm/Support/Compiler.h"

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
LLVM_ATTRIBUTE_ALWAYS_INLINE inline Packet
readPacketFields(data_view Bytes, uint32_t &Sequence) {
  Packet P;
  for (protozero::pbf_reader R(Bytes); R.next();) {
    switch (R.tag()) {
    case 6:
      P.Clocks = R.get_view();
      break;
    case 8:
      P.Time = R.get_uint64();
      break;
    case 10:
      P.Sequence = Sequence = R.get_uint32();
      break;
    case 11:
      P.Event = R.get_view();
      break;
    case 12:
      P.Interned = R.get_view();
      break;
    case 13:
      P.Flags = R.get_uint32();
      break;
    case 50:
      P.Compressed = R.get_view();
      break;
    case 53:
      P.GpuOp = R.get_view();
      break;
    case 58:
      P.Clock = R.get_uint32();
      break;
    case 59:
      P.Defaults = R.get_view();
      break;
    case 60:
      P.Track = R.get_view();
      break;
    default:
      R.skip();
    }
  }
  return P;
}

} // namespace autoprof::trace

#endif // AUTOPROF_TRACE_PFTRACE_PFTRACEPACKET_H
