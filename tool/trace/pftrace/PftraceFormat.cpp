// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/input/AvailableMemory.h"
#include "trace/pftrace/PftraceReader.h"

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

/// An XSpace, which has planes with a number and a name: "/device:GPU:0". Its
/// first bytes could be those of a .pftrace, which have a list of packets
/// there.
static bool isXSpace(const TraceFile &File) {
  StringRef Bytes = File.start();
  auto Skip = [&Bytes] { // A number.
    Bytes = Bytes.drop_while([](char C) { return C & 0x80; });
    Bytes.consume_front(Bytes.take_front());
  };
  if (!Bytes.consume_front("\x0a"))
    return false;
  Skip();
  if (Bytes.consume_front("\x08"))
    Skip();
  if (!Bytes.consume_front("\x12"))
    return false;
  Skip();
  return Bytes.starts_with("/host:") || Bytes.starts_with("/device:") ||
         StringRef(File.path()).contains(".xplane.pb");
}

static llvm::Expected<Timeline> read(TraceFile &File,
                                     const ReadOptions &Options) {
  if (File.start().starts_with("\x7f"
                               "ELF"))
    return llvm::createStringError(
        "it is a program; record it with 'autoprof run -- PROGRAM'");
  if (isXSpace(File))
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
