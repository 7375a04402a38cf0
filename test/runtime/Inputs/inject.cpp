// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does what the CUDA driver does in cuInit: opens the library named by
// CUDA_INJECTION64_PATH and calls its InitializeInjection.
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

int main() {
  const char *path = getenv("CUDA_INJECTION64_PATH");
  void *library = path ? dlopen(path, RTLD_NOW) : nullptr;
  auto initialize = reinterpret_cast<int (*)()>(
      library ? dlsym(library, "InitializeInjection") : nullptr);
  printf("injection %d\n", initialize ? initialize() : -1);
  usleep(500000);
  return 5;
}
