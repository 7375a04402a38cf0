// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures what CUPTI still costs after it was switched off. The arguments are
// carried out in order; after each one, in this process, the launch of an empty
// kernel, the synchronization of an idle stream, and a call that nobody records
// (cudaGetDevice) are timed:
//
//     residue cuda subscribe,setup kernel+,runtime+ kernel-,runtime-
//     unsubscribe
//
// An argument is one or more of the words in act(), joined by commas; those
// before `cuda` are not measured. Prints one line: for each argument, ns per
// launch, per wait, and per other call. residue.py runs the sequences that
// matter, in turn.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cupti.h>
#include <string>
#include <vector>

__global__ void empty() {}

static long long now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

static void measure(const char *done) {
  const int bursts = 60, launches = 500, syncs = 100;
  std::vector<double> cost, waits, others;
  for (int i = 0; i < bursts + 10; ++i) {
    long long start = now();
    for (int j = 0; j < launches; ++j)
      empty<<<1, 1>>>();
    long long issued = now();
    if (cudaDeviceSynchronize() != cudaSuccess) {
      fprintf(stderr, "residue: CUDA does not work here\n");
      exit(2);
    }
    long long idle = now();
    for (int j = 0; j < syncs; ++j)
      cudaStreamSynchronize(0);
    long long waited = now();
    int device;
    for (int j = 0; j < launches; ++j)
      cudaGetDevice(&device);
    long long asked = now();
    if (i < 10)
      continue; // Warms up.
    others.push_back(double(asked - waited) / launches);
    cost.push_back(double(issued - start) / launches);
    waits.push_back(double(waited - idle) / syncs);
  }
  printf("%s %.0f %.0f %.0f ", done, median(cost), median(waits),
         median(others));
  fflush(stdout);
}

static CUpti_SubscriberHandle subscriber;

static void CUPTIAPI ignore(void *, CUpti_CallbackDomain, CUpti_CallbackId,
                            const void *) {}
static uint64_t CUPTIAPI timestamp() { return now(); }

static void CUPTIAPI request(uint8_t **buffer, size_t *size, size_t *records) {
  *size = 1 << 20;
  *buffer = static_cast<uint8_t *>(calloc(*size, 1));
  *records = 0;
}

static void CUPTIAPI complete(CUcontext, uint32_t, uint8_t *buffer, size_t,
                              size_t) {
  free(buffer);
}

static void must(CUptiResult result, const char *what) {
  const char *text = "";
  if (result == CUPTI_SUCCESS)
    return;
  cuptiGetResultString(result, &text);
  fprintf(stderr, "residue: %s: %s\n", what, text);
}
#define MUST(call) must(call, #call)

static void subscribe() { MUST(cuptiSubscribe(&subscriber, ignore, nullptr)); }

static void setByte(CUpti_ActivityAttribute attribute, uint8_t value) {
  size_t size = sizeof value;
  MUST(cuptiActivitySetAttribute(attribute, &size, &value));
}

// The same set-up as the runtime's (runtime/cupti/Cupti.cpp).
static void setup() {
  MUST(cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM));
  setByte(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, 1);
  setByte(CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, 1);
  MUST(cuptiActivityRegisterTimestampCallback(timestamp));
  MUST(cuptiActivityRegisterCallbacks(request, complete));
}

static void callbacks(bool on) {
  MUST(cuptiEnableCallback(on, subscriber, CUPTI_CB_DOMAIN_RESOURCE,
                           CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING));
  MUST(cuptiEnableCallback(on, subscriber, CUPTI_CB_DOMAIN_STATE,
                           CUPTI_CBID_STATE_FATAL_ERROR));
}

// Calls `choose(id)` for the functions whose names begin with one of `names`.
template <typename Choose>
static void functions(CUpti_CallbackDomain in,
                      std::initializer_list<const char *> names,
                      Choose choose) {
  const char *name;
  for (uint32_t id = 1;
       cuptiGetCallbackName(in, id, &name) == CUPTI_SUCCESS && name; ++id)
    for (const char *prefix : names)
      if (!strncmp(name, prefix, strlen(prefix)))
        choose(id);
}

