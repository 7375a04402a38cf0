// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The readers of the formats. An error is one sentence without the file's name.
// A file that is cut off gives what could be read, which Timeline::Unread
// states. `Progress` and `Consumed` may be empty.
#pragma once

#include "trace/import/Format.h"
#include "trace/input/ByteSource.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace autoprof::trace {

/// Reads the trace that libautoprof.so writes (docs/trace-format.md), and skips
/// packets of unknown kinds. `Consumed` is called every 4 MB with how many of
/// the bytes will hardly be looked at again.
llvm::Expected<Timeline>
readPftrace(llvm::StringRef Bytes,
            llvm::function_ref<void(size_t)> Consumed = nullptr,
            const Selection &Select = {});

/// Reads the SQLite file that Nsight Systems exports ('nsys export --type
/// sqlite'; docs/import.md). `Pid`: which of the file's processes; without it
/// the one with the most GPU operations.
llvm::Expected<Timeline> readNsys(llvm::StringRef Path,
                                  std::optional<int64_t> Pid = std::nullopt,
                                  const ProgressFunction &Progress = nullptr,
                                  const Selection &Select = {});

/// Reads what torch.profiler writes (Kineto's JSON), and JSON of other
/// producers that names CUDA activity in the same way. docs/import.md describes
/// what is weaker than in autoprof's own recordings.
llvm::Expected<Timeline> readKineto(const ByteReader &Read,
                                    const Selection &Select = {});

/// PftraceFormat accepts every file: for one that autoprof did not write, it
/// gives the reason why it cannot be read.
extern const Format PftraceFormat, NsysFormat, KinetoFormat;

} // namespace autoprof::trace
