// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the SQLite file that Nsight Systems exports ('nsys export --type
// sqlite'). docs/import.md describes what is read.
#ifndef AUTOPROF_TRACE_NSYS_NSYSREADER_H
#define AUTOPROF_TRACE_NSYS_NSYSREADER_H

#include "trace/import/Format.h"
#include "trace/input/ByteSource.h"
#include "trace/timeline/TimelineBuilder.h"

#include "llvm/Support/Error.h"

namespace autoprof::trace {

/// `Pid`: which of the file's processes; without it the one with the most GPU
/// operations. `Progress` may be empty. An error is the reason, without the
/// file's name.
llvm::Expected<Timeline> readNsys(llvm::StringRef Path,
                                  std::optional<int64_t> Pid = std::nullopt,
                                  const ProgressFunction &Progress = nullptr,
                                  const Selection &Select = {});

extern const Format NsysFormat;

} // namespace autoprof::trace

#endif // AUTOPROF_TRACE_NSYS_NSYSREADER_H
