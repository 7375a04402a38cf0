// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/experiment/Timing.h"

#include "runtime/cupti/Driver.h"
#include "runtime/support/Clock.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <limits>
#include <pthread.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace autoprof::runtime {

static constexpr uint64_t Never = std::numeric_limits<uint64_t>::max();

static std::atomic<ExperimentReport *> Report{nullptr};
// The launches at which parts begin and end, in turn; then Never.
static uint64_t Bounds[2 * MostParts + 1];
static bool AreChanged[MostParts + 1]; // Parts.
static unsigned NextBound = 0;
static std::atomic<uint64_t> NextLaunch{Never};
static uint64_t Began; // ns; of the part that is open.
// The thread makes a call of ours, which is never changed.
static thread_local bool IsOurs __attribute__((tls_model("initial-exec"))) =
    false;
// Odd: calls are changed; grows.
static std::atomic<unsigned> Phase{0};

void readParts(const char *Parts) {
  unsigned Count = 0;
  unsigned long long From, To;
  int Used = 0;
  while (Parts && Count < 2 * MostParts &&
         sscanf(Parts, "%llu:%llu%n", &From, &To, &Used) == 2) {
    Parts += Used;
    AreChanged[Count / 2] = *Parts == '+';
    Parts += *Parts == '+';
    Parts += *Parts == ',';
    Bounds[Count++] = From;
    Bounds[Count++] = To;
  }
  Bounds[Count] = Never;
  NextLaunch.store(Bounds[0]);
  Phase.store(!Count || AreChanged[0] ? 1 : 0);
}

bool isOurs() { return IsOurs; }

bool isChanging(unsigned &Turn) {
  Turn = Phase.load(std::memory_order_relaxed);
  return Turn % 2 == 1;
}

static void change(bool IsOn) {
  unsigned Now;
  if (isChanging(Now) != IsOn)
    Phase.store(Now + 1);
}

void openReport(const char *Path) {
  const std::string Name = std::string(Path) + '.' + std::to_string(getpid());
  // It may be there already: a process that becomes another program keeps its
  // number.
  const int File =
      open(Name.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
           S_IRUSR | S_IWUSR);
  if (File < 0)
    return;
  void *Mapped = MAP_FAILED;
  if (ftruncate(File, sizeof(ExperimentReport)) == 0)
    Mapped = mmap(nullptr, sizeof(ExperimentReport), PROT_READ | PROT_WRITE,
                  MAP_SHARED, File, 0);
  close(File);
  if (Mapped == MAP_FAILED)
    return;
  auto *R = static_cast<ExperimentReport *>(Mapped);
  R->Kind = ExperimentReport::Valid;
  Report.store(R);
  // A child of a fork cannot use the GPU, and must not count for this process.
  pthread_atfork(nullptr, nullptr, [] { Report.store(nullptr); });
}

void countChanged() {
  if (ExperimentReport *R = Report.load(std::memory_order_relaxed))
    __atomic_fetch_add(&R->Changed, 1, __ATOMIC_RELAXED);
}

// Only one thread gets here with a bound; others may launch meanwhile.
static void reachBound(ExperimentReport &R, uint64_t Launch) {
  IsOurs = true;
  const bool IsIdle = waitForGpu();
  IsOurs = false;
  if (!IsIdle) // A capture forbids it, for example: at the next launch, then.
    return NextLaunch.store(Launch + 1);
  const uint64_t Time = now();
  const unsigned Part = NextBound / 2;
  if (NextBound++ % 2 == 0) {
    Began = Time;
  } else {
    R.Parts[Part] = static_cast<int64_t>(Time - Began);
    change(AreChanged[Part + 1]); // Not after the last part.
  }
  NextLaunch.store(Bounds[NextBound]);
}

void countLaunch() {
  ExperimentReport *R = Report.load(std::memory_order_relaxed);
  if (!R)
    return;
  const uint64_t Before = __atomic_fetch_add(&R->Launches, 1, __ATOMIC_RELAXED);
  uint64_t Bound = NextLaunch.load(std::memory_order_relaxed);
  // Taken, until the next one is known.
  if (Before >= Bound && NextLaunch.compare_exchange_strong(Bound, Never))
    reachBound(*R, Before);
}

} // namespace autoprof::runtime
