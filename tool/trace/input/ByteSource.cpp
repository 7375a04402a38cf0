// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/input/ByteSource.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <zlib.h>

using namespace autoprof::trace;

void ByteSource::Closer::operator()(gzFile_s *File) const { gzclose_r(File); }

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

ByteReader autoprof::trace::readerOf(llvm::StringRef Bytes) {
  return [Bytes](char *Buffer, size_t Size) mutable {
    llvm::StringRef Part = Bytes.take_front(Size);
    std::copy(Part.begin(), Part.end(), Buffer);
    Bytes = Bytes.drop_front(Part.size());
    return Part.size();
  };
}
