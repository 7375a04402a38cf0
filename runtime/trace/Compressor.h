// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compresses traces (AUTOPROF_COMPRESS): the packets of a flush become one
// packet that contains them compressed (Perfetto's
// TracePacket.compressed_packets). So the file remains a sequence of whole
// packets, readable up to the last flush whatever happens to the process, which
// a compressed file would not be.
//
// zlib is opened at run time, because the runtime may depend only on libc.
#pragma once

#include "runtime/trace/Encoder.h"

namespace autoprof::runtime {

/// Owned by the flush thread. Not thread-safe.
class Compressor {
public:
  /// Returns false if there is no libz.so.1.
  bool open();

  /// Appends whole packets to `Out` as one packet. Returns false if there was
  /// no memory for it; `Out` is then unchanged.
  bool pack(const uint8_t *Packets, size_t Size, Encoder &Out);

private:
  unsigned long (*Bound)(unsigned long) = nullptr;
  int (*Compress)(unsigned char *, unsigned long *, const unsigned char *,
                  unsigned long, int) = nullptr;
};

} // namespace autoprof::runtime
