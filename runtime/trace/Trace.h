// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events -> Perfetto packets, as docs/trace-format.md lays them down.
#ifndef AUTOPROF_RUNTIME_TRACE_TRACE_H
#define AUTOPROF_RUNTIME_TRACE_TRACE_H

#include "runtime/trace/Compressor.h"
#include "runtime/trace/Encoder.h"
#include "runtime/trace/IidMap.h"
#include "runtime/trace/Output.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace autoprof::runtime {

/// Event ids of this many processes differ; few, for they are in every launch.
constexpr uint64_t ShareCount = 64;

/// What makes ids unique among the processes of a machine.
struct ProcessIdentity {
  uint64_t Hash = 0; ///< Of boot id, process id and process start.
  uint8_t Share = 0; ///< Below ShareCount: its rank, or of the hash.
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

/// Name and `key=value` words of an interned kind of GPU operation.
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

/// Memory that was allocated or released.
struct MemoryUse {
  bool IsRelease;
  const char *Kind; ///< "device", "pinned", ...
  uint32_t Device;
  uint64_t Address, Bytes, Time;
  uint64_t Correlation; ///< Of the call; 0: unknown.
  uint64_t Total;       ///< Bytes on the device from then on.
};

/// An NVTX range or mark of the program's own.
struct UserRange {
  std::string_view Name;
  uint32_t Domain;     ///< See UserNvtx.h; 0: none.
  uint32_t Category;   ///< The program's number; 0: none.
  uint8_t PayloadType; ///< NVTX's number; 0: no payload.
  uint64_t Payload;    ///< Its bits.
};

/// Not thread-safe: the flush thread owns it.
class Trace {
public:
  /// `Start`: zero of the trace's clock; events that begin earlier are counted
  /// as lost. `Out` must live as long.
  Trace(Output &Out, ProcessIdentity Process, uint64_t Start);

  /// `Name` is the function's name, asked for once for each thread.
  void apiCall(const ApiCall &Call, const char *Name);
  /// `Iteration`: of a loop, from 1; 0: it is none.
  void probe(uint32_t Tid, uint64_t SiteId, uint64_t Begin, uint64_t End,
             uint64_t Iteration = 0);
  /// On a thread's track; what lies there must nest.
  void userRange(uint32_t Tid, const UserRange &Range, uint64_t Begin,
                 uint64_t End);
  /// On a track of the process for ranges that nest on no thread's.
  void userRangeOnLane(uint32_t Lane, const UserRange &Range, uint64_t Begin,
                       uint64_t End);
  void mark(uint32_t Tid, const UserRange &Mark, uint64_t Time);
  void synchronization(const Synchronization &Sync);
  /// The host stack of a call: `Frames` as docs/trace-format.md has them.
  void stack(uint32_t Tid, uint64_t Time, uint64_t Correlation,
             std::string_view Frames);
  void overhead(const Overhead &Cost);
  /// An event, and the device's total as a counter.
  void memory(const MemoryUse &Use);

  /// `Key` stands for what `Describe()` returns (a StageText); it is called
  /// when the key is new.
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

  /// One document of docs/trace-format.md, "Metadata", stamped with now.
  void metadata(std::string_view Name, std::string_view Json);

  /// The same for a document that a reader needs wherever it begins: repeat()
  /// writes it again. `Key` tells those of one name apart; a later one with the
  /// same key takes the place of the one before.
  void standing(std::string_view Name, uint64_t Key, std::string Json);
  /// The same, but it is written by the next repeat() and not now.
  void standingLater(std::string_view Name, uint64_t Key, std::string Json);

  /// Makes what follows readable without what came before: writes a marker
  /// that readers look for, the clocks, the tracks and the standing documents,
  /// and has every sequence start its dictionary afresh. For the first bytes
  /// of a piece of a ring, and now and then in a file.
  void repeat();

