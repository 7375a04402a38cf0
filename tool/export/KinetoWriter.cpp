// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/profile/Utilization.h"
#include "analysis/waits/RunAhead.h"
#include "export/Recording.h"
#include "trace/pftrace/MetadataWriter.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace autoprof;
using namespace autoprof::exports;
using namespace autoprof::trace;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// The place of stalls among the rows of a device: after all streams.
constexpr uint32_t StallRow = 2'000'000;
/// Rows of threads, and a process, whose number is not known.
constexpr int64_t Unnumbered = 1'000'000'000;

std::string quoted(StringRef S) {
  return llvm::formatv("{0}", json::Value(json::fixUTF8(S)));
}

/// Nanoseconds as the microseconds of the format: all digits, no rounding.
struct Microseconds {
  int64_t Ns;
  friend llvm::raw_ostream &operator<<(llvm::raw_ostream &Out, Microseconds T) {
    uint64_t Size = T.Ns < 0 ? 0 - uint64_t(T.Ns) : uint64_t(T.Ns);
    return Out << (T.Ns < 0 ? "-" : "") << Size / 1000
               << llvm::format(".%03u", unsigned(Size % 1000));
  }
};

StringRef syncName(SyncType S) {
  switch (S) {
  case SyncType::Event:
    return "Event Sync";
  case SyncType::StreamWaitEvent:
    return "Stream Wait Event";
  case SyncType::Stream:
    return "Stream Sync";
  case SyncType::Context:
    break;
  }
  return "Context Sync";
}

StringRef overheadName(OverheadKind K) {
  switch (K) {
  case OverheadKind::QueueFull:
    return "Command Buffer Full";
  case OverheadKind::ModuleLoad:
    return "Lazy Function Loading";
  case OverheadKind::Profiler:
    return "Activity Buffer Request";
  case OverheadKind::Other:
    break;
  }
  return "Other";
}

class Writer {
  llvm::raw_ostream &Out;
  const Recording &Subject;
  const Timeline &T;
  const Tick &Progress;
  std::vector<std::string> Names; ///< Timeline::Strings, quoted.
  std::vector<bool> Launches;     ///< For each host event.
  bool IsFirst = true;
  size_t Done = 0;

  /// Of the process: devices have small numbers in the same place.
  int64_t pid() const {
    int64_t Last = T.Devices.empty() ? 0 : T.Devices.back().Id;
    return T.Info.Pid > Last ? T.Info.Pid : Unnumbered;
  }
  int64_t row(uint32_t Thread) const {
    int64_t Tid = T.Threads[Thread].Tid;
    return Tid >= 0 ? Tid : Unnumbered + Thread;
  }

  void next();
  void begin(StringRef Category, StringRef QuotedName, int64_t Pid, int64_t Row,
             int64_t Start, int64_t End);
  void named(StringRef Name, int64_t Pid, int64_t Row, StringRef Key,
             StringRef QuotedValue);
  void flow(StringRef Category, char Phase, uint32_t Id, int64_t Pid,
            int64_t Row, int64_t Time);
  void operators();
  void head();
  void device(const Device &D);
  void documents(const std::vector<MetadataDocument> &Documents);
  void rows();
  void host(uint32_t I);
  void place(const Site *S);
  void op(uint32_t I);
  void sync(const SyncRecord &S);
  void overhead(const Overhead &O);
  void steps();
  void waits();
  void idle();
  void runAhead();
  void utilization();

public:
  Writer(llvm::raw_ostream &Out, const Recording &Subject, const Tick &Progress)
      : Out(Out), Subject(Subject), T(Subject.T), Progress(Progress) {}
  void write();
};

void Writer::next() {
  Out << (IsFirst ? "\n" : ",\n");
  IsFirst = false;
  if (++Done % 8192 == 0)
    Progress(std::min(Done, T.Host.size() + T.Ops.size()),
             T.Host.size() + T.Ops.size());
}

