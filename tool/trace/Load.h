// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a file's name to a Timeline.
#pragma once

#include "trace/WindowRequest.h"
#include "trace/import/Format.h"

#include "llvm/Support/Error.h"

namespace autoprof::trace {

struct LoadOptions {
  /// Which process of a file that holds several (exports of Nsight Systems);
  /// ignored where there is one.
  std::optional<int64_t> Pid;
  /// Called while the file is read, at least a few times per second of a long
  /// read, with the part that has been read: from 0 to 1.
  ProgressFunction Progress;
  /// Only what is inside (see Selection); Timeline::Part has what is not. Of a
  /// file that is too large to be read and then cut: it is read twice.
  std::optional<WindowRequest> Part;
};

/// Reads a trace, gzip-compressed or not; the format is recognized by the
/// content. An error is one sentence that names the file and the remedy, also
/// if the events and their analysis need more memory than is available:
/// TooLarge; ErrorOf<Format> if the file has none of the formats.
llvm::Expected<Timeline> load(llvm::StringRef Path,
                              const LoadOptions &Options = {});

/// The part of a timeline that load() would have read. `Path`: for errors.
llvm::Expected<Timeline> cut(const Timeline &Whole, const WindowRequest &Asked,
                             llvm::StringRef Path);

/// What a trace holds.
struct Survey {
  int64_t Pid = -1;
  std::optional<int64_t> Rank; ///< See Process.
  bool HasCupti = false;       ///< GPU work would have been recorded.
  uint64_t Operations = 0;
};

/// Reads a trace without keeping its events; nothing is known of one that
/// cannot be read.
Survey survey(llvm::StringRef Path);

/// Whether `autoprof run` may replace what is at `Path`: a file that is empty
/// or begins as a trace of autoprof.
bool isReplaceable(llvm::StringRef Path);

} // namespace autoprof::trace
