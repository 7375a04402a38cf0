// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands in for libcupti on machines without a GPU, so that the way from the
// injection to the file runs in every test: each flush hands over one buffer
// with a launch and its kernel. FAKE_CUPTI in the environment: "busy" (by
// the tool that FAKE_HOLDER names), "nameless" (busy, by a tool without a
// name), "old", "hang" (the forced flush never returns), "launches" (a launch
// and its kernel for each cuLaunchKernel of fake-cuda.cpp that is called while
// they are enabled, and its other calls, and nothing else), "graphs" (the
// launch is one of a graph: one record, or its node's). With FAKE_WAITS a
// kernel ends shortly before the first call behind its launch: it waited.
//
// Like the real one it may not be told to record more or less once exit() has
// begun. With FAKE_CUPTI_SAY it says then how many kinds are enabled.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cupti.h>
#include <dlfcn.h>
#include <mutex>
#include <set>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

static bool is(const char *what) {
  const char *value = getenv("FAKE_CUPTI");
  return value && strcmp(value, what) == 0;
}

static CUpti_BuffersCallbackRequestFunc request;
static CUpti_BuffersCallbackCompleteFunc complete;
static CUpti_TimestampCallbackFunc timestamp;
static bool systemThreads = false;
static std::atomic<bool> ended{false};
// Leaked: they are used until the process ends.
static auto &kinds = *new std::set<uint32_t>;
// Chosen while CUDA was not ready; left out of the kind.
struct Chosen {
  uint32_t kind;
  std::set<uint32_t> functions, left_out;

  bool records(uint32_t id) const {
    return kinds.count(kind) ? !left_out.count(id) : functions.count(id) > 0;
  }
};
static auto &runtimeCalls = *new Chosen{CUPTI_ACTIVITY_KIND_RUNTIME, {}, {}};
static auto &driverCalls = *new Chosen{CUPTI_ACTIVITY_KIND_DRIVER, {}, {}};
static auto &callbacks = *new std::set<std::pair<uint32_t, uint32_t>>;
static CUpti_CallbackFunc callback;
static std::mutex launchMutex;
static std::atomic<uint32_t> lastCorrelation{0};
// Of fakeCuptiCall: begun by the thread; done and not yet handed over.
static thread_local std::vector<CUpti_ActivityAPI> openCalls;
static auto &calls = *new std::vector<CUpti_ActivityAPI>;
struct Launched {
  uint64_t start, end;
  uint32_t correlation, thread;
};
static auto &launches = *new std::vector<Launched>;

static bool isCudaReady() {
  void *cuda = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  auto count =
      cuda ? reinterpret_cast<int (*)(int *)>(dlsym(cuda, "cuDeviceGetCount"))
           : nullptr;
  int devices;
  return count && count(&devices) == 0;
}

// Exactly the calls that the runtime wants: not cudaGetDevice (2) and cuInit (1).
static bool recordsLaunches() {
  return kinds.count(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) &&
         !driverCalls.records(1) && driverCalls.records(2) &&
         driverCalls.records(3) && runtimeCalls.records(1) &&
         !runtimeCalls.records(2) && runtimeCalls.records(3) &&
         runtimeCalls.records(4);
}

