// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens a library (argv[1]) while other threads read the environment all the
// time ("threads"), or before there are any ("alone"). Says whether that has
// changed the environment. Then uses CUDA.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <dlfcn.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern "C" int cudaMemcpy(void *, const void *, size_t, int);

static std::atomic<bool> done{false};

static void readEnvironment() {
  while (!done)
    if (getenv("NO_SUCH_VARIABLE"))
      abort();
}

static void open(const char *path) {
  char **before = environ;
  if (!dlopen(path, RTLD_NOW))
    printf("%s\n", dlerror());
  printf("%s\n", environ == before ? "same" : "changed");
  printf("CUDA_INJECTION64_PATH %s\n",
         getenv("CUDA_INJECTION64_PATH") ? "set" : "not set");
  printf("NVTX_INJECTION64_PATH %s\n",
         getenv("NVTX_INJECTION64_PATH") ? "set" : "not set");
}

int main(int, char **argv) {
  std::vector<std::thread> threads;
  const unsigned count = strcmp(argv[2], "threads") == 0 ? 4 : 0;
  for (unsigned i = 0; i < count; ++i)
    threads.emplace_back(readEnvironment);
  open(argv[1]);
  done = true;
  for (std::thread &thread : threads)
    thread.join();
  cuInit(0);
  cudaMemcpy(nullptr, nullptr, 4, 2);
  fflush(stdout);
  return 7;
}
