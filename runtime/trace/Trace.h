// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes events as Perfetto packets, as specified in docs/trace-format.md.
#pragma once

#include "runtime/stacks/Sampler.h"
#include "runtime/trace/Compressor.h"
#include "runtime/trace/Encoder.h"
#include "runtime/trace/IidMap.h"
#include "runtime/trace/Output.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace autoprof::runtime {

/// Event ids are disjoint for this many processes; few, because each launch has
/// an id.
constexpr uint64_t ShareCount = 64;

/// Makes ids unique among the processes of a machine.
struct ProcessIdentity {
  uint64_t Hash = 0; ///< Hash of boot id, process id and process start.
  uint8_t Share = 0; ///< Below ShareCount: from the rank or the hash.
  uint32_t Pid = 0;
  std::string Name;
  std::vector<std::string> CommandLine;
};

/// The identity of the calling process.
ProcessIdentity identifyProcess();

enum class Domain { Runtime, Driver };

// Times are CLOCK_MONOTONIC ns. `Correlation` is CUPTI's id widened to 64 bits
// (Activity.h); 0: none.

struct ApiCall {
  Domain Api;
  uint32_t Callback; ///< CUPTI's number of the function.
  uint32_t Tid;
  uint64_t Begin, End, Correlation;
};

struct GpuOperation {
  uint32_t Device, Context, Stream;
  uint64_t Begin, End, Correlation;
};

/// Name and `key=value` description of an interned kind of GPU operation.
struct StageText {
  std::string Name, Description;
};

struct Synchronization {
  uint32_t Type, Context; ///< CUPTI's numbers.
  uint32_t Stream;        ///< ~0u: none.
  uint64_t Begin, End, Correlation;
};

struct Overhead {
  uint32_t Kind; ///< CUPTI's number.
  uint32_t Tid;  ///< 0: unknown.
  uint64_t Begin, End;
};

/// An allocation or release of memory.
struct MemoryUse {
  bool IsRelease;
  const char *Kind; ///< "device", "pinned", ...
  uint32_t Device;
  uint64_t Address, Bytes, Time;
  uint64_t Correlation; ///< That of the call; 0: unknown.
};

/// One of the program's own NVTX ranges or marks.
struct UserRange {
  std::string_view Name;
  uint32_t Domain; ///< See UserNvtx.h; 0: none.
};

/// Not thread-safe: the flush thread owns it.
class Trace {
public:
  /// `Start`: zero of the trace's clock; events that begin earlier are counted
  /// as lost. `Out` must outlive the trace.
  Trace(Output &Out, ProcessIdentity Process, uint64_t Start);

  /// `Name` is the function's name; it is used once for each thread.
  void apiCall(const ApiCall &Call, const char *Name);
  void probe(uint32_t Tid, uint64_t SiteId, uint64_t Begin, uint64_t End);
  /// Writes to a thread's track, on which ranges must nest.
  void userRange(uint32_t Tid, const UserRange &Range, uint64_t Begin,
                 uint64_t End);
  /// Writes to a lane: a track of the process for ranges that nest on no
  /// thread's track.
  void userRangeOnLane(uint32_t Lane, const UserRange &Range, uint64_t Begin,
                       uint64_t End);
  void mark(uint32_t Tid, const UserRange &Mark, uint64_t Time);
  void synchronization(const Synchronization &Sync);
  /// The host stack of a call; `Frames` is in the format of
  /// docs/trace-format.md.
  void stack(uint32_t Tid, uint64_t Time, uint64_t Correlation,
             std::string_view Frames);
  void sample(const ThreadSample &Sample);
  void overhead(const Overhead &Cost);
  void memory(const MemoryUse &Use);

  /// `Key` identifies the StageText that `Describe()` returns; it is called if
  /// the key is new.
  template <typename Function>
  void gpuOperation(const GpuOperation &Op, uint64_t Key, Function Describe) {
    if (!accepts(Op.Begin, Op.End))
      return;
    uint32_t Queue = queue(Op);
    Sequence &S = queueSequence(Queue);
    IidMap::Result Stage = S.Names.get(Key);
    if (Stage.IsNew) {
      StageText Text = Describe();
      writeGpu(S, Op, Queue, Stage.Iid, &Text);
    } else {
      writeGpu(S, Op, Queue, Stage.Iid, nullptr);
    }
  }

  /// Writes one document of docs/trace-format.md, "Metadata", stamped with the
  /// current time.
  void metadata(std::string_view Name, std::string_view Json);

  /// The same for a document that a reader needs wherever it begins to read:
  /// repeat() writes it again. `Key` distinguishes documents of one name; a
  /// later one with the same key replaces the earlier one.
  void standing(std::string_view Name, uint64_t Key, std::string Json);
  /// The same, but it is first written by the next repeat().
  void standingLater(std::string_view Name, uint64_t Key, std::string Json);