  /// Relates the trace's clock to those of the machine. For when all that there
  /// was has been written: later events that began before take more bytes.
  void clockSnapshot();

  /// Hands everything to the file. False: the file is closed.
  bool flush();

  /// From the next flush on, packets are compressed; but for those before the
  /// first flush, by which the file is known, and those of repeat(), which
  /// readers search for. `With` must live as long.
  void compress(Compressor &With) { Packer = &With; }

  /// Packets since the trace began.
  uint64_t packets() const { return Packets; }

  /// Bytes of it, those not yet flushed included.
  uint64_t bytes() const { return Flushed + E.size(); }

private:
  struct Sequence {
    uint32_t Id = 0;
    /// Whether a packet states the time since the one before it, which is
    /// shorter than all of it. For those that are mostly in order.
    bool AddsTimes = true;
    uint64_t Time = 0;      // What is added to.
    uint64_t Track = 0;     // 0: it holds GPU operations.
    uint32_t Repeat = 0;    // The value of Repeats when it was started.
    uint32_t Tid = 0;       // 0: not of a thread.
    std::string ThreadName; // As last read.
    IidMap Names;           // Event names; stages of GPU operations.
    IidMap Places;          // Source locations.
    IidMap Domains;         // Categories of NVTX domains.
    IidMap Stacks;          // Their frames.
    IidMap Queues;          // Of GPU operations: those that were described.
  };
  /// A thread's packets come in two orders: first what CUPTI recorded of it,
  /// then what its probes did.
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
  void declareExtensions();
  void describeThread(Sequence &S);
  void describeLane(uint32_t Lane);
  void writeClocks(uint64_t At, bool WithAdding);
  void writeSlice(Sequence &S, const Slice &Written);
  void writeUserRange(Sequence &S, const UserRange &Range, uint64_t Begin,
                      uint64_t End, uint64_t Track);
  void internNames(const Slice &Written);
  void internDomain(uint32_t Iid, const UserRange &Range);
  void annotate(const UserRange &Range);
  uint64_t laneTrack(uint32_t Lane);
  uint64_t memoryTrack(uint32_t Device) const;
  void describeMemory(uint32_t Device);
  void writeGpu(Sequence &S, const GpuOperation &Op, uint32_t Queue,
                uint32_t Stage, const StageText *Text);
  void bindSite(Sequence &S, uint64_t Time, uint32_t Iid, uint64_t SiteId);
  void internPlace(uint32_t Iid, uint64_t SiteId);
  void specification(uint32_t Iid, const StageText &Text);
  void annotate(std::string_view Name, uint64_t Value);
  uint64_t eventId(uint64_t Correlation) const;
  bool accepts(uint64_t Begin, uint64_t End);

  bool write(bool MayPack);

  Encoder E;
  Encoder Packed; // What is written of E.
  Compressor *Packer = nullptr;
  Output &Out;
  ProcessIdentity Identity;
  uint64_t Start;
  uint64_t CaughtUp; // Of the last clockSnapshot(); at first Start.
  Sequence Process;
  std::vector<std::unique_ptr<Sequence>> Sequences; // The others.
  IidMap Threads; // Thread and Source -> index + 1 into ThreadSequences.
  std::vector<Sequence *> ThreadSequences;
  uint64_t LastThread = 0; // Its key in Threads; 0: none.
  Sequence *LastSequence = nullptr;
  IidMap Queues; // Device, context, stream -> index + 1 into QueueSequences.
  std::vector<Sequence *> QueueSequences;
  std::vector<uint64_t> Lanes;      // Their tracks.
  std::set<uint32_t> MemoryDevices; // Whose counters are described.
  /// Documents by name and key.
  std::map<std::pair<std::string, uint64_t>, std::string> Standing;
  uint32_t Repeats = 0; // Calls of repeat().
  uint64_t Packets = 0;
  uint64_t Flushed = 0; // Bytes handed to Out.
};

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_TRACE_TRACE_H
