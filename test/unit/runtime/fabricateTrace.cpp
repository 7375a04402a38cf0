// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fabricateTrace FILE: a trace of fabricated CUPTI records and probes, which
// test/runtime/fabricated.test decodes.
#include "Fabricated.h"
#include "runtime/probes/Sites.h"
#include "runtime/support/Clock.h"

#include <cstdio>
#include <unistd.h>

using namespace autoprof::runtime;
using namespace fabricated;

static void feed(Trace &T, ActivityDecoder &D, uint64_t Zero) {
  const uint32_t Main = static_cast<uint32_t>(getpid()), Other = Main + 1;
  const CUpti_ActivityKind Runtime = CUPTI_ACTIVITY_KIND_RUNTIME;
  auto At = [Zero](uint64_t Us) { return Zero + Us * 1000; };
  decode(D, stream(13, 1, CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING));
  decode(D, device());
  decode(D, context(1, 7));
  decode(D, stream(14, 1, CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT));
  decode(D, api(Runtime, 1, Main, At(10), At(13), 1));
  decode(D, kernel("_Z4stepPfi", 13, At(20), At(120), 1));
  decode(D, api(Runtime, 1, Main, At(14), At(16), 2));
  decode(D, kernel("_Z4stepPfi", 13, At(120), At(220), 2));
  KernelRecord Node = kernel("extern_c_kernel", 14, At(130), At(140), 9);
  Node.graphId = 4;
  decode(D, Node);
  decode(D, api(Runtime, 2, Main, At(17), At(230), 3));
  decode(D, api(CUPTI_ACTIVITY_KIND_DRIVER, 1, Main, At(18), At(229), 4));
  decode(D, copy(CUPTI_ACTIVITY_MEMCPY_KIND_DTOH,
                 CUPTI_ACTIVITY_MEMORY_KIND_DEVICE,
                 CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE, 4, At(221), At(228), 3));
  decode(D, set(CUPTI_ACTIVITY_MEMORY_KIND_DEVICE, 4096, At(240), At(241), 5));
  decode(D, api(Runtime, 3, Other, At(5), At(300), 6));
  T.synchronization({CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE, 1,
                     13, At(6), At(299), 6});
  T.synchronization({CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE, 1,
                     ~0u, At(6), At(6), 0});
  decode(D, overhead(CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL, Main, At(7),
                     At(8)));
  // 3 MiB on the device at most, of which 2 stay; and pinned memory.
  const auto Allocate = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION,
             Release = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE;
  const auto OnDevice = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  decode(D, api(Runtime, 4, Main, At(260), At(265), 7));
  decode(D, api(Runtime, 4, Main, At(270), At(275), 8));
  decode(D, memory(Allocate, OnDevice, 0x7000, 1 << 20, At(261), 7));
  decode(D, memory(Allocate, OnDevice, 0x9000, 2 << 20, At(271), 8));
  decode(D, memory(Allocate, CUPTI_ACTIVITY_MEMORY_KIND_PINNED, 0x1000, 64,
                   At(272), 0));
  decode(D, memory(Release, OnDevice, 0x7000, 1 << 20, At(280), 0));
  T.probe(Main, 0xb2, At(17) - 100, At(230) + 100);
  T.probe(Main, 0xb1, At(9), At(250));
  T.probe(Main, 0xdead, At(251), At(252));
}

int main(int, char **Arguments) {
  uint64_t Zero = now();
  Output File;
  if (!File.open(Arguments[1]))
    return 2;
  const char *Rows = "0x00000000000000b1|loop|10|3|src/a.cu|train|;"
                     "0x00000000000000b2|copy|12|5|src/a.cu|train|cudaMemcpy;";
  addSites(Rows);
  Trace T(File, identifyProcess(), Zero);
  T.metadata("process", "{\"schema\":\"autoprof-trace/1\",\"pid\":1,\"mode\":"
                        "\"full\",\"cupti\":{\"state\":\"ok\"}}");
  T.metadata("sites", std::string("{\"rows\":\"") + Rows + "\"}");
  Layout Records;
  Layout::of(130001, Records);
  ActivityDecoder D(T, Records, functionName);
  feed(T, D, Zero);
  T.clockSnapshot();
  T.metadata("end", "{\"reason\":\"exit\",\"wall_ns\":1}");
  return T.flush() ? 0 : 1;
}
