// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/pftrace/PftracePacket.h"

using namespace autoprof::trace;
using protozero::pbf_reader;

void Packet::read(data_view Bytes) {
  for (pbf_reader R(Bytes); R.next();) {
    switch (R.tag()) {
    case 6:
      Clocks = R.get_view();
      break;
    case 8:
      Time = R.get_uint64();
      break;
    case 10:
      Sequence = R.get_uint32();
      break;
    case 11:
      Event = R.get_view();
      break;
    case 12:
      Interned = R.get_view();
      break;
    case 13:
      Flags = R.get_uint32();
      break;
    case 50:
      Compressed = R.get_view();
      break;
    case 53:
      GpuOp = R.get_view();
      break;
    case 58:
      Clock = R.get_uint32();
      break;
    case 59:
      Defaults = R.get_view();
      break;
    case 60:
      Track = R.get_view();
      break;
    default:
      R.skip();
    }
  }
}
