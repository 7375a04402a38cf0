// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/Load.h"

#include "trace/input/AvailableMemory.h"
#include "trace/input/ByteSource.h"
#include "trace/input/Inflate.h"
#include "trace/kineto/KinetoReader.h"
#include "trace/nsys/NsysReader.h"
#include "trace/pftrace/PftraceReader.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <sys/mman.h>
#include <unistd.h>

using namespace autoprof::trace;
using llvm::StringRef;

namespace {

llvm::Error failure(StringRef Path, const llvm::Twine &Why) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "cannot read '" + Path + "': " + Why);
}

bool isGzip(StringRef Bytes) { return Bytes.starts_with("\x1f\x8b"); }

bool isSqlite(StringRef Bytes) { return Bytes.starts_with("SQLite format 3"); }

/// What is wrong with a file of another kind, or "".
StringRef foreignFormat(StringRef Bytes) {
  if (isSqlite(Bytes))
    return "it is an SQLite file in a gzip file; unpack it first";
  if (Bytes.starts_with("\x7f"
                        "ELF"))
    return "it is a program; record it with 'autoprof run -- PROGRAM'";
  return "";
}

/// Gives pages back that have been read: the file is still there, and what is
/// read of it takes memory enough.
void dropPages(const llvm::MemoryBuffer &File, size_t UpTo) {
  const size_t Page = size_t(sysconf(_SC_PAGESIZE));
  char *Begin = const_cast<char *>(File.getBufferStart());
  if (File.getBufferKind() == llvm::MemoryBuffer::MemoryBuffer_MMap &&
      reinterpret_cast<uintptr_t>(Begin) % Page == 0)
    madvise(Begin, UpTo / Page * Page, MADV_DONTNEED);
}