// Also while nothing else is recorded.
static bool recordsGraphs() {
  return is("graphs") && kinds.count(CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
}

static void end() {
  ended = true;
  if (getenv("FAKE_CUPTI_SAY"))
    fprintf(stderr, "%zu kinds are enabled\n", kinds.size());
}

static void mayChange() {
  static const int registered = atexit(end);
  if (ended || registered != 0)
    abort();
}

extern "C" {

CUptiResult cuptiGetVersion(uint32_t *version) {
  *version = is("old") ? 16 : 130001;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle *,
                           CUpti_CallbackFunc function, void *) {
  callback = function;
  return is("busy") || is("nameless")
             ? CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED
             : CUPTI_SUCCESS;
}

CUptiResult cuptiSubscribe_v2(CUpti_SubscriberHandle *subscriber,
                              CUpti_CallbackFunc callback, void *data,
                              CUpti_SubscriberParams *parameters) {
  const char *holder = getenv("FAKE_HOLDER");
  if (is("busy"))
    snprintf(parameters->oldSubscriberName, parameters->oldSubscriberSize,
             "CUPTI for %s", holder ? holder : "other");
  else if (is("nameless"))
    strcpy(parameters->oldSubscriberName, "CUPTI for <not provided>");
  return cuptiSubscribe(subscriber, callback, data);
}

CUptiResult cuptiEnableCallback(uint32_t enable, CUpti_SubscriberHandle,
                                CUpti_CallbackDomain domain,
                                CUpti_CallbackId id) {
  std::lock_guard<std::mutex> lock(launchMutex);
  if (enable)
    callbacks.emplace(domain, id);
  else
    callbacks.erase({domain, id});
  return CUPTI_SUCCESS;
}

static void callBack(uint32_t domain, uint32_t id, CUpti_CallbackData &call) {
  {
    std::lock_guard<std::mutex> lock(launchMutex);
    if (!callbacks.count({domain, id}))
      return;
  }
  callback(nullptr, static_cast<CUpti_CallbackDomain>(domain), id, &call);
}

CUptiResult cuptiSetThreadIdType(CUpti_ActivityThreadIdType type) {
  systemThreads = type == CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t id,
                                 const char **name) {
  static const char *const runtime[] = {
      "INVALID", "cudaLaunchKernel_v7000", "cudaGetDevice_v3020",
      "cudaMemcpy_v3020", "cudaGraphLaunch_v10000"};
  static const char *const driver[] = {"INVALID", "cuInit", "cuLaunchKernel",
                                       "cuMemcpyHtoD_v2"};
  bool isRuntime = domain == CUPTI_CB_DOMAIN_RUNTIME_API;
  if (id >= (isRuntime ? 5 : 4))
    return CUPTI_ERROR_INVALID_PARAMETER;
  *name = isRuntime ? runtime[id] : driver[id];
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetStreamIdEx(CUcontext, CUstream, uint8_t, uint32_t *id) {
  *id = 7;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetResultString(CUptiResult, const char **text) {
  *text = "FAKE";
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
  mayChange();
  while (getenv("FAKE_HANGS"))
    usleep(1000);
  std::lock_guard<std::mutex> lock(launchMutex);
  kinds.insert(kind);
  return timestamp && systemThreads ? CUPTI_SUCCESS : CUPTI_ERROR_UNKNOWN;
}

CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) {
  mayChange();
  // A graph made meanwhile would end the process when it is switched on again.
  if (kind == CUPTI_ACTIVITY_KIND_GRAPH_TRACE)
    abort();
  std::lock_guard<std::mutex> lock(launchMutex);
  kinds.erase(kind);
  return CUPTI_SUCCESS;
}

static CUptiResult choose(Chosen &calls, uint32_t id, uint8_t enable) {
  mayChange();
  const bool isReady = isCudaReady();
  std::lock_guard<std::mutex> lock(launchMutex);
  if (!enable) {
    calls.functions.erase(id);
    calls.left_out.insert(id);
  } else if (!isReady) { // Later it changes nothing.
    calls.functions.insert(id);
  }
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnableRuntimeApi(CUpti_CallbackId id, uint8_t enable) {
  return choose(runtimeCalls, id, enable);
}

CUptiResult cuptiActivityEnableDriverApi(CUpti_CallbackId id, uint8_t enable) {
  return choose(driverCalls, id, enable);
}

// What fake-cuda.cpp calls: a launch, and another call of the driver, before
// and behind it.
void fakeCuptiLaunch() {
  uint64_t data = 0;
  CUpti_CallbackData call = {};
  call.correlationData = &data;
  call.correlationId = ++lastCorrelation;
  call.callbackSite = CUPTI_API_ENTER;
  callBack(CUPTI_CB_DOMAIN_DRIVER_API, 2, call);
  {
    std::lock_guard<std::mutex> lock(launchMutex);
    if (timestamp && recordsLaunches()) {
      const uint64_t start = timestamp();
      launches.push_back({start, timestamp(), call.correlationId,
                          static_cast<uint32_t>(syscall(SYS_gettid))});
    }
  }
  call.callbackSite = CUPTI_API_EXIT;
  callBack(CUPTI_CB_DOMAIN_DRIVER_API, 2, call);
}

static bool isRecorded(uint32_t domain, uint32_t id) {
  return (domain == CUPTI_CB_DOMAIN_RUNTIME_API ? runtimeCalls : driverCalls)
      .records(id);
}

void fakeCuptiCall(uint32_t domain, uint32_t id, int behind, uint64_t *data) {
  if (!behind) {
    CUpti_ActivityAPI record = {};
    record.kind = domain == CUPTI_CB_DOMAIN_RUNTIME_API
                      ? CUPTI_ACTIVITY_KIND_RUNTIME
                      : CUPTI_ACTIVITY_KIND_DRIVER;
    record.cbid = id;
    record.start = timestamp ? timestamp() : 0;
    record.threadId = static_cast<uint32_t>(syscall(SYS_gettid));
    record.correlationId = ++lastCorrelation;
    openCalls.push_back(record);
  }
  CUpti_CallbackData call = {};
  call.callbackSite = behind ? CUPTI_API_EXIT : CUPTI_API_ENTER;
  call.correlationData = data;
  call.correlationId = openCalls.back().correlationId;
  if (behind) {
    std::lock_guard<std::mutex> lock(launchMutex);
    openCalls.back().end = timestamp ? timestamp() : 0;
    if (isRecorded(domain, id))
      calls.push_back(openCalls.back());
    openCalls.pop_back();
  }
  callBack(domain, id, call);
}

CUptiResult cuptiActivitySetAttribute(CUpti_ActivityAttribute, size_t *,
                                      void *) {
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc onRequest,
                               CUpti_BuffersCallbackCompleteFunc onComplete) {
  request = onRequest;
  complete = onComplete;
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc callback) {
  timestamp = callback;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, uint32_t,
                                              size_t *dropped) {
  static bool asked = false;
  *dropped = asked ? 0 : 3;
  asked = true;
  return CUPTI_SUCCESS;
}

static uint8_t *writeLaunch(uint8_t *at, const Launched &launch,
                            uint64_t kernelEnd) {
  auto *call = reinterpret_cast<CUpti_ActivityAPI *>(at);
  call->kind = CUPTI_ACTIVITY_KIND_RUNTIME;
  call->cbid = 1;
  call->start = launch.start;
  call->end = launch.end;
  call->threadId = launch.thread;
  call->correlationId = launch.correlation;
  if (is("graphs"))
    call->cbid = 4;
  if (recordsGraphs()) {
    auto *graph = reinterpret_cast<CUpti_ActivityGraphTrace2 *>(call + 1);
    graph->kind = CUPTI_ACTIVITY_KIND_GRAPH_TRACE;
    graph->start = call->end;
    graph->end = kernelEnd;
    graph->graphId = 2;
    graph->streamId = 7;
    graph->contextId = 1;
    graph->correlationId = launch.correlation;
    return reinterpret_cast<uint8_t *>(graph + 1);
  }
  auto *kernel = reinterpret_cast<CUpti_ActivityKernel10 *>(call + 1);
  kernel->graphId = is("graphs") ? 2 : 0;
  kernel->kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  kernel->name = "_Z4stepPfi";
  kernel->start = call->end;
  kernel->end = kernelEnd;
  kernel->streamId = 7;
  kernel->contextId = 1;
  kernel->correlationId = launch.correlation;
  return reinterpret_cast<uint8_t *>(kernel + 1);
}

// One flush at a time is what the real one demands.
CUptiResult cuptiActivityFlushAll(uint32_t forced) {
  static std::atomic<int> inside{0};
  if (inside.fetch_add(1) != 0)
    abort();
  while (forced && is("hang"))
    pause();
  uint8_t *buffer = nullptr;
  size_t size = 0, records = 0;
  request(&buffer, &size, &records);
  std::vector<std::pair<Launched, uint64_t>> now; // And the kernel's end.
  std::vector<CUpti_ActivityAPI> done;
  if (is("launches")) {
    std::lock_guard<std::mutex> lock(launchMutex);
    done.swap(calls);
    std::vector<Launched> kept;
    for (const Launched &launch : launches) {
      uint64_t kernelEnd = 0;
      for (const CUpti_ActivityAPI &call : done)
        if (getenv("FAKE_WAITS") && call.start >= launch.end && !kernelEnd)
          kernelEnd = call.end - 10'000;
      if (kernelEnd || forced || !getenv("FAKE_WAITS"))
        now.emplace_back(launch, kernelEnd ? kernelEnd : launch.end + 5000);
      else
        kept.push_back(launch);
    }
    launches.swap(kept);
  } else if (recordsLaunches() || recordsGraphs()) {
    const uint64_t start = timestamp(), end = timestamp();
    now.push_back(
        {{start, end, ++lastCorrelation, static_cast<uint32_t>(getpid())},
         end + 5000});
  }
  uint8_t *at = buffer;
  for (const auto &[launch, kernelEnd] : now)
    if (buffer)
      at = writeLaunch(at, launch, kernelEnd);
  for (const CUpti_ActivityAPI &call : done)
    if (buffer) {
      memcpy(at, &call, sizeof call);
      at += sizeof call;
    }
  if (buffer)
    complete(nullptr, 0, buffer, size, static_cast<size_t>(at - buffer));
  inside.fetch_sub(1);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid,
                                       CUpti_Activity **record) {
  uint8_t *next = buffer;
  if (*record)
    next = reinterpret_cast<uint8_t *>(*record) +
           ((*record)->kind == CUPTI_ACTIVITY_KIND_RUNTIME ||
                    (*record)->kind == CUPTI_ACTIVITY_KIND_DRIVER
                ? sizeof(CUpti_ActivityAPI)
            : (*record)->kind == CUPTI_ACTIVITY_KIND_GRAPH_TRACE
                ? sizeof(CUpti_ActivityGraphTrace2)
                : sizeof(CUpti_ActivityKernel10));
  if (next >= buffer + valid)
    return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = reinterpret_cast<CUpti_Activity *>(next);
  return CUPTI_SUCCESS;
}

} // extern "C"
