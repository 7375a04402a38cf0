// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One recorded process, whatever format it came from: what every analysis
// reads. Structs of arrays, sorted once by TimelineBuilder and never changed
// afterwards, so any number of threads may read one Timeline.
//
// All times are integer nanoseconds since the start of the trace, on one clock
// for host and GPU. All strings live in the pool and are named by index.
#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace autoprof::trace {

/// "No such row", for every index of a Timeline.
constexpr uint32_t None = ~0u;

enum class HostKind : uint8_t {
  Api,    ///< A call of the CUDA runtime.
  Driver, ///< A call of the CUDA driver, often nested in a runtime call.
  Site,   ///< A probe: the whole expression around a call in the source; or an
          ///< operator of a framework that called CUDA.
  Range   ///< A function body, one iteration of a loop, or a range of the
          ///< user's own (NVTX): the kind of its site says which.
};

/// Host slices, sorted by start; of two with the same start the longer first.
/// The slices of one thread nest.
struct HostEvents {
  std::vector<int64_t> Start, End;
  std::vector<uint32_t> Name;   ///< Into Timeline::Strings.
  std::vector<uint32_t> Thread; ///< Into Timeline::Threads.
  std::vector<uint32_t> Site;   ///< Into Timeline::Sites, or None. Of a call:
                                ///< where its recorded stack begins.
  std::vector<HostKind> Kind;

  size_t size() const { return Start.size(); }
  bool isCall(size_t I) const { return Kind[I] <= HostKind::Driver; }
};

/// GPU operations, sorted by start.
struct GpuOps {
  std::vector<int64_t> Start, End;
  std::vector<uint32_t> Queue;  ///< Into Timeline::Queues.
  std::vector<uint32_t> Stage;  ///< Into Timeline::Stages.
  std::vector<uint32_t> Launch; ///< The outermost API call that queued it
                                ///< (into HostEvents), or None.

  size_t size() const { return Start.size(); }
};

/// A run of a framework's operator.
struct OperatorRun {
  int64_t Start = 0, End = 0;
  uint32_t Name = 0; ///< Into Timeline::Strings.
  /// Of its inputs, "[[64, 128], []]" (into Timeline::Strings); 0: not known.
  uint32_t Shapes = 0;
};

/// What a framework's allocator gave at this time or, negative, took back.
struct TensorMemory {
  int64_t Time = 0, Bytes = 0;
  bool OnGpu = false;
};

/// A thread begins work for another one at this time: an operator of the
/// backward pass, for the thread of the forward pass.
struct WorkLink {
  int64_t Time = 0;
  uint32_t Thread = None; ///< The other one.
};

struct Thread {
  int64_t Tid = -1; ///< -1: not in the trace.
  std::string Name;
  /// Not a thread, but a track for user's ranges that do not nest on a thread,
  /// such as those of nvtxRangeStart: any thread may work in them.
  bool IsLane = false;
  /// As far as the profiler recorded them, in order: those that run in no other
  /// operator, and those that do.
  std::vector<OperatorRun> Operators = {}, Nested = {};
  std::vector<TensorMemory> Memory = {}; ///< Likewise.
  std::vector<WorkLink> Links = {};
};

enum class StreamFlag : uint8_t {
  Null,        ///< The legacy default stream.
  Blocking,    ///< Created without flags: ordered with the legacy stream.
  NonBlocking, ///< Created with cudaStreamNonBlocking.
  Unknown
};

/// One CUDA stream.
struct Queue {
  uint32_t Device = 0, Context = 0, Stream = 0;
  StreamFlag Flag = StreamFlag::Unknown;
};

enum class OpKind : uint8_t { Kernel, Copy, Set, Graph, Other };
enum class Direction : uint8_t { Unknown, HtoD, DtoH, DtoD, HtoH, PtoP };
enum class MemoryKind : uint8_t { Unknown, Pageable, Pinned, Device, Managed };

/// As every output format has them: "kernel", "HtoD", "pageable", "null".
llvm::StringRef word(OpKind K);
llvm::StringRef word(Direction D);
llvm::StringRef word(MemoryKind M);
llvm::StringRef word(StreamFlag F);

/// How a kernel was launched; 0: not in the trace.
struct LaunchShape {
  uint32_t Grid[3] = {}, Block[3] = {};
  uint32_t Registers = 0; ///< Of each thread.
  /// Bytes of shared memory of each block, static and dynamic.
  std::optional<uint64_t> Shared;