std::string gigabytes(uint64_t Bytes) {
  return std::to_string((Bytes + 500'000'000) / 1'000'000'000) + " GB";
}

std::string megabytes(uint64_t Bytes) {
  return std::to_string((Bytes + 500'000) / 1'000'000) + " MB";
}

/// What reading and analysing take for one event (docs/performance.md), rounded
/// up.
constexpr uint64_t BytesAnEvent = 70;

constexpr llvm::StringLiteral WhatElse =
    "analyse a part of it with --window=FROM:TO, or record a part of the run "
    "('autoprof run --steps' or --duration)";

/// Whatever is in it, a file takes as much memory as it has bytes.
llvm::Error checkMemory(StringRef Path, uint64_t Bytes, uint64_t Available) {
  if (!Available || Bytes <= Available)
    return llvm::Error::success();
  return failure(Path, "it has " + gigabytes(Bytes) +
                           ", and reading it takes as much memory or more, of "
                           "which this machine has " +
                           gigabytes(Available) + " left; " + WhatElse);
}

/// Of what was selected not everything was kept.
llvm::Error tooMany(StringRef Path, const Timeline &T, uint64_t Available) {
  const uint64_t Events = T.Host.size() + T.Ops.size() + T.Unread.EventsTooMany;
  return failure(Path, (T.Part ? "the window" : "it") + llvm::Twine(" has ") +
                           llvm::Twine(Events / 1'000'000) +
                           " million events, and analysing them takes about " +
                           gigabytes(Events * BytesAnEvent) +
                           " of memory, of which this machine has " +
                           gigabytes(Available) + " left; " +
                           (T.Part ? "give a shorter --window" : WhatElse));
}

/// A report of Nsight Systems itself, which only its own tools read.
bool isNsysReport(StringRef Path) {
  return Path.ends_with(".nsys-rep") || Path.ends_with(".qdrep");
}

bool isJson(StringRef Bytes) {
  Bytes.consume_front("\xef\xbb\xbf"); // A byte order mark.
  Bytes = Bytes.ltrim();
  return Bytes.starts_with("{") || Bytes.starts_with("[");
}

/// Whether a file that can be read twice is JSON, packed or not.
bool isJsonFile(StringRef Path) {
  llvm::Expected<ByteSource> Source = ByteSource::open(Path);
  if (!Source) {
    llvm::consumeError(Source.takeError());
    return false;
  }
  char Start[256];
  return isJson(StringRef(Start, Source->read(Start, sizeof(Start))));
}

/// From front to back: such files can be larger than the memory.
llvm::Expected<Timeline> loadJson(StringRef Path, uint64_t FileBytes,
                                  const ProgressFunction &Progress,
                                  const Selection &Select) {
  llvm::Expected<ByteSource> Source = ByteSource::open(Path);
  if (!Source)
    return Source.takeError();
  auto Read = [&](char *To, size_t Size) {
    if (Progress && FileBytes)
      Progress(double(Source->position()) / double(FileBytes));
    return Source->read(To, Size);
  };
  llvm::Expected<Timeline> T = readKineto(Read, Select);
  if (T && Source->isDamaged())
    T->Info.From.Limits.push_back("The gzip file is cut off or damaged: what "
                                  "followed could not be unpacked.");
  return T;
}

llvm::Expected<Timeline> explained(StringRef Path, llvm::Expected<Timeline> T) {
  if (!T)
    return failure(Path, llvm::toString(T.takeError()));
  return T;
}

/// Reads the file once.
llvm::Expected<Timeline> read(StringRef Path, const LoadOptions &Options,
                              const Selection &Select) {
  llvm::sys::fs::file_status Status;
  if (std::error_code E = llvm::sys::fs::status(Path, Status))
    return failure(Path, E.message());
  if (llvm::sys::fs::is_directory(Status))
    return failure(Path, "it is a directory; give a .pftrace file");
  if (Status.type() == llvm::sys::fs::file_type::character_file ||
      Status.type() == llvm::sys::fs::file_type::block_file)
    return failure(Path, "it is a device; give a .pftrace file");
  if (llvm::sys::fs::is_regular_file(Status) && isJsonFile(Path))
    return explained(
        Path, loadJson(Path, Status.getSize(), Options.Progress, Select));
  auto Buffer = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return failure(Path, Buffer.getError().message());
  StringRef Bytes = (*Buffer)->getBuffer();
  if (Bytes.empty())
    return failure(Path, "it is empty; the recorded program was killed before "
                         "anything was written, or is still starting");
  if (isSqlite(Bytes))
    return explained(Path,
                     readNsys(Path, Options.Pid, Options.Progress, Select));
  std::string Unpacked;
  if (isGzip(Bytes)) {
    // A string that grows takes up to twice its size, and more when it moves.
    const uint64_t Available = availableMemory();
    const size_t Most = Available ? Available / 4 : SIZE_MAX;
    Unpacked = inflated(Bytes, Most);
    if (Unpacked.size() > Most)
      return failure(Path, "unpacked it has more than " + megabytes(Most) +
                               ", and this machine or container has " +
                               megabytes(Available) +
                               " of memory left; unpack it with gunzip first, "
                               "and the file takes none");
    Bytes = Unpacked;
    if (Bytes.empty())
      return failure(Path, "it is a damaged gzip file");
  }
  if (isNsysReport(Path))
    return failure(Path, "it is a report of Nsight Systems; export it with "
                         "'nsys export --type=sqlite' and give that file");
  if (StringRef Format = foreignFormat(Bytes); !Format.empty())
    return failure(Path, Format);
  if (isJson(Bytes))
    return explained(Path, readKineto(readerOf(Bytes), Select));
  if (!Select.Keep)
    if (llvm::Error E = checkMemory(Path, Bytes.size(), availableMemory()))
      return E;
  const bool Mapped = Unpacked.empty();
  auto Consumed = [&](size_t UpTo) {
    if (Mapped)
      dropPages(**Buffer, UpTo);
    if (Options.Progress)
      Options.Progress(double(UpTo) / double(Bytes.size()));
  };
  return explained(Path, readPftrace(Bytes, Consumed, Select));
}

/// Reads what was selected, or says that it does not fit into memory.
llvm::Expected<Timeline> readWithin(StringRef Path, const LoadOptions &Options,
                                    Selection Select) {
  const uint64_t Available = availableMemory();
  if (Available)
    Select.MaxEvents = Available / BytesAnEvent;
  llvm::Expected<Timeline> T = read(Path, Options, Select);
  if (T && T->Unread.EventsTooMany)
    return tooMany(Path, *T, Available);
  return T;
}

/// Where the recording begins and ends has to be read first: in a file nothing
/// is in order.
llvm::Expected<Timeline> readWindow(StringRef Path,
                                    const LoadOptions &Options) {
  if (!llvm::sys::fs::is_regular_file(Path))
    return failure(Path, "--window reads it twice, and it is no file");
  auto Half = [&Options](double Done) {
    LoadOptions Result = Options;
    if (Options.Progress)
      Result.Progress = [&Options, Done](double Part) {
        Options.Progress(Done + Part / 2);
      };
    return Result;
  };
  Selection Select;
  Select.Keep = Window{0, 0};
  llvm::Expected<Timeline> Empty = read(Path, Half(0), Select);
  if (!Empty)
    return Empty;
  llvm::Expected<Window> Keep = Options.Part->in(Empty->Part->Whole);
  if (!Keep)
    return failure(Path, llvm::toString(Keep.takeError()));
  Select.Keep = *Keep;
  llvm::Expected<Timeline> T = readWithin(Path, Half(0.5), Select);
  if (!T)
    return T;
  T->Part->Asked = Options.Part->text().str();
  std::string &Plan = T->Recorded.Plan;
  Plan += (Plan.empty() ? "--window=" : "; of that --window=") + T->Part->Asked;
  if (T->Recorded.List.empty() || !(T->Host.size() + T->Ops.size()))
    return failure(Path,
                   "nothing was recorded in --window=" + Options.Part->text());
  return T;
}

} // namespace

llvm::Expected<Timeline> autoprof::trace::load(StringRef Path,
                                               const LoadOptions &Options) {
  return Options.Part ? readWindow(Path, Options)
                      : readWithin(Path, Options, {});
}

bool autoprof::trace::isReplaceable(StringRef Path) {
  uint64_t Size;
  if (llvm::sys::fs::file_size(Path, Size))
    return false;
  if (!Size)
    return true;
  // The first packets of a trace say whose it is.
  auto Start = llvm::MemoryBuffer::getFileSlice(
      Path, std::min<uint64_t>(Size, 1 << 16), 0);
  return Start && (*Start)->getBuffer().starts_with("\x0a") &&
         (*Start)->getBuffer().contains("autoprof-trace/");
}
