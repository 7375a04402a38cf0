// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/input/ByteSource.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

using namespace autoprof::trace;

void ByteSource::Closer::operator()(gzFile File) const { gzclose_r(File); }

llvm::Expected<ByteSource> ByteSource::open(llvm::StringRef Path) {
  ByteSource S;
  S.File.reset(gzopen(Path.str().c_str(), "rbe"));
  if (!S.File)
    return llvm::createStringError(
        std::error_code(errno ? errno : ENOMEM, std::generic_category()), "%s",
        std::strerror(errno ? errno : ENOMEM));
  gzbuffer(S.File.get(), 1 << 18);
  return S;
}

size_t ByteSource::read(char *Buffer, size_t Size) {
  if (Damaged)
    return 0;
  int Got =
      gzread(File.get(), Buffer, unsigned(std::min<size_t>(Size, 1 << 30)));
  int Status = Z_OK;
  gzerror(File.get(), &Status);
  // zlib reports a file that is cut off only after what could be unpacked.
  Damaged = Got < 0 || (Got == 0 && Status != Z_OK);
  return size_t(std::max(Got, 0));
}

uint64_t ByteSource::position() const {
  return uint64_t(std::max<z_off_t>(0, gzoffset(File.get())));
}

bool ByteSource::isPacked() const { return !gzdirect(File.get()); }

std::string autoprof::trace::inflated(llvm::StringRef Bytes, size_t Limit) {
  std::string Result;
  z_stream Z{};
  if (inflateInit(&Z) != Z_OK)
    return Result;
  Z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(Bytes.data()));
  Z.avail_in = unsigned(Bytes.size());
  int Status = Z_OK;
  while (Status == Z_OK && Result.size() <= Limit) {
    char Chunk[1 << 16];
    Z.next_out = reinterpret_cast<Bytef *>(Chunk);
    Z.avail_out = sizeof(Chunk);
    Status = inflate(&Z, Z_NO_FLUSH);
    Result.append(Chunk, sizeof(Chunk) - Z.avail_out);
  }
  inflateEnd(&Z);
  return Result;
}

ByteReader autoprof::trace::readerOf(llvm::StringRef Bytes) {
  return [Bytes](char *Buffer, size_t Size) mutable {
    llvm::StringRef Part = Bytes.take_front(Size);
    std::copy(Part.begin(), Part.end(), Buffer);
    Bytes = Bytes.drop_front(Part.size());
    return Part.size();
  };
}
