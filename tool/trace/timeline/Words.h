// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerators of a Timeline as words, the same in every output format.
#ifndef AUTOPROF_TRACE_TIMELINE_WORDS_H
#define AUTOPROF_TRACE_TIMELINE_WORDS_H

#include "trace/timeline/Timeline.h"

namespace autoprof::trace {

/// "unknown", "HtoD", "DtoH", ...
llvm::StringRef word(Direction D);
/// "unknown", "pageable", "pinned", "device", "managed".
llvm::StringRef word(MemoryKind M);
/// "null", "default", "nonblocking", "unknown".
llvm::StringRef word(StreamFlag F);
/// "kernel", "copy", "set", "graph", "other".
llvm::StringRef word(OpKind K);

} // namespace autoprof::trace

#endif // AUTOPROF_TRACE_TIMELINE_WORDS_H