  /// Makes everything that follows readable without what came before: writes a
  /// marker that readers look for, the clocks, the tracks and the standing
  /// documents, and makes every sequence start its dictionary again. For the
  /// first bytes of a file of a ring, and now and then in any file.
  void repeat();

  /// Relates the trace's clock to the machine's other clocks. To be called when
  /// all pending events have been written: events that began before, but are
  /// written later, take more bytes.
  void clockSnapshot();

  /// Hands all packets to the file. Returns false if the file is closed.
  bool flush();

  /// Compresses packets from the next flush on, except for those of the first
  /// flush, by which the file is recognized, and those of repeat(), for which
  /// readers search. `With` must outlive the trace.
  void compress(Compressor &With) { Packer = &With; }

  /// Number of packets since the trace began.
  uint64_t packets() const { return Packets; }

  /// Number of bytes of the trace, including those not yet flushed.
  uint64_t bytes() const { return Flushed + E.size(); }

private:
  struct Sequence {
    uint32_t Id = 0;
    /// Packets state the time since the previous one, which is shorter than the
    /// whole time. For sequences that are mostly in order.
    bool AddsTimes = true;
    uint64_t Time = 0;      // The time to which the next one is relative.
    uint64_t Track = 0;     // 0: the sequence holds GPU operations.
    uint32_t Repeat = 0;    // The value of Repeats when it was started.
    uint32_t Tid = 0;       // 0: not that of a thread.
    std::string ThreadName; // As last read.
    IidMap Names;           // Event names; stages of GPU operations.
    IidMap Places;          // Source locations.
    IidMap Domains;         // Categories of NVTX domains.
    IidMap Stacks;          // Frames of host stacks.
    IidMap Queues;          // Queues of GPU operations that were described.
  };
  /// The source of a thread's packets. Each source is mostly in order, but not
  /// both together: CUPTI's records of the thread are written first, then those
  /// of its probes.
  enum class Source : uint64_t { Cupti, Probes };
  class Packet;
  struct Slice;

  void startSequence(Sequence &S);
  void restartIfDue(Sequence &S);
  Sequence &addSequence();
  Sequence &threadSequence(uint32_t Tid, Source Producer);
  uint32_t queue(const GpuOperation &Op);
  Sequence &queueSequence(uint32_t Queue);
  void describeProcess();
  void describeThread(Sequence &S);
  void describeLane(uint32_t Lane);
  void writeClocks(uint64_t At, bool WithAdding);
  void writeSlice(Sequence &S, const Slice &Written);
  void writeUserRange(Sequence &S, const UserRange &Range, uint64_t Begin,
                      uint64_t End, uint64_t Track);
  void internNames(const Slice &Written);
  void internDomain(uint32_t Domain);
  uint64_t laneTrack(uint32_t Lane);
  void writeGpu(Sequence &S, const GpuOperation &Op, uint32_t Queue,
                uint32_t Stage, const StageText *Text);
  void bindSite(Sequence &S, uint64_t Time, uint32_t Iid, uint64_t SiteId);
  void internPlace(uint32_t Iid, uint64_t SiteId);
  void specification(uint32_t Iid, const StageText &Text);
  void instant(uint64_t Category, std::string_view Name);
  void annotate(std::string_view Name, uint64_t Value);
  void annotate(std::string_view Name, std::string_view Value);
  void joinEvent(uint64_t EventId);
  uint64_t internFrames(Sequence &S, std::string_view Frames);
  void stackEvent(std::string_view Name, uint64_t Text);
  uint64_t eventId(uint64_t Correlation) const;
  bool accepts(uint64_t Begin, uint64_t End);

  bool write(bool MayPack);

  Encoder E;
  Encoder Packed; // E, compressed.
  Compressor *Packer = nullptr;
  Output &Out;
  ProcessIdentity Identity;
  uint64_t Start;
  uint64_t CaughtUp; // Time of the last clockSnapshot(); initially Start.
  Sequence Process;
  std::vector<std::unique_ptr<Sequence>> Sequences; // All but Process.
  IidMap Threads; // Thread and Source -> index + 1 into ThreadSequences.
  std::vector<Sequence *> ThreadSequences;
  uint64_t LastThread = 0; // Its key in Threads; 0: none.
  Sequence *LastSequence = nullptr;
  IidMap Queues; // Device, context, stream -> index + 1 into QueueSequences.
  std::vector<Sequence *> QueueSequences;
  std::vector<uint64_t> Lanes; // The tracks of the lanes.
  /// Documents for repeat(), by name and key.
  std::map<std::pair<std::string, uint64_t>, std::string> Standing;
  uint32_t Repeats = 0; // Number of calls of repeat().
  uint64_t Packets = 0;
  uint64_t Flushed = 0; // Bytes handed to Out.
};

} // namespace autoprof::runtime
