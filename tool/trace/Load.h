// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a file's name to a Timeline.
#ifndef AUTOPROF_TRACE_LOAD_H
#define AUTOPROF_TRACE_LOAD_H

#include "trace/Timeline.h"

#include "llvm/Support/Error.h"

namespace autoprof::trace {

/// Reads a trace, gzip-compressed or not; the format is told by the content.
/// `Pid`: which process of a file that holds several (exports of Nsight
/// Systems); ignored where there is one. An error is one sentence that names
/// the file and says what to do.
llvm::Expected<Timeline> load(llvm::StringRef Path,
                              std::optional<int64_t> Pid = std::nullopt);

/// Whether `autoprof run` may replace what is at `Path`: a file that is empty
/// or begins as a trace of autoprof.
bool isReplaceable(llvm::StringRef Path);

} // namespace autoprof::trace

#endif // AUTOPROF_TRACE_LOAD_H
