// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A format of traces: one folder, one row in Load.cpp.
#pragma once

#include "config/ErrorKind.h"
#include "trace/input/TraceFile.h"
#include "trace/timeline/TimelineBuilder.h"

namespace autoprof::trace {

/// The remedy for a trace that does not fit into memory.
inline constexpr llvm::StringLiteral PartInstead =
    "analyse a part of it with --window=FROM:TO, or record a part of the run "
    "('autoprof run --steps' or --duration)";

/// What was selected of a file does not fit into memory.
using TooLarge = ErrorOf<Selection>;

struct ReadOptions {
  /// Which process of a file that holds several; nothing: the busiest.
  std::optional<int64_t> Pid;
  ProgressFunction Progress; ///< May be empty.
  Selection Select;
};

struct Format {
  /// By the first bytes and the name.
  bool (*Recognises)(const TraceFile &File);
  /// An error is a reason without the file's name. A file that is cut off gives
  /// what could be read, which Timeline::Unread states.
  llvm::Expected<Timeline> (*Read)(TraceFile &File, const ReadOptions &Options);
};

} // namespace autoprof::trace