static void noise(bool on) {
  functions(CUPTI_CB_DOMAIN_RUNTIME_API,
            {"cudaGetDevice_", "cudaGetLastError", "cudaPeekAtLastError",
             "cudaDeviceGetAttribute", "__cuda"},
            [&](uint32_t id) { cuptiActivityEnableRuntimeApi(id, on); });
}

static void each(bool on) {
  functions(CUPTI_CB_DOMAIN_RUNTIME_API,
            {"cudaLaunch", "cudaMemcpy", "cudaStreamSynchronize",
             "cudaDeviceSynchronize"},
            [&](uint32_t id) { cuptiActivityEnableRuntimeApi(id, on); });
}

static void driverCalls(bool on) {
  functions(CUPTI_CB_DOMAIN_DRIVER_API,
            {"cuLaunch", "cuMemcpy", "cuMemset", "cuStreamSynchronize",
             "cuCtxSynchronize", "cuMemAlloc", "cuMemFree", "cuModuleLoad"},
            [&](uint32_t id) { cuptiActivityEnableDriverApi(id, on); });
}

static CUcontext context() {
  CUcontext current = nullptr;
  cuCtxGetCurrent(&current);
  return current;
}

static const struct {
  const char *word;
  CUpti_ActivityKind kind;
} kinds[] = {{"kernel", CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL},
             {"memcpy", CUPTI_ACTIVITY_KIND_MEMCPY},
             {"memset", CUPTI_ACTIVITY_KIND_MEMSET},
             {"memcpy2", CUPTI_ACTIVITY_KIND_MEMCPY2},
             {"runtime", CUPTI_ACTIVITY_KIND_RUNTIME},
             {"driver", CUPTI_ACTIVITY_KIND_DRIVER},
             {"sync", CUPTI_ACTIVITY_KIND_SYNCHRONIZATION},
             {"overhead", CUPTI_ACTIVITY_KIND_OVERHEAD},
             {"device", CUPTI_ACTIVITY_KIND_DEVICE},
             {"context", CUPTI_ACTIVITY_KIND_CONTEXT},
             {"stream", CUPTI_ACTIVITY_KIND_STREAM}};

// Carries out one word. WORD+ switches on and WORD- off; CONTEXT.WORD: the kind
// in the current context only.
static bool act(std::string word) {
  const bool on = word.back() == '+', toggles = on || word.back() == '-';
  if (toggles)
    word.pop_back();
  const bool local = word.rfind("context.", 0) == 0;
  for (const auto &k : kinds)
    if (toggles && word == std::string(local ? "context." : "") + k.word) {
      if (local)
        MUST((on ? cuptiActivityEnableContext
                 : cuptiActivityDisableContext)(context(), k.kind));
      else
        MUST((on ? cuptiActivityEnable : cuptiActivityDisable)(k.kind));
      return true;
    }
  if (toggles && word == "noise")
    noise(on);
  else if (toggles && word == "each")
    each(on);
  else if (toggles && word == "driver-calls")
    driverCalls(on);
  else if (toggles && word == "callbacks")
    callbacks(on);
  else if (toggles && word == "polls")
    MUST(cuptiActivityEnableAllSyncRecords(on));
  else if (toggles && word == "domains")
    MUST(cuptiEnableAllDomains(on, subscriber));
  else if (word == "cuda")
    cudaFree(nullptr);
  else if (word == "subscribe")
    subscribe();
  else if (word == "setup")
    setup();
  else if (word == "flush")
    MUST(cuptiActivityFlushAll(0));
  else if (word == "flush-forced")
    MUST(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
  else if (word == "unsubscribe")
    MUST(cuptiUnsubscribe(subscriber));
  else if (word == "finalize")
    MUST(cuptiFinalize());
  else
    return word == "again"; // Only measures.
  return true;
}

int main(int argc, char **argv) {
  bool started = false;
  for (int i = 1; i < argc; ++i) {
    std::string words = argv[i];
    for (size_t begin = 0; begin < words.size();) {
      size_t end = std::min(words.find(',', begin), words.size());
      std::string word = words.substr(begin, end - begin);
      if (!act(word)) {
        fprintf(stderr, "residue: what is %s?\n", word.c_str());
        return 2;
      }
      started |= word == "cuda";
      begin = end + 1;
    }
    if (started)
      measure(argv[i]);
  }
  printf("\n");
  return 0;
}