/// An event up to its arguments, which the caller closes with "}}".
void Writer::begin(StringRef Category, StringRef QuotedName, int64_t Pid,
                   int64_t Row, int64_t Start, int64_t End) {
  next();
  Out << R"({"ph": "X", "cat": ")" << Category << R"(", "name": )" << QuotedName
      << R"(, "pid": )" << Pid << R"(, "tid": )" << Row << R"(, "ts": )"
      << Microseconds{Start} << R"(, "dur": )" << Microseconds{End - Start}
      << R"(, "args": {)";
}

/// What viewers show next to a process or a row.
void Writer::named(StringRef Name, int64_t Pid, int64_t Row, StringRef Key,
                   StringRef QuotedValue) {
  next();
  Out << R"({"name": ")" << Name << R"(", "ph": "M", "ts": 0, "pid": )" << Pid
      << R"(, "tid": )" << Row << R"(, "args": {")" << Key << R"(": )"
      << QuotedValue << "}}";
}

/// One end of an arrow: from a launch to what it launched ("ac2g"), or from an
/// operator to that of its backward pass ("fwdbwd").
void Writer::flow(StringRef Category, char Phase, uint32_t Id, int64_t Pid,
                  int64_t Row, int64_t Time) {
  next();
  Out << R"({"ph": ")" << Phase << R"(", "id": )" << Id << R"(, "pid": )" << Pid
      << R"(, "tid": )" << Row << R"(, "ts": )" << Microseconds{Time}
      << R"(, "cat": ")" << Category << R"(", "name": ")" << Category << '"'
      << (Phase == 'f' ? R"(, "bp": "e"})" : "}");
}

/// Of the start of such an arrow only the thread is known.
void Writer::operators() {
  uint32_t Id = 0;
  for (uint32_t I = 0; I < T.Threads.size(); ++I) {
    for (const auto *Runs : {&T.Threads[I].Operators, &T.Threads[I].Nested})
      for (const OperatorRun &O : *Runs) {
        begin("autoprof_operator", Names[O.Name], pid(), row(I), O.Start,
              O.End);
        if (O.Shapes)
          Out << R"("autoprof shapes": )" << Names[O.Shapes];
        Out << "}}";
      }
    for (const TensorMemory &M : T.Threads[I].Memory) {
      next();
      Out << R"({"ph": "i", "s": "t", "cat": "cpu_instant_event", )"
          << R"("name": "[memory]", "pid": )" << pid() << R"(, "tid": )"
          << row(I) << R"(, "ts": )" << Microseconds{M.Time}
          << R"(, "args": {"Device Type": )" << int(M.OnGpu) << R"(, "Bytes": )"
          << M.Bytes << "}}";
    }
    for (const WorkLink &L : T.Threads[I].Links) {
      flow("fwdbwd", 's', ++Id, pid(), row(L.Thread), L.Time);
      flow("fwdbwd", 'f', Id, pid(), row(I), L.Time);
    }
  }
}

void Writer::device(const Device &D) {
  Out << R"({"id": )" << D.Id << R"(, "name": )" << quoted(D.Name);
  auto Number = [this](StringRef Key, uint64_t N) {
    if (N)
      Out << ", \"" << Key << "\": " << N;
  };
  Number("totalGlobalMem", D.MemoryBytes);
  Number("computeMajor", D.ComputeMajor);
  if (D.ComputeMajor) // A minor version may be 0.
    Out << R"(, "computeMinor": )" << D.ComputeMinor;
  Number("maxThreadsPerMultiprocessor", uint64_t(D.WarpsPerSm) * 32);
  Number("regsPerMultiprocessor", D.RegistersPerSm);
  Number("sharedMemPerMultiprocessor", D.SharedPerSm);
  Number("numSms", D.Sms);
  Out << '}';
}

