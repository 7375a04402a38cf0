// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The baseline to which bench/runtime/run.sh compares the runtime: CUPTI alone,
// with kernel and runtime activity (with BARE_KERNELS in the environment,
// kernels only; with BARE_GRAPHS, also launches of graphs as a whole), dropping
// every record. Loaded by CUDA_INJECTION64_PATH.
#include <cstdlib>
#include <cupti.h>

static void CUPTIAPI request(uint8_t **buffer, size_t *size, size_t *records) {
  *size = 4 << 20;
  *buffer = static_cast<uint8_t *>(aligned_alloc(8, *size));
  *records = 0;
}

static void CUPTIAPI complete(CUcontext, uint32_t, uint8_t *buffer, size_t,
                              size_t) {
  free(buffer);
}

extern "C" int InitializeInjection() {
  CUpti_SubscriberHandle subscriber;
  cuptiSubscribe(
      &subscriber,
      [](void *, CUpti_CallbackDomain, CUpti_CallbackId, const void *) {},
      nullptr);
  cuptiActivityRegisterCallbacks(request, complete);
  cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  if (getenv("BARE_GRAPHS"))
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
  if (!getenv("BARE_KERNELS"))
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_RUNTIME);
  return 1;
}
