// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules about CUPTI that this file follows, from NVIDIA's documentation and the
// bug reports of other tools:
// * Subscribe before anything else. Only one tool may subscribe; if another
//   tool has, do without CUPTI.
// * Thread ids of the system (gettid) and CLOCK_MONOTONIC must be chosen before
//   the first kind is enabled.
// * Flushes must not overlap: two concurrent ones deadlock.
// * cuptiFinalize races with the program's CUDA calls: never call it. There is
//   no other way to undo all that recording costs a launch: of 1.1 us, 0.65
//   remain (docs/performance.md).
// * cuptiActivityEnable and cuptiActivityDisable crash the process (SIGSEGV)
//   once exit() has begun, because CUPTI's own handler has run by then (H200,
//   CUDA 13.0). Before that, kinds may be switched on and off at any time, and
//   it does not matter which are on when the process ends.
// * Launching a graph while GRAPH_TRACE is on crashes the process (SIGSEGV) if
//   it was off when the graph was instantiated (H100, CUDA 13.0). So it is
//   switched on before CUDA can be used, or never, and stays on: its records of
//   the time when recording is off are discarded.
// * SYNCHRONIZATION makes every call of the process slower, recorded or not:
//   see Synchronizations.h.
// * A flush returns part-filled buffers only if asked to: CUPTI's own period
//   (cuptiActivityFlushPeriod) returns only full ones.
#include "runtime/cupti/Cupti.h"

#include "runtime/cupti/CuptiLibrary.h"
#include "runtime/cupti/Driver.h"
#include "runtime/cupti/RecordedCalls.h"
#include "runtime/cupti/Synchronizations.h"
#include "runtime/cupti/WaitingCalls.h"
#include "runtime/probes/Probes.h"
#include "runtime/stacks/PythonStack.h"
#include "runtime/stacks/Sampler.h"
#include "runtime/stacks/Stacks.h"
#include "runtime/support/Clock.h"
#include "runtime/support/Memory.h"
#include "runtime/support/TimedMutex.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <vector>