  bool operator<(const LaunchShape &B) const;
  uint64_t blocks() const { return uint64_t(Grid[0]) * Grid[1] * Grid[2]; }
  uint64_t threads() const { return uint64_t(Block[0]) * Block[1] * Block[2]; }
};

/// What GPU operations of one sort have in common.
struct Stage {
  uint32_t Name = 0; ///< Into Timeline::Strings.
  OpKind Kind = OpKind::Other;
  Direction Dir = Direction::Unknown;           ///< Copies.
  MemoryKind Source = MemoryKind::Unknown;      ///< Copies.
  MemoryKind Destination = MemoryKind::Unknown; ///< Copies and sets.
  uint64_t Bytes = 0;                           ///< Copies and sets.
  LaunchShape Shape;                            ///< Kernels.
};

/// The kind of the user's own ranges, which have no place in the source:
/// Function is the name, Callee the NVTX domain ("": none).
constexpr llvm::StringLiteral UserRangeKind = "nvtx";

/// The kind of an operator of a framework, which is named, not placed: Callee
/// is the path of operators to it, "aten::item > aten::_local_scalar_dense".
constexpr llvm::StringLiteral OperatorKind = "operator";

/// The kind of a line on the stack of a sample; Function is the function's, and
/// Expression the whole line.
constexpr llvm::StringLiteral FrameKind = "frame";

/// A line of the user's own code.
struct UserLine {
  std::string File, Function;
  uint32_t Line = 0;
};

/// A place in the source (see include/autoprof/probe.h, AP_TABLE).
struct Site {
  uint64_t Id = 0; ///< 0: the trace names the place but no site id.
  std::string Kind, File, Function, Callee;
  uint32_t Line = 0, Column = 0; ///< 0: unknown.
  /// The last byte of the expression that begins at Line and Column; 0: not
  /// known.
  uint32_t EndLine = 0, EndColumn = 0;
  /// Its text, on one line; "": not known.
  std::string Expression;
  /// The recorded call stack, innermost frame first, as docs/trace-format.md
  /// writes it; "" for what the compiler or the user marked.
  std::string Frames;
  /// The frames of `Frames`, here and in calls that were merged with these,
  /// which are the place: "FILE:LINE" or "/path/module+0x1f3c", with tabs
  /// between them.
  std::string PlaceFrames{};
  /// Where the place is in a framework: the innermost line of the user's own
  /// that led there.
  std::optional<UserLine> CalledFrom = std::nullopt;
  /// The place as reports print it where "file:line" does not tell it apart
  /// from others (report/recording/SiteLabels.h); "": it does.
  std::string Label;

  bool isUserRange() const { return Kind == UserRangeKind; }
  bool isOperator() const { return Kind == OperatorKind; }
  /// The same in every process and run of a program, without the call.
  std::string key() const;
};

/// CUPTI's synchronization types.
enum class SyncType : uint32_t { Event = 1, StreamWaitEvent, Stream, Context };

struct SyncRecord {
  int64_t Start = 0, Duration = 0;
  SyncType Type = SyncType::Event;
  uint32_t Stream = None, Context = None; ///< None: not in the record.
  uint32_t Call = None;                   ///< Into HostEvents.
};

/// What made a call or the GPU late, by CUPTI's overhead kinds.
enum class OverheadKind : uint8_t { QueueFull, ModuleLoad, Profiler, Other };

struct Overhead {
  int64_t Start = 0, End = 0;
  OverheadKind Kind = OverheadKind::Other;
  int64_t Tid = -1;
};

/// Memory that was allocated or released. Only in recordings that asked for it.
struct MemoryEvent {
  int64_t Time = 0;
  bool IsRelease = false;
  MemoryKind Kind = MemoryKind::Unknown;
  uint32_t Device = 0;
  uint64_t Address = 0;
  uint64_t Bytes = 0;   ///< Of a release perhaps 0.
  uint32_t Call = None; ///< Into HostEvents: the outermost call that did it.
};

/// What a thread does; the numbers are in traces.
enum class ThreadState : uint8_t {
  Running, ///< Or ready to run.
  Lock,    ///< It sleeps until another thread wakes it: a lock, condition,
           ///< queue or future.
  Sleep,
  Io,
  Child, ///< It waits for a process.
  Other,
  OnTimer ///< Running. A timer of its CPU time takes the thread's samples, so
          ///< none is taken while it sleeps.
};