void Writer::head() {
  Out << "{\n\"schemaVersion\": 1,\n\"deviceProperties\": [";
  for (const Device &D : T.Devices) {
    Out << (&D == T.Devices.data() ? "\n" : ",\n");
    device(D);
  }
  Out << "],\n";
  // On a line of its own, with a space after the colon: HTA searches for that.
  if (T.Info.Rank) {
    Out << R"("distributedInfo": {"rank": )" << *T.Info.Rank;
    if (T.Info.Ranks)
      Out << R"(, "world_size": )" << *T.Info.Ranks;
    Out << "},\n";
  }
  if (!T.Info.Host.empty())
    Out << R"("host_name": )" << quoted(T.Info.Host) << ",\n";
  if (T.Info.Epoch)
    Out << R"("baseTimeNanoseconds": )" << *T.Info.Epoch << ",\n";
  Out << R"("displayTimeUnit": "ns",)" << "\n\"traceEvents\": [";
}

void Writer::documents(const std::vector<MetadataDocument> &Documents) {
  for (const MetadataDocument &D : Documents) {
    next();
    Out << R"({"name": "autoprof", "ph": "M", "ts": 0, "pid": )" << pid()
        << R"(, "tid": 0, "args": {"name": )" << quoted(D.Name)
        << R"(, "json": )"
        << quoted(
               llvm::formatv("{0}", json::Value(json::Object(D.Content))).str())
        << "}}";
  }
}

void Writer::rows() {
  named("process_name", pid(), 0, "name",
        quoted(T.Info.CommandLine.empty() ? "process" : T.Info.CommandLine));
  named("process_labels", pid(), 0, "labels", "\"CPU\"");
  for (uint32_t I = 0; I < T.Threads.size(); ++I)
    if (!T.Threads[I].Name.empty() || T.Threads[I].IsLane)
      named("thread_name", pid(), row(I), "name",
            quoted(T.Threads[I].Name) +
                (T.Threads[I].IsLane ? R"(, "autoprof lane": 1)" : ""));
  for (const Device &D : T.Devices) {
    std::string Label = "GPU " + std::to_string(D.Id);
    named("process_name", D.Id, 0, "name",
          quoted(T.Info.CommandLine.empty() ? Label : T.Info.CommandLine));
    named("process_labels", D.Id, 0, "labels", quoted(Label));
    // Below the host's threads.
    named("process_sort_index", D.Id, 0, "sort_index",
          std::to_string(5'000'000 + D.Id));
    named("thread_name", D.Id, StallRow, "name", "\"idle, and why\"");
  }
  for (const Queue &Q : T.Queues)
    named("thread_name", Q.Device, Q.Stream, "name",
          quoted("stream " + std::to_string(Q.Stream)));
}

void Writer::place(const Site *S) {
  if (!S)
    return;
  if (S->Id)
    Out << R"(, "site": ")" << siteId(S) << '"';
  if (!S->File.empty())
    Out << R"(, "file": )" << quoted(S->File);
  if (S->Line)
    Out << R"(, "line": )" << S->Line;
  if (!S->Function.empty())
    Out << R"(, "function": )" << quoted(S->Function);
}

void Writer::host(uint32_t I) {
  const HostEvents &H = T.Host;
  const Site *S = H.Site[I] == None ? nullptr : &T.Sites[H.Site[I]];
  constexpr StringRef Categories[] = {"cuda_runtime", "cuda_driver",
                                      "autoprof_probe", "user_annotation"};
  // An operator's site is named by the path to it.
  const bool IsOperator = S && S->isOperator();
  begin(IsOperator ? "cpu_op" : Categories[unsigned(H.Kind[I])],
        IsOperator ? quoted(S->Callee) : Names[H.Name[I]], pid(),
        row(H.Thread[I]), H.Start[I], H.End[I]);
  if (H.isCall(I))
    Out << R"("correlation": )" << I + 1;
  else if (S && S->Id)
    Out << R"("autoprof site": ")" << siteId(S) << '"';
  if (S && !S->Id && !S->File.empty()) {
    // Found from a recorded stack: no table has it.
    Out << (H.isCall(I) ? ", " : "") << R"("file": )" << quoted(S->File)
        << R"(, "line": )" << S->Line << R"(, "function": )"
        << quoted(S->Function);
  }
  Out << "}}";
  if (Launches[I])
    flow("ac2g", 's', I + 1, pid(), row(H.Thread[I]), H.Start[I]);
}

