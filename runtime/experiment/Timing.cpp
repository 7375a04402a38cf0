// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/experiment/Timing.h"

#include "runtime/experiment/Driver.h"
#include "runtime/support/Clock.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <limits>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace autoprof::runtime {

static constexpr uint64_t Never = std::numeric_limits<uint64_t>::max();

static std::atomic<ExperimentReport *> Report{nullptr};
// The launches at which parts begin and end, in turn; then Never.
static uint64_t Bounds[2 * MostParts + 1];
static std::atomic<unsigned> NextBound{0};
static std::atomic<uint64_t> NextLaunch{Never};
static uint64_t Began; // ns; of the part that is open.
// Odd: calls are changed; grows.
static std::atomic<unsigned> Phase{0};

void readParts(const char *Parts) {
  unsigned Count = 0;
  unsigned long long From, To;
  int Used = 0;
  while (Parts && Count < 2 * MostParts &&
         sscanf(Parts, "%llu:%llu%n", &From, &To, &Used) == 2) {
    Bounds[Count++] = From;
    Bounds[Count++] = To;
    Parts += Used;
    Parts += *Parts == ',';
  }
  Bounds[Count] = Never;
  NextLaunch.store(Bounds[0]);
  Phase.store(Count ? 0 : 1);
}

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
  const int File = open(Name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
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
}

ExperimentReport *report() { return Report.load(std::memory_order_relaxed); }

// Only one thread gets here with a bound; others may launch meanwhile.
static void reachBound(ExperimentReport &R, unsigned Index) {
  AUTOPROF_DRIVER(cuCtxSynchronize, );
  const uint64_t Time = now();
  if (Index % 2 == 0) {
    Began = Time;
  } else {
    R.Parts[Index / 2] = static_cast<int64_t>(Time - Began);
    // After the last part, the program is as it was.
    change(Bounds[Index + 1] != Never && isChangedPart(Index / 2 + 1));
  }
  NextLaunch.store(Bounds[Index + 1]);
}

void countLaunch() {
  ExperimentReport *R = report();
  if (!R)
    return;
  const uint64_t Before = __atomic_fetch_add(&R->Launches, 1, __ATOMIC_RELAXED);
  uint64_t Bound = NextLaunch.load(std::memory_order_relaxed);
  // Taken, until the next one is known.
  if (Before >= Bound && NextLaunch.compare_exchange_strong(Bound, Never))
    reachBound(*R, NextBound.fetch_add(1));
}

} // namespace autoprof::runtime
