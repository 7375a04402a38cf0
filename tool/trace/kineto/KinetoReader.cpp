// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/Readers.h"

#include "support/LLVMVersion.h"
#include "trace/import/Collected.h"
#include "trace/import/Names.h"
#include "trace/json/Events.h"
#include "trace/pftrace/Metadata.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include <map>
#include <set>
#include <tuple>

using namespace autoprof::trace;
using llvm::StringRef;

namespace {

enum class Category : uint8_t {
  Other,
  Operator,
  Annotation,
  Python,
  Runtime,
  Driver,
  Kernel,
  Copy,
  Set,
  Sync,
  Overhead,
  Probe,
  OuterOperator,
  OtherVendor
};

/// Old files spell some with a capital.
Category categoryOf(StringRef Name) {
  return autoprof::StringSwitch<Category>(Name)
      .Cases({"cpu_op", "Operator", "operator"}, Category::Operator)
      .Cases({"user_annotation", "UserAnnotation"}, Category::Annotation)
      .Cases({"python_function", "PythonFunction"}, Category::Python)
      .Cases({"cuda_runtime", "Runtime"}, Category::Runtime)
      .Cases({"cuda_driver", "Driver"}, Category::Driver)
      .Cases({"kernel", "Kernel"}, Category::Kernel)
      .Cases({"gpu_memcpy", "Memcpy"}, Category::Copy)
      .Cases({"gpu_memset", "Memset"}, Category::Set)
      .Cases({"cuda_sync", "Sync"}, Category::Sync)
      .Cases({"overhead", "Overhead"}, Category::Overhead)
      .Case("autoprof_probe", Category::Probe)
      .Case("autoprof_operator", Category::OuterOperator)
      .Cases({"xpu_runtime", "mtia_runtime", "mtia_ccp_events",
              "privateuse1_runtime", "hpu_op"},
             Category::OtherVendor)
      .Default(Category::Other);
}

/// Kineto puts synchronizations on made-up threads; their arguments name the
/// stream, or -1.
SyncType syncTypeOf(StringRef Name) {
  return autoprof::StringSwitch<SyncType>(Name)
      .Case("Event Sync", SyncType::Event)
      .Case("Stream Wait Event", SyncType::StreamWaitEvent)
      .Case("Stream Sync", SyncType::Stream)
      .Default(SyncType::Context);
}

/// aten::_local_scalar_dense reads a value of the GPU with cudaMemcpyAsync and
/// then calls cudaStreamSynchronize. A trace that has the first and never the
/// second is a sample, or was filtered.
class MissingWaits {
  struct Interval {
    uint32_t Thread;
    int64_t Start, End;
  };
  std::vector<Interval> Reads, Copies;
  bool HasWaits = false;

public:
  void add(const HostRow &Row, StringRef Name) {
    // As many as it takes to be sure.
    constexpr size_t Most = 10'000;
    if (Row.isCall())
      HasWaits |= Name.contains("Synchronize");
    if (Row.Role == HostRole::Operator && Reads.size() < Most &&
        Name == "aten::_local_scalar_dense")
      Reads.push_back({Row.Thread, Row.Start, Row.End});
    if (Row.isCall() && Copies.size() < Most &&
        Name.starts_with("cudaMemcpyAsync"))
      Copies.push_back({Row.Thread, Row.Start, Row.End});
  }
  /// Reads from the GPU of which the waits are missing.
  size_t count() const {
    if (HasWaits)
      return 0;
    std::set<std::pair<uint32_t, int64_t>> Starts;
    for (const Interval &Copy : Copies)
      Starts.insert({Copy.Thread, Copy.Start});
    return llvm::count_if(Reads, [&Starts](const Interval &Read) {
      auto It = Starts.lower_bound({Read.Thread, Read.Start});
      return It != Starts.end() && It->first == Read.Thread &&
             It->second < Read.End;
    });
  }
};

class Reader {
  Collected C;
  TimelineBuilder &B = C.Builder;
  JsonHead Head;
  llvm::StringMap<uint32_t> Threads; ///< By process and thread.
  llvm::StringMap<std::string> ThreadNames;
  llvm::StringSet<> Lanes; ///< Of ThreadNames, those that are not threads.
  /// By name, bytes and shape.
  std::map<std::tuple<uint32_t, uint64_t, LaunchShape>, uint32_t> Stages;
  llvm::StringMap<uint64_t> Processes; ///< Calls of each.
  uint64_t Events = 0, Calls = 0, Operators = 0, OtherVendor = 0, Hip = 0,
           Invalid = 0;
  bool HasFractions = false, HasPython = false;
  MissingWaits Missing;