namespace autoprof::runtime {

static CuptiLibrary Library;
static CuptiEvents Handlers;
static std::atomic<bool> Running{false};
/// The kinds that slow the program are enabled.
static std::atomic<bool> IsRecording{false};
static std::atomic<bool> SeesCalls{false}; ///< See seeCudaCalls().
// Set before the first callback.
static bool TakesStacks = false;
static bool WatchesPauses = false;
static CUpti_SubscriberHandle Subscriber = nullptr;

// CONCURRENT_KERNEL instead of KERNEL, which serializes the program's kernels.
static constexpr CUpti_ActivityKind RequiredKinds[] = {
    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
    CUPTI_ACTIVITY_KIND_MEMSET};
static constexpr CUpti_ActivityKind OtherKinds[] = {
    CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_OVERHEAD};
// Each device, context or stream has one record, written when it is created: a
// window that opens later needs it, too.
static constexpr CUpti_ActivityKind DescribingKinds[] = {
    CUPTI_ACTIVITY_KIND_DEVICE, CUPTI_ACTIVITY_KIND_CONTEXT,
    CUPTI_ACTIVITY_KIND_STREAM};

static uint64_t CUPTIAPI timestamp() { return now(); }

static void CUPTIAPI onBufferRequest(uint8_t **Buffer, size_t *Size,
                                     size_t *MaxRecords) {
  *Buffer = requestBuffer();
  *Size = *Buffer ? ActivityBufferSize : 0;
  *MaxRecords = 0;
}

static void CUPTIAPI onBufferComplete(CUcontext, uint32_t, uint8_t *Buffer,
                                      size_t, size_t Valid) {
  if (Buffer)
    completeBuffer(Buffer, Valid);
}

// Only the driver's function counts: the runtime's function of that name calls
// it.
static bool isProfilerCall(CUpti_CallbackDomain CallDomain,
                           CUpti_CallbackId Id) {
  return CallDomain == CUPTI_CB_DOMAIN_DRIVER_API &&
         (Id == CUPTI_DRIVER_TRACE_CBID_cuProfilerStart ||
          Id == CUPTI_DRIVER_TRACE_CBID_cuProfilerStop);
}

// Other calls are called back only for cudaCallBegins().
static void onStackCall(CUpti_CallbackDomain CallDomain, CUpti_CallbackId Id,
                        const CUpti_CallbackData &Call) {
  const bool MayWait = isWaitingCall(CallDomain, Id);
  if (!MayWait && !isWorkCall(CallDomain, Id))
    return;
  if (Call.callbackSite == CUPTI_API_ENTER)
    return stackCallBegins(Call.correlationData);
  const bool IsDriver = CallDomain == CUPTI_CB_DOMAIN_DRIVER_API;
  stackCallEnds(Call.correlationData,
                {Call.correlationId, Id << 1 | IsDriver, MayWait,
                 IsRecording.load(std::memory_order_relaxed)});
}

static void onCall(CUpti_CallbackDomain CallDomain, CUpti_CallbackId Id,
                   const CUpti_CallbackData &Call) {
  const bool Begins = Call.callbackSite == CUPTI_API_ENTER;
  if (!isProfilerCall(CallDomain, Id)) {
    if (Begins && SeesCalls.load(std::memory_order_relaxed))
      cudaCallBegins();
    if (IsRecording.load(std::memory_order_relaxed) &&
        isSynchronization(CallDomain, Id))
      onSynchronization(Library, CallDomain, Id, Call);
    if (TakesStacks)
      onStackCall(CallDomain, Id, Call);
    else if (isWaitingCall(CallDomain, Id))
      onWaitingCall(CallDomain, Id, Call);
    return;
  }
  const bool Starts = Id == CUPTI_DRIVER_TRACE_CBID_cuProfilerStart;
  if (Starts && !Begins)
    Handlers.OnProfilerStart();
  else if (!Starts && Begins)
    Handlers.OnProfilerStop();
}

static void CUPTIAPI onCallback(void *, CUpti_CallbackDomain Domain,
                                CUpti_CallbackId Id, const void *Data) {
  if (Domain == CUPTI_CB_DOMAIN_DRIVER_API ||
      Domain == CUPTI_CB_DOMAIN_RUNTIME_API)
    onCall(Domain, Id, *static_cast<const CUpti_CallbackData *>(Data));
  else if (Domain == CUPTI_CB_DOMAIN_RESOURCE &&
           Id == CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING)
    Handlers.OnContextDestroy();
  else if (Domain == CUPTI_CB_DOMAIN_STATE &&
           Id == CUPTI_CBID_STATE_FATAL_ERROR)
    Handlers.OnFatalError();
}

static std::string describe(CUptiResult Result) {
  const char *Text = nullptr;
  if (Library.cuptiGetResultString(Result, &Text) == CUPTI_SUCCESS && Text)
    return Text;
  return "CUPTI error " + std::to_string(Result);
}

#if AUTOPROF_HAS_CUPTI13
// "CUPTI for nsys" -> nsys; "" for a tool that gave no name.
static std::string holderName(std::string_view Text) {
  constexpr std::string_view Prefix = "CUPTI for ";
  if (Text.substr(0, Prefix.size()) == Prefix)
    Text.remove_prefix(Prefix.size());
  return Text.substr(0, 1) == "<" ? "" : std::string(Text);
}

// If another tool has CUPTI, and this CUPTI names it, the name goes to
// `Holder`.
static CUptiResult subscribe(std::string &Holder) {
  if (!Library.cuptiSubscribe_v2)
    return Library.cuptiSubscribe(&Subscriber, onCallback, nullptr);
  char Old[CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN] = "";
  CUpti_SubscriberParams Parameters = {};
  Parameters.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
  Parameters.subscriberName = "autoprof";
  Parameters.oldSubscriberName = Old;
  Parameters.oldSubscriberSize = sizeof Old;
  CUptiResult Result =
      Library.cuptiSubscribe_v2(&Subscriber, onCallback, nullptr, &Parameters);
  Holder = holderName({Old, strnlen(Old, sizeof Old)});
  return Result;
}
#else
static CUptiResult subscribe(std::string &) {
  return Library.cuptiSubscribe(&Subscriber, onCallback, nullptr);
}
#endif

static void setFlag(CUpti_ActivityAttribute Attribute, uint8_t Value) {
  size_t Size = sizeof Value;
  Library.cuptiActivitySetAttribute(Attribute, &Size, &Value);
}

namespace {
/// The times at which recording was switched, alternately on and off.
class Switches {
  std::mutex M;
  std::vector<uint64_t> Times; // Ascending.

public:
  void toggle() {
    std::lock_guard<std::mutex> Lock(M);
    Times.push_back(now());
  }
  bool wasOn(uint64_t Time) {
    std::lock_guard<std::mutex> Lock(M);
    return (std::upper_bound(Times.begin(), Times.end(), Time) -
            Times.begin()) %
               2 ==
           1;
  }
};
} // namespace

// Leaked: CUPTI's threads may use it late.
static Switches &switches() {
  static auto *S = new Switches;
  return *S;
}

static void setRecording(bool Recording) {
  if (Recording != IsRecording)
    switches().toggle();
  IsRecording = Recording;
  if (TakesStacks)
    setSampling(Recording);
}

// Set only once, before recording begins.
static CallChoice Calls = CallChoice::Kind;

static CUptiResult enableKinds() {
  for (CUpti_ActivityKind Kind : RequiredKinds) {
    CUptiResult Result = Library.cuptiActivityEnable(Kind);
    if (Result != CUPTI_SUCCESS)
      return Result;
  }
  for (CUpti_ActivityKind Kind : OtherKinds)
    Library.cuptiActivityEnable(Kind);
  watchSynchronizations(Library, Subscriber, /*Watch=*/true);
  return recordCalls(Library, Calls, /*Recording=*/true);
}

static void disableKinds() {
  watchSynchronizations(Library, Subscriber, /*Watch=*/false);
  recordCalls(Library, Calls, /*Recording=*/false);
  for (CUpti_ActivityKind Kind : OtherKinds)
    Library.cuptiActivityDisable(Kind);
  for (CUpti_ActivityKind Kind : RequiredKinds)
    Library.cuptiActivityDisable(Kind);
}

// Calls that are open now may have begun or may end without a callback.
static void seePauses(bool Recording) {
  if (!WatchesPauses)
    return;
  watchWorkCalls(Library, Subscriber, Recording);
  forgetStackCalls();
}

// Callbacks make each call slower, so calls that are recorded get them only
// once a range could be left out (RangeThrottle.h). Calls that wait or start
// work may have callbacks for other reasons.
static void seeCudaCalls() {
  const bool Sees = IsRecording && wantsCudaCalls();
  if (Sees == SeesCalls.load())
    return;
  if (!Sees)
    setCudaCalls(CudaCalls::Unseen);
  bool SeesAll = Sees;
  auto Choose = [&](CUpti_CallbackDomain CallDomain,
                    const std::vector<uint32_t> &Ids) {
    for (uint32_t Id : Ids)
      if (!isWaitingCall(CallDomain, Id) && !isWorkCall(CallDomain, Id) &&
          !isSynchronization(CallDomain, Id))
        SeesAll &= Library.cuptiEnableCallback(Sees, Subscriber, CallDomain,
                                               Id) == CUPTI_SUCCESS;
  };
  SeesCalls.store(Sees);
  Choose(CUPTI_CB_DOMAIN_RUNTIME_API, recordedCalls(Library).Runtime);
  Choose(CUPTI_CB_DOMAIN_DRIVER_API, recordedCalls(Library).Driver);
  if (SeesAll)
    setCudaCalls(CudaCalls::Seen);
}

static void watchProfilerCalls() {
  if (!Handlers.OnProfilerStart)
    return;
  for (CUpti_CallbackId Id : {CUPTI_DRIVER_TRACE_CBID_cuProfilerStart,
                              CUPTI_DRIVER_TRACE_CBID_cuProfilerStop})
    Library.cuptiEnableCallback(1, Subscriber, CUPTI_CB_DOMAIN_DRIVER_API, Id);
}

static CUptiResult configure(GraphRecords Graphs, bool BeforeCuda,
                             bool Recording) {
  Calls = BeforeCuda && Recording ? CallChoice::Each : CallChoice::Kind;
  CUptiResult Result =
      Library.cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
  if (Result != CUPTI_SUCCESS)
    return Result;
  setFlag(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, 1);
  setFlag(CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, 1);
  Result = Library.cuptiActivityRegisterTimestampCallback(timestamp);
  if (Result != CUPTI_SUCCESS)
    return Result;
  Result =
      Library.cuptiActivityRegisterCallbacks(onBufferRequest, onBufferComplete);
  if (Result != CUPTI_SUCCESS)
    return Result;
  Library.cuptiEnableCallback(1, Subscriber, CUPTI_CB_DOMAIN_RESOURCE,
                              CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
  Library.cuptiEnableCallback(1, Subscriber, CUPTI_CB_DOMAIN_STATE,
                              CUPTI_CBID_STATE_FATAL_ERROR);
  for (CUpti_ActivityKind Kind : DescribingKinds)
    Library.cuptiActivityEnable(Kind);
  if (Graphs == GraphRecords::Launches)
    Library.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
  setRecording(Recording);
  return Recording ? enableKinds() : CUPTI_SUCCESS;
}

const char *name(CuptiState State) {
  constexpr const char *Names[] = {"off", "ok", "missing", "busy", "refused"};
  return Names[static_cast<unsigned>(State)];
}

static CuptiStatus refused(CuptiStatus Status, std::string Reason) {
  Status.State = CuptiState::Refused;
  Status.Reason = std::move(Reason);
  return Status;
}

CuptiStatus startCupti(const std::string &Path, CuptiUse Use,
                       const StackPlan &Stacks, bool Memory,
                       GraphRecords Graphs, const CuptiEvents &Events,
                       bool BeforeCuda, bool Recording) {
  CuptiStatus Status;
  Handlers = Events;
  if (!Library.open(Path, driverVersion(), Status.Reason)) {
    Status.State = CuptiState::Missing;
    return Status;
  }
  // This call needs no subscription. The layout of the records of that version
  // decides whether CUPTI can be used.
  Library.cuptiGetVersion(&Status.Version);
  Layout Records;
  if (!Layout::of(Status.Version, Records))
    return refused(
        Status, "libcupti has API version " + std::to_string(Status.Version) +
                    ", which is that of neither CUDA 12 nor CUDA 13");
  // Before CUDA 12.9, CUPTI may crash if it is refused a buffer.
  const uint32_t Cuda129 = 27;
  if (Status.Version < Cuda129)
    setMemoryLimit(UINT64_MAX);
  const bool WithRecords = Use != CuptiUse::WaitingCalls;
  TakesStacks = Use == CuptiUse::ActivityAndStacks;
  WatchesPauses = TakesStacks && Stacks.watchesPauses();
  if (TakesStacks) {
    setStackPlan(Stacks);
    lookForPython();
    startSampler();
  }
  if (WatchesPauses)
    findWorkCalls(Library);
  if (WithRecords) {
    findSynchronizations(Library);
    refillBuffers();
  }
  std::string Holder;
  CUptiResult Result = subscribe(Holder);
  if (Result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED) {
    Status.State = CuptiState::Busy;
    Status.Reason = Holder.empty() ? "another tool uses CUPTI"
                                   : "another tool uses CUPTI (" + Holder + ")";
    return Status;
  }
  if (WithRecords)
    setCudaCalls(CudaCalls::Unseen);
  if (Result == CUPTI_SUCCESS)
    Result =
        WithRecords ? configure(Graphs, BeforeCuda, Recording) : CUPTI_SUCCESS;
  if (Memory && Result == CUPTI_SUCCESS)
    Library.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMORY2);
  if (Result == CUPTI_SUCCESS && Use != CuptiUse::Activity)
    Result = watchWaitingCalls(Library, Subscriber);
  if (Result == CUPTI_SUCCESS)
    seePauses(Recording);
  if (Result != CUPTI_SUCCESS) {
    setCudaCalls(CudaCalls::NotRecorded);
    return refused(Status, "CUPTI cannot record: " + describe(Result));
  }
  watchProfilerCalls();
  Running.store(WithRecords, std::memory_order_release);
  Status.State = CuptiState::Ok;
  if (WithRecords)
    Status.Graphs = Graphs;
  return Status;
}

void setCuptiRecording(bool Recording) {
  if (!Running.load(std::memory_order_acquire))
    return;
  if (Recording != IsRecording) {
    setRecording(Recording);
    if (Recording)
      enableKinds();
    else
      disableKinds();
    seePauses(Recording);
  }
  seeCudaCalls();
}

bool flushCupti(bool Forced, unsigned PatienceMs) {
  static auto *FlushMutex = new TimedMutex;
  if (!Running.load(std::memory_order_acquire))
    return true;
  std::unique_lock<TimedMutex> Lock(*FlushMutex,
                                    std::chrono::milliseconds(PatienceMs));
  if (!Lock.owns_lock())
    return false;
  Library.cuptiActivityFlushAll(Forced ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0);
  return true;
}

uint64_t takeDroppedRecords() {
  size_t Dropped = 0;
  if (Running.load(std::memory_order_acquire))
    Library.cuptiActivityGetNumDroppedRecords(nullptr, 0, &Dropped);
  return Dropped;
}

// GRAPH_TRACE also stays on while recording is off.
static bool isUnasked(const CUpti_Activity &Record) {
  return Record.kind == CUPTI_ACTIVITY_KIND_GRAPH_TRACE &&
         !switches().wasOn(
             reinterpret_cast<const CUpti_ActivityGraphTrace2 &>(Record).start);
}

void decodeBuffer(const ActivityBuffer &Buffer, ActivityDecoder &Decoder) {
  CUpti_Activity *Record = nullptr;
  while (Library.cuptiActivityGetNextRecord(Buffer.Data, Buffer.Valid,
                                            &Record) == CUPTI_SUCCESS)
    if (!isUnasked(*Record))
      Decoder.decode(*Record);
}

const char *cuptiFunctionName(Domain Api, uint32_t Callback) {
  const char *Name = nullptr;
  CUpti_CallbackDomain CuptiDomain = Api == Domain::Driver
                                         ? CUPTI_CB_DOMAIN_DRIVER_API
                                         : CUPTI_CB_DOMAIN_RUNTIME_API;
  return Library.cuptiGetCallbackName(CuptiDomain, Callback, &Name) ==
                 CUPTI_SUCCESS
             ? Name
             : nullptr;
}

} // namespace autoprof::runtime
