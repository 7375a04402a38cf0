// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wire format of track events: protobuf in, plain structs out.
#ifndef AUTOPROF_TRACE_PFTRACE_PFTRACEEVENT_H
#define AUTOPROF_TRACE_PFTRACE_PFTRACEEVENT_H

#include "trace/pftrace/PftraceSequence.h"

namespace autoprof::trace {

/// The fields of one track_event.
struct Event {
  uint32_t Type = 0;
  uint64_t Track = 0, EventId = 0, Location = 0;
  uint32_t Name = 0;
  uint32_t Site = None; ///< Of the name, where it is bound to one.
  bool HasTrack = false;
  Category Kind = Category::None;
  uint32_t Domain = 0; ///< Of NVTX, into Strings.
  llvm::SmallVector<data_view, 4> Annotations;
};

/// A debug annotation: its name and either value.
struct Annotation {
  llvm::StringRef Name, Text;
  uint64_t Number = 0;
};

/// Both throw protozero::exception when the bytes are not valid.
Event readTrackEvent(const Sequence &S, StringPool &Strings, data_view Bytes);
Annotation readAnnotation(const Sequence &S, const StringPool &Strings,
                          data_view Bytes);

} // namespace autoprof::trace

#endif // AUTOPROF_TRACE_PFTRACE_PFTRACEEVENT_H
