// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program whose threads come and go and launch all the time, for
// ThreadSanitizer. argv[1] says what happens meanwhile: "nothing", "windows"
// (recording is switched on and off), "dumps" (of the ring), "forks", "late"
// (the runtime, argv[2], is opened only now), "ends" (it exits while they run).
// Prints how many launches and copies there were.
#include <autoprof/autoprof.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

static std::atomic<bool> endless{false};

static void step() {
  AP_RANGE(0x00000000000000aa)
  AP_SITE(0x00000000000000bb)
  cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
  AP_SITE(0x00000000000000cc)
  cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault);
}

static void work(int steps) {
  for (int i = 0; i < steps || endless; ++i)
    step();
}

constexpr int generations = 5, threadsOfOne = 6, steps = 60;

static void runThreads() {
  for (int generation = 0; generation < generations; ++generation) {
    std::vector<std::thread> threads;
    for (int i = 0; i < threadsOfOne; ++i)
      threads.emplace_back(work, steps);
    for (std::thread &thread : threads)
      thread.join();
  }
}

// CUDA does not work in a child, but probes may be hit there.
static void forkOnce() {
  pid_t child = fork();
  if (child == 0) {
    AP_SITE(0x00000000000000cc) getpid();
    autoprof_step();
    _exit(3);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 3)
    fprintf(stderr, "a child ended with %d\n", status);
}

int main(int, char **argv) {
  auto is = [argv](const char *what) { return strcmp(argv[1], what) == 0; };
  cuInit(0);
  std::atomic<bool> done{false};
  endless = is("ends");
  if (endless) {
    for (int i = 0; i < threadsOfOne; ++i)
      std::thread(work, steps).detach();
    usleep(1500000);
    return 7;
  }
  std::thread workers([&done] {
    runThreads();
    done = true;
  });
  if (is("late") && !dlopen(argv[2], RTLD_NOW))
    fprintf(stderr, "%s\n", dlerror());
  while (!done) {
    if (is("windows")) {
      autoprof_start();
      usleep(3000);
      autoprof_stop();
    } else if (is("forks")) {
      forkOnce();
    }
    usleep(2000);
  }
  workers.join();
  printf("steps %d\n", generations * threadsOfOne * steps);
  return 7;
}

AP_TABLE("0x00000000000000aa|function|24|1|src/session-race.cpp|step|;"
         "0x00000000000000bb|launch|26|3|src/session-race.cpp|step|k;"
         "0x00000000000000cc|copy|29|3|src/session-race.cpp|step|cudaMemcpy;")
