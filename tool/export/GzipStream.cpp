// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "export/GzipStream.h"

#include "llvm/Support/ErrorHandling.h"

using namespace autoprof::exports;

GzipStream::GzipStream(llvm::raw_ostream &Target) : Target(Target) {
  // Level 1: packing is slower than all the rest, and traces pack well.
  // 31: the largest window, with gzip's header.
  if (deflateInit2(&Z, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    llvm::report_bad_alloc_error("zlib is out of memory");
  SetBufferSize(1 << 16);
}

GzipStream::~GzipStream() {
  flush();
  pack(nullptr, 0, Z_FINISH);
  deflateEnd(&Z);
}

void GzipStream::write_impl(const char *Bytes, size_t Size) {
  Position += Size;
  pack(Bytes, Size, Z_NO_FLUSH);
}

void GzipStream::pack(const char *Bytes, size_t Size, int Flush) {
  Z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(Bytes));
  Z.avail_in = Size;
  do {
    char Chunk[1 << 16];
    Z.next_out = reinterpret_cast<Bytef *>(Chunk);
    Z.avail_out = sizeof(Chunk);
    deflate(&Z, Flush);
    Target.write(Chunk, sizeof(Chunk) - Z.avail_out);
  } while (!Z.avail_out);
}
