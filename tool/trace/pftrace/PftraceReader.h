// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the trace that libautoprof.so writes (docs/trace-format.md).
#ifndef AUTOPROF_TRACE_PFTRACE_PFTRACEREADER_H
#define AUTOPROF_TRACE_PFTRACE_PFTRACEREADER_H

#include "trace/import/Format.h"
#include "trace/timeline/TimelineBuilder.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace autoprof::trace {

/// Reads a whole trace. A broken tail is left out and counted in
/// Timeline::Unread; packets of unknown kinds are skipped. An error (one
/// sentence without the file's name) states that the bytes are not a trace of
/// autoprof, or hold more than one process. `Consumed`, where given, is called
/// every 4 MB with how many of the bytes will hardly be looked at again.
llvm::Expected<Timeline>
readPftrace(llvm::StringRef Bytes,
            llvm::function_ref<void(size_t)> Consumed = nullptr,
            const Selection &Select = {});

/// It accepts every file: for one that autoprof did not write, it gives the
/// reason why it cannot be read.
extern const Format PftraceFormat;

} // namespace autoprof::trace

#endif // AUTOPROF_TRACE_PFTRACE_PFTRACEREADER_H
