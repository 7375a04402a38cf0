// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that is linked with the driver, and also searches all libraries for
// one of its functions: five steps with a launch, and two waits at a site.
#include <autoprof/probe.h>

#include <chrono>
#include <cstdio>
#include <cuda.h>
#include <dlfcn.h>

int main() {
  auto found = (CUresult(*)(CUstream))dlsym(RTLD_DEFAULT, "cuStreamSynchronize");
  std::chrono::duration<double, std::milli> waited{0};
  int value = 0;
  for (int step = 0; step < 5; ++step) {
    cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
    const auto start = std::chrono::steady_clock::now();
    {
      autoprof::site_scope site(0xabc);
      if (found(nullptr) || cuStreamSynchronize(nullptr))
        return 4;
    }
    waited += std::chrono::steady_clock::now() - start;
    cuMemcpyDtoH(&value, 0, sizeof value);
    printf("%d ", value);
  }
  printf("\n%s\n", waited.count() > 45 ? "waited" : "did not wait");
}

AP_TABLE("0x0000000000000abc|sync|23|1|linked.cpp|main|call;")
