// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/input/TraceFile.h"

#include "trace/input/AvailableMemory.h"
#include "trace/input/Inflate.h"

#include "llvm/Support/FileSystem.h"

#include <sys/mman.h>
#include <unistd.h>

using namespace autoprof::trace;
using llvm::StringRef;

static bool isGzip(StringRef Bytes) { return Bytes.starts_with("\x1f\x8b"); }

/// Enough to distinguish the formats.
static constexpr size_t StartBytes = 256;

llvm::Expected<TraceFile> TraceFile::open(StringRef Path) {
  using llvm::sys::fs::file_type;
  llvm::sys::fs::file_status Status;
  if (std::error_code E = llvm::sys::fs::status(Path, Status))
    return llvm::createStringError(E.message());
  if (llvm::sys::fs::is_directory(Status))
    return llvm::createStringError("it is a directory; give a .pftrace file");
  if (Status.type() == file_type::character_file ||
      Status.type() == file_type::block_file)
    return llvm::createStringError("it is a device; give a .pftrace file");
  TraceFile F;
  F.Path = Path.str();
  F.Regular = llvm::sys::fs::is_regular_file(Status);
  char Begin[StartBytes];
  if (F.Regular) {
    F.Size = Status.getSize();
    auto Raw = llvm::MemoryBuffer::getFileSlice(Path, 2, 0);
    F.Packed = Raw && F.Size >= 2 && isGzip((*Raw)->getBuffer());
    llvm::Expected<ByteSource> Source = ByteSource::open(Path);
    if (!Source)
      return Source.takeError();
    F.Start.assign(Begin, Source->read(Begin, sizeof Begin));
  } else {
    if (llvm::Error E = F.map())
      return std::move(E);
    llvm::Expected<StringRef> Bytes = F.bytes();
    if (!Bytes)
      return Bytes.takeError();
    F.Start = Bytes->take_front(StartBytes).str();
  }
  if (F.Regular && !F.Size)
    return llvm::createStringError(
        "it is empty; the recorded program was killed before anything was "
        "written, or is still starting");
  return F;
}

llvm::Error TraceFile::map() {
  auto File = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!File)
    return llvm::createStringError(File.getError().message());
  Buffer = std::move(*File);
  Packed = isGzip(Buffer->getBuffer());
  return llvm::Error::success();
}

llvm::Expected<StringRef> TraceFile::bytes() {
  if (!Buffer)
    if (llvm::Error E = map())
      return std::move(E);
  if (!Packed)
    return Buffer->getBuffer();
  if (!Unpacked.empty())
    return StringRef(Unpacked);
  // A string that grows takes up to twice its size, and more when it moves.
  const uint64_t Available = availableMemory();
  const size_t Limit = Available ? Available / 4 : SIZE_MAX;
  Unpacked = inflated(Buffer->getBuffer(), Limit);
  if (Unpacked.size() > Limit)
    return llvm::createStringError(
        "unpacked it has more than " + megabytes(Limit) +
        ", and this machine or container has " + megabytes(Available) +
        " of memory left; unpack it with gunzip first, and the file takes "
        "none");
  if (Unpacked.empty())
    return llvm::createStringError("it is a damaged gzip file");
  return StringRef(Unpacked);
}

void TraceFile::dropPages(size_t UpTo) {
  if (!Buffer || Packed)
    return;
  const size_t Page = size_t(sysconf(_SC_PAGESIZE));
  char *Begin = const_cast<char *>(Buffer->getBufferStart());
  if (Buffer->getBufferKind() == llvm::MemoryBuffer::MemoryBuffer_MMap &&
      reinterpret_cast<uintptr_t>(Begin) % Page == 0)
    madvise(Begin, UpTo / Page * Page, MADV_DONTNEED);
}
