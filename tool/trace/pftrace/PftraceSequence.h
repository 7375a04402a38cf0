// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reader's state of one packet sequence: its dictionary (interned ids), its
// clock, and the slices that have begun.
#pragma once

#include "trace/pftrace/Protobuf.h"
#include "trace/timeline/TimelineBuilder.h"

#include "llvm/ADT/SmallVector.h"

namespace autoprof::trace {

using protozero::data_view;

/// Times in a trace beyond 2^53 ns (104 days) are damage, and sums of what is
/// left do not overflow. The machine's own clocks may be older.
constexpr int64_t MaxTime = int64_t(1) << 53, MaxClock = int64_t(1) << 61;

inline llvm::StringRef ref(data_view V) { return {V.data(), V.size()}; }

/// The categories of track events (docs/trace-format.md).
enum class Category : uint8_t {
  None, ///< A site if its name is bound to one, else a runtime call.
  Other,
  Api,
  Driver,
  Site,
  Range,
  Sync,
  Overhead,
  Metadata,
  Stack,
  Memory,
  Nvtx ///< `nvtx`, or `nvtx:` and a domain.
};

Category categoryOf(llvm::StringRef Name);
/// "pageable", "pinned", "device", "array", "managed".
MemoryKind memoryOf(llvm::StringRef Name);

/// A category with the NVTX domain in its name (into Strings), as
/// Sequence::Categories holds it.
inline uint32_t packCategory(Category C, uint32_t Domain) {
  return Domain << 8 | uint32_t(C);
}
inline Category categoryIn(uint32_t Packed) { return Category(Packed & 0xFF); }
inline uint32_t domainIn(uint32_t Packed) { return Packed >> 8; }

/// Interned ids to indices. Writers count from 1, so an array is enough; a map
/// takes ids that damage may produce.
class IidMap {
  std::vector<uint32_t> Dense;
  std::unordered_map<uint64_t, uint32_t> Sparse;

public:
  uint32_t find(uint64_t Iid) const {
    if (Iid < Dense.size())
      return Dense[Iid];
    if (Sparse.empty())
      return None;
    auto It = Sparse.find(Iid);
    return It == Sparse.end() ? None : It->second;
  }
  void set(uint64_t Iid, uint32_t Value) {
    if (Iid > 1 << 20) {
      Sparse[Iid] = Value;
      return;
    }
    if (Iid >= Dense.size())
      Dense.resize(Iid + 1, None);
    Dense[Iid] = Value;
  }
};

/// A slice whose end has not been read.
struct OpenSlice {
  int64_t Start;
  uint64_t EventId;
  uint32_t Name, Site, Thread;
  Category Kind;
  uint32_t Domain; ///< Of NVTX.
};

struct Sequence {
  IidMap Names, Categories, Annotations, Texts, Locations, Queues, Stages;
  /// By the iid of a name that a `site` document bound: the site, and the
  /// callee (into Strings) that replaces the name when it is interned, later.
  IidMap SitesOfNames, Callees;
  uint64_t DefaultTrack = 0;
  uint32_t DefaultThread = None; ///< The thread of DefaultTrack, once known.
  uint32_t DefaultClock = 0;
  int64_t Offset = 0; ///< Added to a timestamp to get the timeline's time.
  /// What the next timestamp of the adding clock is added to; nothing where it
  /// is not known.
  std::optional<int64_t> Sum;
  llvm::SmallVector<OpenSlice, 4> Open;

  /// What sequence_flags = 1 asks for: a writer with very many names starts its
  /// dictionary again. Clock, track and open slices continue.
  void forgetNames();

  /// A packet's timestamp as time since the trace's zero, or nothing if it
  /// cannot be. `Clock`: 0 is the default one.
  std::optional<int64_t> time(uint64_t Timestamp, uint32_t Clock);

  /// Each reads one field of a packet; protozero::exception when it is not
  /// valid.
  void readInterned(TimelineBuilder &B, data_view Bytes);
  void readDefaults(data_view Bytes);
  /// `Base`: the monotonic time of the trace's zero, set by the first snapshot.
  void readClocks(std::optional<int64_t> &Base, std::optional<int64_t> &Epoch,
                  data_view Bytes);

private:
  void readSpecification(TimelineBuilder &B, data_view Bytes);
};

} // namespace autoprof::trace