void Writer::op(uint32_t I) {
  const GpuOps &O = T.Ops;
  const Queue &Q = T.Queues[O.Queue[I]];
  const Stage &S = T.Stages[O.Stage[I]];
  constexpr StringRef Categories[] = {"kernel", "gpu_memcpy", "gpu_memset",
                                      "kernel", "kernel"};
  begin(Categories[unsigned(S.Kind)], Names[S.Name], Q.Device, Q.Stream,
        O.Start[I], O.End[I]);
  Out << R"("device": )" << Q.Device << R"(, "context": )" << Q.Context
      << R"(, "stream": )" << Q.Stream;
  if (O.Launch[I] != None)
    Out << R"(, "correlation": )" << O.Launch[I] + 1;
  if (S.Kind == OpKind::Copy || S.Kind == OpKind::Set)
    Out << R"(, "bytes": )" << S.Bytes;
  const LaunchShape &L = S.Shape;
  if (L.Registers)
    Out << R"(, "registers per thread": )" << L.Registers;
  if (L.Shared)
    Out << R"(, "shared memory": )" << *L.Shared;
  auto Triple = [this](StringRef Key, const uint32_t (&V)[3]) {
    if (V[0])
      Out << ", \"" << Key << "\": [" << V[0] << ", " << V[1] << ", " << V[2]
          << ']';
  };
  Triple("grid", L.Grid);
  Triple("block", L.Block);
  Out << "}}";
  if (O.Launch[I] != None)
    flow("ac2g", 'f', O.Launch[I] + 1, Q.Device, Q.Stream, O.Start[I]);
}

void Writer::sync(const SyncRecord &S) {
  uint32_t Device = T.Devices.empty() ? 0 : T.Devices.front().Id;
  for (const Queue &Q : T.Queues)
    if (Q.Context == S.Context)
      Device = Q.Device;
  int64_t Stream = S.Stream == None ? -1 : int64_t(S.Stream);
  // On a row of their own, as in Kineto's files: in the stream's row they would
  // overlap the work that they wait for.
  begin("cuda_sync", quoted(syncName(S.Type)), Device,
        Stream < 0 ? -1 : Stream + 1'000'000, S.Start, S.Start + S.Duration);
  Out << R"("cuda_sync_kind": )" << quoted(syncName(S.Type))
      << R"(, "stream": )" << Stream;
  if (S.Call != None)
    Out << R"(, "correlation": )" << S.Call + 1;
  Out << R"(, "device": )" << Device;
  if (S.Context != None)
    Out << R"(, "context": )" << S.Context;
  Out << "}}";
}

void Writer::overhead(const Overhead &O) {
  begin("overhead", quoted(overheadName(O.Kind)), pid(),
        std::max<int64_t>(O.Tid, 0), O.Start, O.End);
  Out << "}}";
}

/// As PyTorch's profiler names them, so that tools count iterations by them;
/// unless the program did so itself.
void Writer::steps() {
  const analysis::Steps &S = Subject.R.Steps;
  if (StringRef(S.Source).contains("ProfilerStep"))
    return;
  for (size_t I = 0; I < S.List.size(); ++I) {
    const analysis::Step &One = S.List[I];
    begin("autoprof_step", quoted("ProfilerStep#" + std::to_string(I + 1)),
          pid(), row(S.Thread), One.Start, One.End);
    Out << R"("time_ns": )";
    if (One.TimeKnown)
      Out << One.Time;
    else
      Out << "null";
    Out << R"(, "counts": )" << (I >= S.WarmUp ? "true" : "false") << "}}";
  }
}

