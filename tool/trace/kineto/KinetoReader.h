// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what torch.profiler writes (Kineto's JSON), and JSON of other producers
// that names CUDA activity in the same way. docs/import.md describes what is
// read, and what is weaker than in autoprof's own recordings.
#ifndef AUTOPROF_TRACE_KINETO_KINETOREADER_H
#define AUTOPROF_TRACE_KINETO_KINETOREADER_H

#include "trace/import/Format.h"
#include "trace/input/ByteSource.h"
#include "trace/timeline/TimelineBuilder.h"

namespace autoprof::trace {

/// An error is the reason why it cannot be used, without the file's name. A
/// file that is cut off gives what could be read, which Timeline::Unread
/// states.
llvm::Expected<Timeline> readKineto(const ByteReader &Read,
                                    const Selection &Select = {});

extern const Format KinetoFormat;

} // namespace autoprof::trace

#endif // AUTOPROF_TRACE_KINETO_KINETOREADER_H
