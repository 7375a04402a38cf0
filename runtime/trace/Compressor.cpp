// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/trace/Compressor.h"

#include "runtime/trace/TracePacket.h"

#include <cstdlib>
#include <dlfcn.h>

namespace autoprof::runtime {

bool Compressor::open() {
  void *Library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!Library)
    return false;
  Bound = reinterpret_cast<decltype(Bound)>(dlsym(Library, "compressBound"));
  Compress = reinterpret_cast<decltype(Compress)>(dlsym(Library, "compress2"));
  return Bound && Compress;
}

bool Compressor::pack(const uint8_t *Packets, size_t Size, Encoder &Out) {
  // The fastest level: only a GPU-bound program leaves cores free for
  // compression.
  constexpr int Level = 1;
  unsigned long Length = Bound(Size);
  auto *Packed = static_cast<unsigned char *>(malloc(Length));
  const size_t Before = Out.size();
  bool Good = Packed && Compress(Packed, &Length, Packets, Size, Level) == 0;
  if (Good) {
    Message Packet(Out, 1);
    Out.bytes(packet::CompressedPackets,
              {reinterpret_cast<const char *>(Packed), Length});
  }
  free(Packed);
  if (Out.failed())
    Good = false;
  if (!Good)
    Out.truncate(Before);
  return Good;
}

} // namespace autoprof::runtime