  void event(const JsonEvent &E);
  void host(const JsonEvent &E, HostRole Role);
  void operation(const JsonEvent &E, OpKind Kind);
  void sync(const JsonEvent &E);
  void overhead(const JsonEvent &E);
  void flow(const JsonEvent &E);
  void metadata(const JsonEvent &E);
  uint32_t thread(const JsonEvent &E);
  uint32_t stage(const JsonEvent &E, OpKind Kind);
  std::string refusal(const JsonEnd &End) const;
  void nameThreads();
  void describe();
  void addLimits(bool IsCutOff);

public:
  explicit Reader(const Selection &Select) { B.Select = Select; }
  llvm::Expected<Timeline> run(const ByteReader &Read);
};

std::string threadKey(const JsonEvent &E) { return E.Pid + "\n" + E.Tid; }

uint32_t Reader::thread(const JsonEvent &E) {
  auto [It, New] = Threads.try_emplace(threadKey(E), 0);
  if (New) {
    int64_t Tid;
    It->second =
        B.addThread(StringRef(E.Tid).getAsInteger(10, Tid) ? -1 : Tid, "");
  }
  return It->second;
}

void Reader::host(const JsonEvent &E, HostRole Role) {
  HostRow Row{*E.Start,
              *E.Start + *E.Duration,
              Role >= HostRole::Api        ? uint64_t(E.Correlation.value_or(0))
              : Role == HostRole::Operator ? B.T.Strings.intern(E.InputShapes)
                                           : E.Site,
              B.T.Strings.intern(Role >= HostRole::Api ? apiName(E.Name)
                                                       : StringRef(E.Name)),
              thread(E),
              Role};
  if (C.IsOwn && !E.File.empty())
    Row.Site = B.callSite(E.File, E.Line, E.Function, Row.Name);
  if (Row.isCall()) {
    ++Calls;
    ++Processes[E.Pid];
    Hip += StringRef(E.Name).starts_with("hip");
  }
  Missing.add(Row, E.Name);
  C.Host.push_back(Row);
}

/// Kineto has no category for a launch of a CUDA graph that was recorded as one
/// operation: 'autoprof convert' writes a kernel without a shape.
bool isGraph(const JsonEvent &E) {
  return !E.Shape.blocks() && StringRef(E.Name).starts_with("CUDA graph ");
}

/// Copies of one name have a stage for each size, kernels for each shape.
uint32_t Reader::stage(const JsonEvent &E, OpKind Kind) {
  uint32_t Name = B.T.Strings.intern(E.Name);
  uint64_t Bytes = Kind == OpKind::Kernel ? 0 : uint64_t(E.Bytes.value_or(0));
  const LaunchShape Shape = Kind == OpKind::Kernel ? E.Shape : LaunchShape();
  auto [It, New] = Stages.try_emplace({Name, Bytes, Shape}, 0);
  if (!New)
    return It->second;
  const bool IsTransfer = Kind == OpKind::Copy || Kind == OpKind::Set;
  Stage S = IsTransfer ? transferStage(E.Name) : Stage();
  S.Name = Name;
  S.Kind = Kind;
  S.Bytes = Bytes;
  S.Shape = Shape;
  return It->second = B.addStage(S);
}

/// Of what JSON gives as a number, in the width that CUDA gives it.
uint32_t narrow(const std::optional<int64_t> &Number, StringRef OrElse) {
  int64_t Value = 0;
  if (Number)
    Value = *Number;
  else if (OrElse.getAsInteger(10, Value))
    Value = 0;
  return uint32_t(Value);
}

void Reader::operation(const JsonEvent &E, OpKind Kind) {
  uint32_t Device = narrow(E.Device, E.Pid), Stream = narrow(E.Stream, E.Tid);
  C.Ops.push_back(
      {*E.Start, *E.Start + *E.Duration, uint64_t(E.Correlation.value_or(0)),
       B.queue(Device, narrow(E.Context, ""), Stream), stage(E, Kind)});
}

void Reader::sync(const JsonEvent &E) {
  SyncRecord S;
  S.Start = *E.Start;
  S.Duration = *E.Duration;
  S.Type = syncTypeOf(E.Name);
  if (E.Stream && *E.Stream >= 0)
    S.Stream = uint32_t(*E.Stream);
  if (E.Context && *E.Context >= 0)
    S.Context = uint32_t(*E.Context);
  C.Syncs.push_back({S, uint64_t(E.Correlation.value_or(0))});
}

void Reader::overhead(const JsonEvent &E) {
  Overhead O{*E.Start, *E.Start + *E.Duration, overheadKind(E.Name), -1};
  if (StringRef(E.Tid).getAsInteger(10, O.Tid) || O.Tid <= 0)
    O.Tid = -1;
  C.Overheads.push_back(O);
}

/// The arrow from an operator to that of its backward pass.
void Reader::flow(const JsonEvent &E) {
  if (E.Category != "fwdbwd" || !E.Id || !E.Start)
    return;
  (E.Phase == 's' ? C.Forward : C.Backward)
      .push_back({*E.Id, *E.Start, thread(E)});
}

void Reader::metadata(const JsonEvent &E) {
  if (E.Name == "thread_name") {
    ThreadNames[threadKey(E)] = E.ArgName;
    if (E.IsLane)
      Lanes.insert(threadKey(E));
  }
  if (E.Name == "autoprof")
    C.IsOwn |= applyMetadata(B, E.ArgName, E.ArgJson);
}

void Reader::event(const JsonEvent &E) {
  ++Events;
  if (E.Phase == 'M')
    return metadata(E);
  if (E.Phase == 's' || E.Phase == 'f')
    flow(E);
  if (E.Phase == 'i' && E.Name == "[memory]" && E.Start && E.MemoryBytes)
    C.Memory.push_back({{*E.Start, *E.MemoryBytes,
                         /*OnGpu=*/E.MemoryDevice.value_or(0) != 0},
                        thread(E)});
  if (E.Phase != 'X')
    return;
  Category Kind = categoryOf(E.Category);
  if (Kind == Category::Other)
    return;
  if (Kind == Category::OtherVendor) {
    ++OtherVendor;
    return;
  }
  if (!E.Start || !E.Duration || *E.Duration < 0) {
    ++Invalid;
    return;
  }
  HasFractions |= E.HasFraction;
  switch (Kind) {
  case Category::Operator:
    ++Operators;
    // Old versions of PyTorch write their steps as operators.
    return host(E, StringRef(E.Name).starts_with("ProfilerStep#")
                       ? HostRole::Range
                       : HostRole::Operator);
  case Category::OuterOperator:
    B.addOperator(thread(E),
                  {*E.Start, *E.Start + *E.Duration, B.T.Strings.intern(E.Name),
                   B.T.Strings.intern(E.InputShapes)});
    return;
  case Category::Probe:
  case Category::Annotation:
    return host(E, E.Site ? HostRole::Autoprof : HostRole::Range);
  case Category::Python:
    HasPython = true;
    return host(E, HostRole::Python);
  case Category::Runtime:
    return host(E, HostRole::Api);
  case Category::Driver:
    return host(E, HostRole::Driver);
  case Category::Kernel:
    return operation(E, isGraph(E) ? OpKind::Graph : OpKind::Kernel);
  case Category::Copy:
    return operation(E, OpKind::Copy);
  case Category::Set:
    return operation(E, OpKind::Set);
  case Category::Sync:
    return sync(E);
  default:
    return overhead(E);
  }
}

/// Why it cannot be analyzed; "": it can.
std::string Reader::refusal(const JsonEnd &End) const {
  if (!End.Problem.empty() && !Events)
    return "it is damaged JSON: " + End.Problem;
  if (!Head.HasEvents)
    return "it is JSON, but no trace: it has no list 'traceEvents'";
  if (Hip)
    return "it is a trace of an AMD GPU (its calls are HIP's); autoprof knows "
           "what calls of CUDA do to the CPU, and those only";
  if (Calls && !C.Ops.empty())
    return "";
  if (OtherVendor)
    return "it is a trace of an accelerator that is not CUDA's";
  std::string Has = "it is a trace with " + std::to_string(C.Ops.size()) +
                    " GPU operations (categories kernel, gpu_memcpy, "
                    "gpu_memset) and " +
                    std::to_string(Calls) +
                    " CUDA API calls (cuda_runtime, cuda_driver)";
  if (!End.Problem.empty())
    return Has + "; it is cut off, and what is left has no GPU work that can "
                 "be matched to its calls: save the trace again";
  if (!Calls && C.Ops.empty())
    return Operators ? Has + "; profile with ProfilerActivity.CUDA as well"
                     : Has + ", so it says nothing about CUDA";
  if (!Calls)
    return Has + ", and without calls nothing tells where the CPU waited; "
                 "profile with ProfilerActivity.CPU as well";
  return "";
}

void Reader::nameThreads() {
  for (const auto &[Key, Index] : Threads) {
    Thread &Named = B.T.Threads[Index];
    if (auto Name = ThreadNames.find(Key); Name != ThreadNames.end())
      Named.Name = Name->second;
    Named.IsLane = C.IsOwn && Lanes.contains(Key);
    if (Named.IsLane)
      Named.Tid = -1;
  }
}

void Reader::describe() {
  Process &P = B.T.Info;
  B.T.Info.Source.Producer = Operators || !Head.Devices.empty()
                                 ? "the PyTorch profiler"
                                 : "another profiler (Chrome trace JSON)";
  if (C.Ops.empty())
    P.CuptiReason = "the profiler recorded calls, but no GPU operation";
  P.Host = Head.Host;
  P.Rank = Head.Rank;
  P.Ranks = Head.Ranks;
  uint64_t MostOps = 0;
  for (const auto &[Pid, Count] : Processes)
    if (Count > MostOps && !StringRef(Pid).getAsInteger(10, P.Pid))
      MostOps = Count;
  for (const Device &D : Head.Devices)
    if (llvm::any_of(B.T.Queues,
                     [&D](const Queue &Q) { return Q.Device == D.Id; }))
      B.T.Devices.push_back(D);
}

void Reader::addLimits(bool IsCutOff) {
  std::vector<std::string> &Limits = B.T.Info.Source.Limits;
  if (Processes.size() > 1)
    Limits.push_back(
        "The file holds several processes, whose calls and GPU operations may "
        "be mixed up: their numbers are unique in one process only.");
  if (!HasFractions)
    Limits.push_back("Its times are whole microseconds: short waits and gaps "
                     "are rounded.");
  if (B.T.Queues.size() > 1)
    Limits.push_back(noStreamFlags().str());
  if (HasPython)
    Limits.push_back("Lines of Python are those where the function begins; "
                     "'autoprof run --stacks' records those of the calls.");
  // What is missing may have been in the part that is missing.
  if (IsCutOff)
    return;
  if (const size_t Reads = Missing.count()) {
    B.T.Info.Source.LacksWaits = true;
    Limits.push_back(
        "It lacks the calls in which " + counted(Reads, "read") +
        " of a value from the GPU (aten::_local_scalar_dense) waited: other "
        "waits may be missing, too.");
  }
  const bool IsTorch = Operators || !Head.Devices.empty();
  if (C.Syncs.empty())
    Limits.push_back(noSyncRecords(B.T.Queues.size() > 1).str() +
                     (IsTorch ? "; to record them, pass torch.profiler "
                                "experimental_config=torch._C._profiler._"
                                "ExperimentalConfig(enable_cuda_sync_events="
                                "True)."
                              : "; 'autoprof run' records them."));
  if (IsTorch && !Operators)
    Limits.push_back("It has no operators, so waits are named by their calls "
                     "of CUDA; profile with ProfilerActivity.CPU as well.");
  else if (Operators && !HasPython)
    Limits.push_back("It has no source lines; profile with with_stack=True, or "
                     "record with 'autoprof run --stacks'.");
}

llvm::Expected<Timeline> Reader::run(const ByteReader &Read) {
  JsonEnd End =
      readJsonEvents(Read, Head, [this](const JsonEvent &E) { event(E); });
  if (std::string Reason = refusal(End); !Reason.empty())
    return llvm::createStringError(Reason);
  nameThreads();
  C.Epoch = Head.Base;
  if (!C.IsOwn) {
    describe();
    addLimits(/*IsCutOff=*/!End.Problem.empty());
  }
  B.T.Unread.FileBytes = End.Bytes;
  B.T.Unread.BytesDropped = End.Bytes - End.Good;
  B.T.Unread.EventsInvalid = Invalid;
  return C.finish();
}

} // namespace

