// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/AnnotateFile.h"

#include "report/recording/Annotate.h"
#include "trace/input/Inflate.h"
#include "trace/pftrace/TraceWriter.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;

namespace {

/// The recording as Perfetto reads it.
struct Packets {
  std::unique_ptr<llvm::MemoryBuffer> File; ///< What Bytes lie in, or Made.
  std::string Made;
  llvm::StringRef Bytes;
};

/// The file's own packets, unpacked; for another profiler's format, what was
/// read of it.
llvm::Error findPackets(const Analysed &Trace, Packets &P) {
  if (!Trace.T.Info.Source.Producer.empty()) {
    llvm::raw_string_ostream Out(P.Made);
    trace::writePftrace(Trace.T, Out);
    P.Bytes = P.Made;
    return llvm::Error::success();
  }
  auto Buffer = llvm::MemoryBuffer::getFile(Trace.Path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return llvm::createStringError("cannot read '" + Trace.Path +
                                   "': " + Buffer.getError().message());
  P.File = std::move(*Buffer);
  P.Bytes = P.File->getBuffer();
  if (P.Bytes.starts_with("\x1f\x8b"))
    P.Bytes = P.Made = trace::inflated(P.Bytes);
  // After a packet that is cut off, nothing could be read.
  P.Bytes = P.Bytes.drop_back(Trace.T.Unread.BytesDropped);
  return llvm::Error::success();
}

} // namespace

llvm::Error cli::annotateFile(const Analysed &Trace, const std::string &Path) {
  if (llvm::sys::fs::equivalent(Trace.Path, Path))
    return llvm::createStringError("--annotate names the trace '" + Trace.Path +
                                   "' itself; choose another file");
  Packets Found;
  if (llvm::Error Failed = findPackets(Trace, Found))
    return Failed;

  std::error_code E;
  llvm::ToolOutputFile Out(Path, E, llvm::sys::fs::OF_None);
  if (E)
    return llvm::createStringError("cannot write '" + Path +
                                   "': " + E.message());
  report::Input Reported{Trace.Path, Trace.T, Trace.R};
  if (llvm::Error Failed = report::annotate(Reported, Found.Bytes, Out.os()))
    return llvm::createStringError("cannot annotate '" + Trace.Path +
                                   "': " + llvm::toString(std::move(Failed)));
  Out.os().close();
  if (std::error_code Failure = Out.os().error()) {
    Out.os().clear_error();
    return llvm::createStringError("cannot write '" + Path +
                                   "': " + Failure.message());
  }
  Out.keep();
  return llvm::Error::success();
}
