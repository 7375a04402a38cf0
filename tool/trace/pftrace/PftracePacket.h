// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_TRACE_PFTRACE_PFTRACEPACKET_H
#define AUTOPROF_TRACE_PFTRACE_PFTRACEPACKET_H

#include "trace/pftrace/Protobuf.h"

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

  /// protozero::exception when the bytes are not valid; what was read by then
  /// stays.
  void read(data_view Bytes);
};

} // namespace autoprof::trace

#endif // AUTOPROF_TRACE_PFTRACE_PFTRACEPACKET_H