llvm::Expected<Timeline> autoprof::trace::readKineto(const ByteReader &Read,
                                                     const Selection &Select) {
  return Reader(Select).run(Read);
}

static bool isJson(const TraceFile &File) {
  StringRef Bytes = File.start();
  Bytes.consume_front("\xef\xbb\xbf"); // A byte order mark.
  Bytes = Bytes.ltrim();
  return Bytes.starts_with("{") || Bytes.starts_with("[");
}

/// A file from front to back: such files can be larger than the memory.
static llvm::Expected<Timeline> readJson(TraceFile &File,
                                         const ReadOptions &Options) {
  if (!File.isRegular()) {
    llvm::Expected<StringRef> Bytes = File.bytes();
    if (!Bytes)
      return Bytes.takeError();
    return readKineto(readerOf(*Bytes), Options.Select);
  }
  llvm::Expected<ByteSource> Source = ByteSource::open(File.path());
  if (!Source)
    return Source.takeError();
  auto Read = [&](char *Buffer, size_t Size) {
    if (Options.Progress && File.size())
      Options.Progress(double(Source->position()) / double(File.size()));
    return Source->read(Buffer, Size);
  };
  llvm::Expected<Timeline> T = readKineto(Read, Options.Select);
  if (T && Source->isDamaged())
    T->Info.Source.Limits.push_back("The gzip file is cut off or damaged: what "
                                    "followed could not be unpacked.");
  return T;
}

const Format autoprof::trace::KinetoFormat = {isJson, readJson};
