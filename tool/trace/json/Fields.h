// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The keys of a trace in JSON that are read; all others are skipped.
#ifndef AUTOPROF_TRACE_JSON_FIELDS_H
#define AUTOPROF_TRACE_JSON_FIELDS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace autoprof::trace {

enum class Field : uint8_t {
  Other,
  // Of the file:
  Events,
  Devices,
  Distributed,
  Host,
  Base,
  // Of an event:
  Phase,
  Category,
  Name,
  Pid,
  Tid,
  Start,
  Duration,
  Args,
  // Of args, devices, distributedInfo (and Name):
  Correlation,
  Device,
  Context,
  Stream,
  Bytes,
  Grid,
  Block,
  Registers,
  Shared,
  Json,
  Site,
  Lane,
  File,
  Line,
  Function,
  Id,
  Rank,
  Ranks,
  // Of devices:
  Memory,
  ComputeMajor,
  ComputeMinor,
  Sms,
  ThreadsPerSm,
  RegistersPerSm,
  SharedPerSm
};

/// By the place of the key: next to the events, in an event, in its "args", in
/// a device or distributedInfo.
Field fileField(llvm::StringRef Key);
Field eventField(llvm::StringRef Key);
Field argsField(llvm::StringRef Key);
Field headField(llvm::StringRef Key);

/// The producer whose files have such a key next to the events; "": any.
llvm::StringRef producer(llvm::StringRef Key);

} // namespace autoprof::trace

#endif // AUTOPROF_TRACE_JSON_FIELDS_H
