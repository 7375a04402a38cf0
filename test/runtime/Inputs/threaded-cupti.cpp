// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands in for libcupti where threads matter: like the real one it hands over
// buffers from a thread of its own whenever it likes, beside those of a flush,
// and may be told to record more or less from any thread meanwhile. Launches
// and calls come from fake-cuda.cpp. It ends the process when it is used as the
// real one must not be: flushes that overlap, changes once exit() has begun.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cupti.h>
#include <mutex>
#include <set>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

static std::atomic<CUpti_BuffersCallbackRequestFunc> request;
static std::atomic<CUpti_BuffersCallbackCompleteFunc> complete;
static std::atomic<CUpti_TimestampCallbackFunc> timestamp;
static std::atomic<CUpti_CallbackFunc> callback;
static std::atomic<bool> recordsKernels, recordsCalls, ended;
static std::atomic<uint32_t> lastCorrelation;
// Leaked: they are used until the process ends.
static auto &mutex = *new std::mutex; // Guards what follows.
static auto &callbacks = *new std::set<std::pair<uint32_t, uint32_t>>;
static auto &calls = *new std::vector<CUpti_ActivityAPI>;
static auto &kernels = *new std::vector<CUpti_ActivityKernel10>;

[[noreturn]] static void misused(const char *how) {
  fprintf(stderr, "threaded-cupti: %s\n", how);
  _exit(99);
}

static void mayChange() {
  static const int registered = atexit([] { ended = true; });
  if (ended || registered != 0)
    misused("it was switched once exit() had begun");
}

template <typename Record>
static uint8_t *append(uint8_t *at, std::vector<Record> &records,
                       const uint8_t *end) {
  size_t taken = 0;
  for (; taken < records.size() && at + sizeof(Record) <= end; ++taken) {
    memcpy(at, &records[taken], sizeof(Record));
    at += sizeof(Record);
  }
  records.erase(records.begin(),
                records.begin() + static_cast<ptrdiff_t>(taken));
  return at;
}

// Hands over what there is. False: there was nothing more than a buffer holds.
static bool deliver() {
  uint8_t *buffer = nullptr;
  size_t size = 0, most = 0;
  request.load()(&buffer, &size, &most);
  if (!buffer)
    return false;
  uint8_t *at = buffer;
  bool more;
  {
    std::lock_guard<std::mutex> lock(mutex);
    at = append(at, calls, buffer + size);
    at = append(at, kernels, buffer + size);
    more = !calls.empty() || !kernels.empty();
  }
  complete.load()(nullptr, 0, buffer, size, static_cast<size_t>(at - buffer));
  return more;
}

static void deliverNowAndThen() {
  for (;;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(7));
    if (!ended)
      deliver();
  }
}

static CUpti_ActivityAPI callRecord(CUpti_ActivityKind kind, uint32_t id) {
  CUpti_ActivityAPI record = {};
  record.kind = kind;
  record.cbid = id;
  record.start = timestamp.load() ? timestamp.load()() : 0;
  record.threadId = static_cast<uint32_t>(syscall(SYS_gettid));
  record.correlationId = ++lastCorrelation;
  return record;
}

extern "C" {

// --- What fake-cuda.cpp calls

void fakeCuptiLaunch() {
  if (!recordsKernels || !recordsCalls)
    return;
  CUpti_ActivityAPI call = callRecord(CUPTI_ACTIVITY_KIND_RUNTIME, 1);
  call.end = timestamp.load()();
  CUpti_ActivityKernel10 kernel = {};
  kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  kernel.name = "_Z4stepPfi";
  kernel.start = call.end;
  kernel.end = call.end + 5000;
  kernel.streamId = 7 + call.threadId % 4;
  kernel.contextId = 1;
  kernel.correlationId = call.correlationId;
  std::lock_guard<std::mutex> lock(mutex);
  calls.push_back(call);
  kernels.push_back(kernel);
}

void fakeCuptiCall(uint32_t domain, uint32_t id, int behind, uint64_t *data) {
  static thread_local std::vector<CUpti_ActivityAPI> open;
  if (!behind)
    open.push_back(callRecord(domain == CUPTI_CB_DOMAIN_RUNTIME_API
                                  ? CUPTI_ACTIVITY_KIND_RUNTIME
                                  : CUPTI_ACTIVITY_KIND_DRIVER,
                              id));
  CUpti_CallbackData call = {};
  call.callbackSite = behind ? CUPTI_API_EXIT : CUPTI_API_ENTER;
  call.correlationData = data;
  call.correlationId = open.back().correlationId;
  bool calledBack;
  {
    std::lock_guard<std::mutex> lock(mutex);
    calledBack = callbacks.count({domain, id}) > 0;
    if (behind && recordsCalls && timestamp.load()) {
      open.back().end = timestamp.load()();
      calls.push_back(open.back());
    }
  }
  if (calledBack)
    callback.load()(nullptr, static_cast<CUpti_CallbackDomain>(domain), id,
                    &call);
  if (behind)
    open.pop_back();
}

// --- CUPTI

CUptiResult cuptiGetVersion(uint32_t *version) {
  *version = 130001;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle *, CUpti_CallbackFunc called,
                           void *) {
  callback = called;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiEnableCallback(uint32_t on, CUpti_SubscriberHandle,
                                CUpti_CallbackDomain domain,
                                CUpti_CallbackId id) {
  std::lock_guard<std::mutex> lock(mutex);
  if (on)
    callbacks.emplace(domain, id);
  else
    callbacks.erase({domain, id});
  return CUPTI_SUCCESS;
}

CUptiResult cuptiSetThreadIdType(CUpti_ActivityThreadIdType) {
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t id,
                                 const char **name) {
  static const char *const runtime[] = {"INVALID", "cudaLaunchKernel_v7000",
                                        "cudaGetDevice_v3020",
                                        "cudaMemcpy_v3020"};
  static const char *const driver[] = {"INVALID", "cuInit", "cuLaunchKernel",
                                       "cuMemcpyHtoD_v2"};
  if (id >= 4)
    return CUPTI_ERROR_INVALID_PARAMETER;
  *name = domain == CUPTI_CB_DOMAIN_RUNTIME_API ? runtime[id] : driver[id];
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

static void change(CUpti_ActivityKind kind, bool on) {
  mayChange();
  if (kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
    recordsKernels = on;
  if (kind == CUPTI_ACTIVITY_KIND_RUNTIME)
    recordsCalls = on;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
  change(kind, true);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) {
  change(kind, false);
  return CUPTI_SUCCESS;
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
  std::thread(deliverNowAndThen).detach();
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc now) {
  timestamp = now;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, uint32_t,
                                              size_t *dropped) {
  *dropped = 0;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityFlushAll(uint32_t) {
  static std::atomic<int> inside{0};
  if (inside.fetch_add(1) != 0)
    misused("two flushes at a time");
  while (deliver()) {
  }
  inside.fetch_sub(1);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid,
                                       CUpti_Activity **record) {
  uint8_t *next = buffer;
  if (*record)
    next = reinterpret_cast<uint8_t *>(*record) +
           ((*record)->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL
                ? sizeof(CUpti_ActivityKernel10)
                : sizeof(CUpti_ActivityAPI));
  if (next >= buffer + valid)
    return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = reinterpret_cast<CUpti_Activity *>(next);
  return CUPTI_SUCCESS;
}

} // extern "C"
