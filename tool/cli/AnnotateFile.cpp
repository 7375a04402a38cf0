// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/AnnotateFile.h"

#include "report/recording/Annotate.h"
#include "trace/Inflate.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace autoprof;
using namespace autoprof::cli;

llvm::Error cli::annotateFile(const Analysed &Trace, const std::string &Path) {
  if (llvm::sys::fs::equivalent(Trace.Path, Path))
    return llvm::createStringError("--annotate names the trace '" + Trace.Path +
                                   "' itself; choose another file");
  auto Buffer = llvm::MemoryBuffer::getFile(Trace.Path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return llvm::createStringError("cannot read '" + Trace.Path +
                                   "': " + Buffer.getError().message());
  llvm::StringRef Bytes = (*Buffer)->getBuffer();
  std::string Unpacked;
  if (Bytes.starts_with("\x1f\x8b"))
    Bytes = Unpacked = trace::inflated(Bytes);
  // Behind a packet that is cut off nothing could be read.
  Bytes = Bytes.drop_back(Trace.T.Unread.BytesDropped);

  std::error_code E;
  llvm::ToolOutputFile Out(Path, E, llvm::sys::fs::OF_None);
  if (E)
    return llvm::createStringError("cannot write '" + Path +
                                   "': " + E.message());
  report::Input In{Trace.Path, Trace.T, Trace.R};
  if (llvm::Error Failed = report::annotate(In, Bytes, Out.os()))
    return llvm::createStringError("cannot annotate '" + Trace.Path +
                                   "': " + llvm::toString(std::move(Failed)));
  Out.os().close();
  if (std::error_code Why = Out.os().error()) {
    Out.os().clear_error();
    return llvm::createStringError("cannot write '" + Path +
                                   "': " + Why.message());
  }
  Out.keep();
  return llvm::Error::success();
}
