// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Smaller traces (AUTOPROF_COMPRESS): the packets of a flush become one packet
// that holds them compressed (Perfetto's TracePacket.compressed_packets). So
// the file stays a row of whole packets, readable up to the last flush whatever
// happens to the process, which a compressed file would not be.
//
// zlib is opened at run time: the runtime needs libc only.
#ifndef AUTOPROF_RUNTIME_TRACE_COMPRESSOR_H
#define AUTOPROF_RUNTIME_TRACE_COMPRESSOR_H

#include "runtime/trace/Encoder.h"

namespace autoprof::runtime {

/// Not thread-safe: the flush thread's.
class Compressor {
public:
  /// False: there is no libz.so.1.
  bool open();

  /// Appends whole packets as one to `Out`. False: it has no memory for it, and
  /// `Out` is as before.
  bool pack(const uint8_t *Packets, size_t Size, Encoder &Out);

private:
  unsigned long (*Bound)(unsigned long) = nullptr;
  int (*Compress)(unsigned char *, unsigned long *, const unsigned char *,
                  unsigned long, int) = nullptr;
};

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_TRACE_COMPRESSOR_H
