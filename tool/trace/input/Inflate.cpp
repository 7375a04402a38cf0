// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/input/Inflate.h"

#include <algorithm>
#include <zlib.h>

std::string autoprof::trace::inflated(llvm::StringRef Bytes, size_t Limit) {
  std::string Result;
  z_stream Z{};
  if (inflateInit2(&Z, 15 + 32) != Z_OK) // 15: largest window; 32: either.
    return Result;
  Z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(Bytes.data()));
  int Status = Z_OK;
  while (Status == Z_OK && Result.size() <= Limit) {
    // zlib counts its input in 32 bits.
    const char *Next = reinterpret_cast<const char *>(Z.next_in);
    Z.avail_in = std::min<size_t>(Bytes.end() - Next, 1 << 30);
    char Chunk[1 << 16];
    Z.next_out = reinterpret_cast<Bytef *>(Chunk);
    Z.avail_out = sizeof(Chunk);
    Status = inflate(&Z, Z_NO_FLUSH);
    Result.append(Chunk, sizeof(Chunk) - Z.avail_out);
  }
  inflateEnd(&Z);
  return Result;
}
