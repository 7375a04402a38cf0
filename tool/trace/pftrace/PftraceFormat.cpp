// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/Readers.h"
#include "trace/input/AvailableMemory.h"

using namespace autoprof::trace;
using llvm::StringRef;

/// Whatever is in it, a file takes as much memory as it has bytes.
static llvm::Error checkMemory(uint64_t Bytes, uint64_t Available) {
  if (!Available || Bytes <= Available)
    return llvm::Error::success();
  return llvm::make_error<TooLarge>(
      "it has " + gigabytes(Bytes) +
      ", and reading it takes as much memory or more, of which this machine "
      "has " +
      gigabytes(Available) + " left; " + PartInstead);
}

static llvm::Expected<Timeline> read(TraceFile &File,
                                     const ReadOptions &Options) {
  if (File.start().starts_with("\x7f"
                               "ELF"))
    return llvm::createStringError(
        "it is a program; record it with 'autoprof run -- PROGRAM'");
  if (StringRef(File.path()).contains(".xplane.pb"))
    return llvm::createStringError(
        "it is a profile of JAX or TensorFlow (XSpace), a format that autoprof "
        "does not read; record the program with 'autoprof run -- PROGRAM', or "
        "with a profiler that docs/import.md names");
  llvm::Expected<StringRef> Bytes = File.bytes();
  if (!Bytes)
    return Bytes.takeError();
  if (!Options.Select.Keep)
    if (llvm::Error E = checkMemory(Bytes->size(), availableMemory()))
      return std::move(E);
  auto Consumed = [&](size_t UpTo) {
    File.dropPages(UpTo);
    if (Options.Progress)
      Options.Progress(double(UpTo) / double(Bytes->size()));
  };
  return readPftrace(*Bytes, Consumed, Options.Select);
}

const Format autoprof::trace::PftraceFormat = {
    [](const TraceFile &) { return true; }, read};
