// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands in for libcupti on machines without a GPU, so that the way from the
// injection to the file runs in every test: each flush hands over one buffer
// with a launch, its kernel and a synchronization. FAKE_CUPTI in the
// environment: "busy", "nameless" (busy, by a tool without a name), "old",
// "hang" (the forced flush never returns).
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cupti.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool is(const char *what) {
  const char *value = getenv("FAKE_CUPTI");
  return value && strcmp(value, what) == 0;
}

static CUpti_BuffersCallbackRequestFunc request;
static CUpti_BuffersCallbackCompleteFunc complete;
static CUpti_TimestampCallbackFunc timestamp;
static bool systemThreads = false, kernels = false;
static uint32_t enabledDriver = 0, disabledRuntime = 0;

extern "C" {

CUptiResult cuptiGetVersion(uint32_t *version) {
  *version = is("old") ? 16 : 130001;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle *, CUpti_CallbackFunc,
                           void *) {
  return is("busy") || is("nameless")
             ? CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED
             : CUPTI_SUCCESS;
}

CUptiResult cuptiSubscribe_v2(CUpti_SubscriberHandle *subscriber,
                              CUpti_CallbackFunc callback, void *data,
                              CUpti_SubscriberParams *parameters) {
  if (is("busy"))
    strcpy(parameters->oldSubscriberName, "CUPTI for other");
  else if (is("nameless"))
    strcpy(parameters->oldSubscriberName, "CUPTI for <not provided>");
  return cuptiSubscribe(subscriber, callback, data);
}

CUptiResult cuptiEnableCallback(uint32_t, CUpti_SubscriberHandle,
                                CUpti_CallbackDomain, CUpti_CallbackId) {
  return CUPTI_SUCCESS;
}

CUptiResult cuptiSetThreadIdType(CUpti_ActivityThreadIdType type) {
  systemThreads = type == CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t id,
                                 const char **name) {
  static const char *const runtime[] = {"INVALID", "cudaLaunchKernel_v7000",
                                        "cudaGetDevice_v3020"};
  static const char *const driver[] = {"INVALID", "cuInit", "cuLaunchKernel",
                                       "cuMemcpyHtoD_v2"};
  bool isRuntime = domain == CUPTI_CB_DOMAIN_RUNTIME_API;
  if (id >= (isRuntime ? 3 : 4))
    return CUPTI_ERROR_INVALID_PARAMETER;
  *name = isRuntime ? runtime[id] : driver[id];
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetResultString(CUptiResult, const char **text) {
  *text = "FAKE";
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
  kernels |= kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  return timestamp && systemThreads ? CUPTI_SUCCESS : CUPTI_ERROR_UNKNOWN;
}

// The real one makes the process die at its end when all kinds are disabled.
CUptiResult cuptiActivityDisable(CUpti_ActivityKind) { abort(); }

CUptiResult cuptiActivityEnableRuntimeApi(CUpti_CallbackId, uint8_t enable) {
  disabledRuntime += !enable;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnableDriverApi(CUpti_CallbackId, uint8_t enable) {
  enabledDriver += enable;
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

// One flush at a time is what the real one demands.
CUptiResult cuptiActivityFlushAll(uint32_t forced) {
  static std::atomic<int> inside{0};
  static uint32_t correlation = 0;
  if (inside.fetch_add(1) != 0)
    abort();
  while (forced && is("hang"))
    pause();
  uint8_t *buffer = nullptr;
  size_t size = 0, records = 0;
  request(&buffer, &size, &records);
  if (buffer && kernels && enabledDriver == 2 && disabledRuntime == 1) {
    auto *call = reinterpret_cast<CUpti_ActivityAPI *>(buffer);
    call->kind = CUPTI_ACTIVITY_KIND_RUNTIME;
    call->cbid = 1;
    call->start = timestamp();
    call->end = call->start + 3000;
    call->threadId = static_cast<uint32_t>(getpid());
    call->correlationId = ++correlation;
    auto *kernel = reinterpret_cast<CUpti_ActivityKernel10 *>(call + 1);
    kernel->kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    kernel->name = "_Z4stepPfi";
    kernel->start = call->end;
    kernel->end = kernel->start + 5000;
    kernel->streamId = 7;
    kernel->contextId = 1;
    kernel->correlationId = correlation;
    complete(nullptr, 0, buffer, size, sizeof *call + sizeof *kernel);
  } else if (buffer) {
    complete(nullptr, 0, buffer, size, 0);
  }
  inside.fetch_sub(1);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid,
                                       CUpti_Activity **record) {
  uint8_t *next = buffer;
  if (*record)
    next = reinterpret_cast<uint8_t *>(*record) +
           ((*record)->kind == CUPTI_ACTIVITY_KIND_RUNTIME
                ? sizeof(CUpti_ActivityAPI)
                : sizeof(CUpti_ActivityKernel10));
  if (next >= buffer + valid)
    return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = reinterpret_cast<CUpti_Activity *>(next);
  return CUPTI_SUCCESS;
}

} // extern "C"
