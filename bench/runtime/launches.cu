// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the nanoseconds that a launch costs the thread that issues it, with
// empty kernels in bursts that fit the launch queue, each with a probe; and the
// cost of a wait with nothing to wait for. `launches BURSTS WAITS` prints the
// medians over the bursts, then the total cost elsewhere: ms of CPU time of the
// runtime's threads and of others (the driver's, CUPTI's), and the peak memory
// in MiB. run.sh runs it plain and under the runtime's modes in turn.
#include <autoprof/probe.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

__global__ void empty() {}

static long long now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void burst(int launches) {
  AP_RANGE(0x0000000000000002)
  for (int j = 0; j < launches; ++j)
    AP_SITE(0x0000000000000001) empty<<<1, 1>>>();
}

static double wait(int waits) {
  long long start = now();
  for (int j = 0; j < waits; ++j)
    AP_SITE(0x0000000000000003) cudaStreamSynchronize(0);
  return double(now() - start) / waits;
}

static bool isRuntimeThread(int thread) {
  char path[64], name[64] = "";
  snprintf(path, sizeof path, "/proc/self/task/%d/comm", thread);
  if (FILE *file = fopen(path, "r")) {
    if (!fgets(name, sizeof name, file))
      *name = 0;
    fclose(file);
  }
  return !strncmp(name, "autoprof", 8);
}

// CPU time of all threads but this one, in ms.
static void otherThreads(double &ours, double &others) {
  ours = others = 0;
  DIR *tasks = opendir("/proc/self/task");
  while (dirent *entry = tasks ? readdir(tasks) : nullptr) {
    int thread = atoi(entry->d_name);
    timespec t;
    // The kernel's id of the CPU clock of a thread of this process.
    clockid_t clock = ~static_cast<clockid_t>(thread) << 3 | 6;
    if (thread > 0 && thread != getpid() && !clock_gettime(clock, &t))
      (isRuntimeThread(thread) ? ours : others) +=
          t.tv_sec * 1e3 + t.tv_nsec / 1e6;
  }
  if (tasks)
    closedir(tasks);
}

int main(int argc, char **argv) {
  const int bursts = argc > 1 ? atoi(argv[1]) : 200, launches = 500;
  const int waitCount = argc > 2 ? atoi(argv[2]) : 100;
  std::vector<double> cost, waits;
  for (int i = 0; i < bursts + 20; ++i) {
    long long start = now();
    burst(launches);
    long long end = now();
    if (cudaDeviceSynchronize() != cudaSuccess) {
      fprintf(stderr, "launches: CUDA does not work here\n");
      return 2;
    }
    if (i >= 20) { // The first bursts load the module and warm up.
      cost.push_back(double(end - start) / launches);
      waits.push_back(waitCount > 0 ? wait(waitCount) : 0);
    }
  }
  std::sort(cost.begin(), cost.end());
  std::sort(waits.begin(), waits.end());
  // Waits until the last records have been written, too.
  const timespec pause = {0, 300000000};
  nanosleep(&pause, nullptr);
  double ours, others;
  otherThreads(ours, others);
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%.1f %.1f %.2f %.2f %.0f\n", cost[cost.size() / 2],
         waits[waits.size() / 2], ours, others, usage.ru_maxrss / 1024.0);
  return 0;
}

AP_TABLE("0x0000000000000001|launch|32|5|launches.cu|burst|empty;"
         "0x0000000000000002|function|29|1|launches.cu|burst|;"
         "0x0000000000000003|sync|38|5|launches.cu|wait|cudaStreamSynchronize;")
