// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/input/TraceFile.h"

#include "trace/input/AvailableMemory.h"

#include "llvm/Support/FileSystem.h"

#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using namespace autoprof::trace;
using llvm::StringRef;

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
  if (F.Regular)
    F.Size = Status.getSize();
  llvm::Expected<ByteSource> Source = ByteSource::open(Path);
  if (!Source)
    return Source.takeError();
  F.Start.resize(StartBytes);
  F.Start.resize(Source->read(F.Start.data(), F.Start.size()));
  F.Packed = F.Regular && Source->isPacked();
  // A pipe can be read only once.
  if (!F.Regular)
    if (llvm::Error E = F.readAll(*Source, F.Start))
      return std::move(E);
  if (F.Regular && !F.Size)
    return llvm::createStringError(
        "it is empty; the recorded program was killed before anything was "
        "written, or is still starting");
  return F;
}

llvm::Error TraceFile::readAll(ByteSource &Source, StringRef Before) {
  // A string that grows takes up to twice its size, and more when it moves.
  const uint64_t Available = availableMemory();
  const size_t Limit = Available ? Available / 4 : SIZE_MAX;
  Unpacked = Before.str();
  std::vector<char> Chunk(1 << 20);
  while (size_t Got = Source.read(Chunk.data(), Chunk.size())) {
    Unpacked.append(Chunk.data(), Got);
    if (Unpacked.size() > Limit)
      return llvm::createStringError(
          "unpacked it has more than " + megabytes(Limit) +
          ", and this machine or container has " + megabytes(Available) +
          " of memory left; write it to a file first, unpacked, which takes "
          "none");
  }
  if (Unpacked.empty())
    return llvm::createStringError(
        Source.isDamaged() ? "it is a damaged gzip file" : "it is empty");
  return llvm::Error::success();
}

llvm::Expected<StringRef> TraceFile::bytes() {
  if (Packed && Unpacked.empty()) {
    llvm::Expected<ByteSource> Source = ByteSource::open(Path);
    if (!Source)
      return Source.takeError();
    if (llvm::Error E = readAll(*Source, ""))
      return std::move(E);
  }
  if (!Unpacked.empty())
    return StringRef(Unpacked);
  if (!Buffer) {
    auto File = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
    if (!File)
      return llvm::createStringError(File.getError().message());
    Buffer = std::move(*File);
  }
  return Buffer->getBuffer();
}

void TraceFile::dropPages(size_t UpTo) {
  if (!Buffer)
    return;
  const size_t Page = size_t(sysconf(_SC_PAGESIZE));
  char *Begin = const_cast<char *>(Buffer->getBufferStart());
  if (Buffer->getBufferKind() == llvm::MemoryBuffer::MemoryBuffer_MMap &&
      reinterpret_cast<uintptr_t>(Begin) % Page == 0)
    madvise(Begin, UpTo / Page * Page, MADV_DONTNEED);
}
