// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds tracks to a .pftrace file without touching what is in it: the copy is
// the original's whole packets, byte for byte, and packets of one more sequence
// after them. That sequence has the clock of the process's (a snapshot of it is
// repeated), so times are the timeline's. Perfetto sorts by time.
#ifndef AUTOPROF_TRACE_PFTRACE_TRACKADDER_H
#define AUTOPROF_TRACE_PFTRACE_TRACKADDER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <string>

namespace autoprof::trace {

/// What Perfetto shows about a selected slice.
struct SliceDetail {
  llvm::StringRef Name;
  std::string Text; ///< "": Number instead.
  uint64_t Number = 0;
};

class TrackAdder {
public:
  /// Copies `Trace` (unpacked, not cut off) to `Out`. An error, one sentence,
  /// when it names no process or has no clock.
  static llvm::Expected<TrackAdder> create(llvm::StringRef Trace,
                                           llvm::raw_ostream &Out);

  /// All give the new track's id. `Parent` 0: the process. Tracks of one parent
  /// appear in the order in which they were added.
  uint64_t group(llvm::StringRef Name, uint64_t Parent = 0);
  uint64_t slices(llvm::StringRef Name, uint64_t Parent);
  /// `IsTime`: values are ns, else counts.
  uint64_t counter(llvm::StringRef Name, bool IsTime, uint64_t Parent);

  /// Times in ns on the timeline's clock. The slices of a track must not cross.
  void slice(uint64_t Track, int64_t Start, int64_t End, llvm::StringRef Name,
             llvm::ArrayRef<SliceDetail> Details);
  void value(uint64_t Track, int64_t Time, int64_t Value);

private:
  explicit TrackAdder(llvm::raw_ostream &Out) : Out(Out) {}
  void begin(llvm::StringRef Clocks);
  template <typename Fill> void packet(Fill F);
  template <typename Fill>
  uint64_t track(llvm::StringRef Name, uint64_t Parent, Fill F);

  llvm::raw_ostream &Out;
  uint32_t Sequence = 0;
  uint64_t Process = 0;            ///< Its track.
  uint64_t Tracks = 0;             ///< So many were added.
  llvm::StringMap<uint64_t> Names; ///< Interned.
};

} // namespace autoprof::trace

#endif // AUTOPROF_TRACE_PFTRACE_TRACKADDER_H