/// Where a thread of the program was at one moment.
struct ThreadSample {
  int64_t Time = 0;
  uint32_t Thread = None; ///< Into Timeline::Threads.
  uint32_t Frames = 0;    ///< Into Timeline::Strings, as Site::Frames.
  uint32_t Path = None;   ///< Into Timeline::Paths; None: no frames.
  ThreadState State = ThreadState::Running;
  int64_t Cpu = 0;                ///< CPU time since the thread's start, ns.
  std::optional<int64_t> Delayed; ///< Time since then that it was ready and did
                                  ///< not run, ns; nothing: not known.
};

/// The lines on a thread's stack, into Timeline::Sites.
struct SamplePath {
  std::vector<uint32_t> Lines; ///< Outermost first.
  uint32_t Place = None;       ///< One of them: where a wait would be placed.
};

/// A GPU; 0: not in the trace.
struct Device {
  uint32_t Id = 0;
  std::string Name;
  uint32_t ComputeMajor = 0, ComputeMinor = 0; ///< Compute capability.
  uint32_t Sms = 0;                            ///< Streaming multiprocessors.
  uint64_t MemoryBytes = 0;
  /// What one multiprocessor holds at a time.
  uint32_t WarpsPerSm = 0, BlocksPerSm = 0, RegistersPerSm = 0;
  uint64_t SharedPerSm = 0; ///< Bytes.
};

/// Who recorded a trace that autoprof did not.
struct Origin {
  std::string Producer; ///< "the PyTorch profiler"; "": autoprof itself.
  /// What such a trace lacks, and what is therefore weaker: sentences.
  std::vector<std::string> Limits;
  /// It has copies whose results were waited for, but no call that waits.
  bool LacksWaits = false;
};

/// The calls of which the recorder takes stacks. ns
struct StackSampling {
  int64_t Long = 0;             ///< Of those that may wait and take so long.
  std::optional<int64_t> Pause; ///< Of those around a pause so long; nothing:
                                ///< of launches none.
  uint64_t OneIn = 0;           ///< And of one in so many others; 0: of none.
};

struct Process {
  int64_t Pid = -1;
  std::string CommandLine, Host, Mode, Version;
  std::string CuptiState;  ///< ok, missing, busy, refused, off; "": unknown.
  std::string CuptiReason; ///< One sentence when the state is not ok.
  std::string EndReason;   ///< "": the process did not end in order.
  /// Of a process that torchrun, MPI or Slurm started: its number among all,
  /// its number on its machine, and how many there are.
  std::optional<int64_t> Rank, LocalRank, Ranks;
  std::optional<int64_t> Wall;
  std::optional<int64_t> Epoch; ///< The trace's 0, ns since 1970.
  Origin Source;
  std::optional<StackSampling> Stacks; ///< Nothing: not known, or none.
  /// The steps that `.autoprof` named when the modules were compiled, each
  /// once.
  std::vector<std::string> NamedSteps;
  bool MarksSteps = false; ///< It called autoprof_step().

  /// The step that the program itself names, as --step takes it, or "".
  std::string step() const {
    if (NamedSteps.size() == 1)
      return NamedSteps.front();
    return MarksSteps ? "range:step" : "";
  }
};

/// Losses that the recorder reports.
struct Loss {
  uint64_t CuptiDropped = 0, ProbesDropped = 0, ZeroTimestamps = 0,
           BuffersRefused = 0, WriteErrors = 0, ProbesUnbalanced = 0,
           StacksDropped = 0;
};

/// Runs of a range that are not in the trace: it ran very often, and these very
/// briefly and without GPU work.
struct ThrottledRange {
  uint32_t Site;
  uint64_t Runs;
  int64_t Time; ///< ns, all of them.
};

/// A program or library that frames of Site::Frames lie in.
struct Module {
  std::string Path;
  int64_t Bytes = 0, Time = 0; ///< Of the file; Time: changed, ns since 1970.
};

/// A part of the run that was recorded.
struct Window {
  int64_t Start, End;
};

/// What calls cost the thread that makes them: CPU time, ns, medians.
struct CallCosts {
  std::optional<int64_t> Launch; ///< Of a kernel, or of another operation.
  std::optional<int64_t> Wait;   ///< Of a wait that has nothing to wait for.
};

/// What `autoprof run` measured of the recorder on the machine, in short
/// processes of their own.
struct RecorderCosts {
  CallCosts Unrecorded; ///< In processes that are not recorded.
  CallCosts Recorded;   ///< In processes that are recorded in full.
};

