// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON that Chrome's trace viewer defined and that PyTorch's profiler
// writes: a list of events, or an object whose key "traceEvents" is that list.
// It is read from front to back, one event at a time, so files of many
// gigabytes need little memory; what no reader of autoprof needs is skipped.
#pragma once

#include "trace/input/ByteSource.h"
#include "trace/timeline/Timeline.h"

namespace autoprof::trace {

/// One event. Texts are "" where it has none. Times in ns, from microseconds
/// with any number of decimals; numbers may be written as strings.
struct JsonEvent {
  char Phase = 0; ///< 'X' complete, 'M' metadata, ...; 0: none.
  std::string Category, Name;
  std::string Pid, Tid; ///< Numbers or names.
  std::optional<int64_t> Start, Duration;
  std::optional<int64_t> Id; ///< Of flows (phases 's' and 'f').
  bool HasFraction = false;  ///< Of a microsecond, in Start.

  // Of "args":
  std::string ArgName; ///< "name", of metadata.
  std::optional<int64_t> Correlation, Device, Context, Stream, Bytes;
  LaunchShape Shape;
  std::string InputShapes; ///< "[[64, 128], []]", of an operator.
  std::optional<int64_t> MemoryBytes, MemoryDevice; ///< Of "[memory]".
  // What autoprof adds to what it writes (docs/convert.md):
  std::string ArgJson;        ///< "json", of metadata.
  uint64_t Site = 0;          ///< "autoprof site"; 0: none.
  bool IsLane = false;        ///< "autoprof lane", of metadata.
  std::string File, Function; ///< Of a call whose stack was recorded.
  uint32_t Line = 0;

  void clear();
};

/// What is next to the list of events.
struct JsonHead {
  bool HasEvents = false; ///< Whether there is a list of them at all.
  std::vector<Device> Devices;
  std::optional<int64_t> Base;        ///< The zero of times, ns since 1970.
  std::optional<int64_t> Rank, Ranks; ///< distributedInfo.
  std::string Host;
};

/// How far the file could be read.
struct JsonEnd {
  uint64_t Bytes = 0;  ///< Of the file, unpacked.
  uint64_t Good = 0;   ///< Up to the end of the last whole event.
  std::string Problem; ///< "": it was read to its end.
};

/// Calls `Callback` for each event in the order of the file. `Head` is filled
/// on the way: what comes after the events is known only afterwards.
JsonEnd readJsonEvents(const ByteReader &Read, JsonHead &Head,
                       const std::function<void(const JsonEvent &)> &Callback);

} // namespace autoprof::trace