void Writer::waits() {
  for (size_t I = 0; I < Subject.R.Waits.size(); ++I) {
    const analysis::Wait &W = Subject.R.Waits[I];
    begin("autoprof_wait",
          quoted(("wait in " + T.Strings[T.Host.Name[W.Call]]).str()), pid(),
          row(T.Host.Thread[W.Call]), W.Start, W.End);
    Out << R"("wait_ns": )" << W.length() << R"(, "exposed_ns": )"
        << Subject.R.Stalls.OfWait[I];
    place(W.Site == None ? nullptr : &T.Sites[W.Site]);
    Out << "}}";
  }
}

/// Each GPU's idle time: exposed stalls, and the rest by its cause.
void Writer::idle() {
  const analysis::Result &R = Subject.R;
  auto Add = [&](const analysis::GapPart &P) {
    if (P.Wait == None) {
      begin("autoprof_idle", quoted(analysis::name(P.Kind)),
            R.Devices[P.Device].Device, StallRow, P.Start, P.End);
      Out << "}}";
      return;
    }
    const analysis::Wait &W = R.Waits[P.Wait];
    begin("autoprof_stall",
          quoted(("exposed stall of " + T.Strings[T.Host.Name[W.Call]]).str()),
          R.Devices[P.Device].Device, StallRow, P.Start, P.End);
    Out << R"("exposed_ns": )" << P.End - P.Start;
    place(W.Site == None ? nullptr : &T.Sites[W.Site]);
    Out << "}}";
  };
  analysis::forEachGapPart(R, T.begin(), T.end(), Add);
}

void Writer::runAhead() {
  for (const analysis::RunAheadCurve &C :
       analysis::findRunAheadCurves(T, T.begin(), T.end()))
    for (const analysis::RunAheadPoint &P : C.Points) {
      next();
      Out << R"({"ph": "C", "cat": "autoprof_ahead", "name": "run-ahead", )"
          << R"("pid": )" << C.Device << R"(, "ts": )" << Microseconds{P.Time}
          << R"(, "args": {"depth": )" << P.Depth << R"(, "lead_us": )"
          << Microseconds{P.Lead} << "}}";
    }
}

/// Percent, of parts of a millisecond, or of longer ones in a long recording.
void Writer::utilization() {
  constexpr int64_t Shortest = 1'000'000, Parts = 20'000;
  const trace::Window All{T.begin(), T.end()};
  const int64_t Width = std::max(Shortest, (All.End - All.Start) / Parts);
  for (const analysis::UtilizationCurve &C :
       analysis::findUtilizationCurves(T, All, Width))
    for (size_t I = 0; I < C.Kernels.size(); ++I) {
      next();
      Out << R"({"ph": "C", "cat": "autoprof_utilization", )"
          << R"("name": "utilization, %", "pid": )" << C.Device << R"(, "ts": )"
          << Microseconds{All.Start + int64_t(I) * Width}
          << R"(, "args": {"kernels": )"
          << llvm::format("%.1f", 100 * C.Kernels[I]);
      if (!C.Sms.empty())
        Out << R"(, "SM efficiency": )" << llvm::format("%.1f", 100 * C.Sms[I]);
      Out << "}}";
    }
}

void Writer::write() {
  for (uint32_t I = 0; I < T.Strings.size(); ++I)
    Names.push_back(quoted(T.Strings[I]));
  Launches.assign(T.Host.size(), false);
  for (uint32_t Call : T.Ops.Launch)
    if (Call != None)
      Launches[Call] = true;
  head();
  documents(metadataAtStart(T));
  rows();
  for (uint32_t I = 0; I < T.Host.size(); ++I)
    host(I);
  for (uint32_t I = 0; I < T.Ops.size(); ++I)
    op(I);
  for (const SyncRecord &S : T.Syncs)
    sync(S);
  for (const Overhead &O : T.Overheads)
    overhead(O);
  operators();
  steps();
  waits();
  idle();
  runAhead();
  utilization();
  documents(metadataAtEnd(T));
  Out << "\n],\n\"traceName\": " << quoted(Subject.Path) << "\n}\n";
}

} // namespace

void exports::writeKineto(llvm::raw_ostream &Out, const Recording &Subject,
                          const Tick &Progress) {
  Writer(Out, Subject, Progress).write();
}