/// What the user wanted recorded, if it is not the whole run.
struct Windows {
  bool Limited = false;     ///< Whether only List was recorded.
  std::vector<Window> List; ///< In order; the last may reach beyond the end.
  std::string Plan; ///< In the user's words: "steps 3:8 of train_step". Of a
                    ///< timeline in memory see plan().
  bool PlansAll = false; ///< Everything was to be recorded.
  /// The file is cut off, and List ends where events begin to be missing.
  bool EndsWithRead = false;
  /// Of a ring: everything that begins before this is missing. ns
  int64_t KeptFrom = 0;
  /// Steps that the program made, and those of them that were recorded; only
  /// where the plan counts them.
  std::optional<uint64_t> StepsSeen, StepsRecorded;
  /// CPU time of one small launch in this process, ns; only in the mode
  /// "steps".
  std::optional<int64_t> LaunchCost;
  /// How much of the time from From to To (ns) was not recorded.
  int64_t missing(int64_t From, int64_t To) const;
};

/// For a timeline that is a part of what is recorded.
struct Cut {
  std::string Asked; ///< As --window takes it: "10%:20%".
  Window Kept;       ///< What was asked for.
  Window Whole;      ///< The first start and last end of all that is recorded.
  /// What is outside of Kept and not in the timeline.
  uint64_t HostEvents = 0, Operations = 0;
};

/// What the reader had to leave out.
struct ReadLoss {
  uint64_t FileBytes = 0;
  uint64_t BytesDropped = 0; ///< At the end, from the first broken packet on.
  uint64_t BytesSkipped = 0; ///< Before that, up to where reading could go on.
  uint64_t PacketsDamaged = 0; ///< Whole packets whose content is not valid.
  uint64_t SlicesUnpaired = 0; ///< A begin without an end, or the reverse.
  uint64_t EventsInvalid = 0;  ///< Times that cannot be, or names nothing.
  uint64_t EventsTooMany = 0;  ///< More than the memory holds; see load().
};

/// Interned strings. Index 0 is the empty string.
class StringPool {
  llvm::StringMap<uint32_t> Index;
  std::vector<llvm::StringRef> Text;

public:
  StringPool() { intern(""); }
  uint32_t intern(llvm::StringRef S);
  llvm::StringRef operator[](uint32_t I) const { return Text[I]; }
  size_t size() const { return Text.size(); }
};

struct Timeline {
  HostEvents Host;
  GpuOps Ops;
  /// Indices of the operations with a known launch, in order of the launch.
  std::vector<uint32_t> LaunchOrder;
  std::vector<SyncRecord> Syncs;     ///< Sorted by start.
  std::vector<Overhead> Overheads;   ///< Sorted by start.
  std::vector<MemoryEvent> Memory;   ///< Sorted by time.
  std::vector<ThreadSample> Samples; ///< Sorted by time.
  std::vector<SamplePath> Paths;     ///< Of Samples.
  std::vector<Thread> Threads;
  std::vector<Queue> Queues;
  std::vector<Stage> Stages;
  std::vector<Site> Sites;
  std::vector<Module> Modules;
  std::vector<Device> Devices; ///< Sorted by id; every id in Queues.
  StringPool Strings;
  Process Info;
  Loss Lost;
  /// Of the whole recording, also where Part is a part of it.
  std::vector<ThrottledRange> Throttled;
  Windows Recorded;
  std::optional<RecorderCosts> OwnCosts; ///< Nothing: not known.
  /// How long copies and pauses take on the recording's machine, as JSON
  /// (autoprof-semantics/1 without observations); "": not stored.
  std::string Constants;
  std::optional<Cut> Part; ///< Nothing: the timeline is all that is recorded.
  ReadLoss Unread;

  /// Whether runs of the range are missing.
  bool isThrottled(uint32_t Site) const {
    for (const ThrottledRange &R : Throttled)
      if (R.Site == Site)
        return true;
    return false;
  }
  /// What was to be recorded, and which part of that this is: "steps 3:8; of
  /// that --window=10%:20%"; "": everything.
  std::string plan() const;
  /// Whether the end of the run is missing, or may be.
  bool isCutOff() const {
    return Info.EndReason.empty() || Unread.BytesDropped;
  }
  /// The first start and the last end of anything in the trace; 0, 0 if empty.
  int64_t begin() const { return First; }
  int64_t end() const { return Last; }

private:
  friend class TimelineBuilder;
  int64_t First = 0, Last = 0;
};

} // namespace autoprof::trace
