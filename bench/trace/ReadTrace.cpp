// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures reading one trace, and then analysing it; for bench.sh.
//   autoprof-read-trace TRACE
// An event is a row of the Timeline: a host slice or a GPU operation. Seconds
// are CPU time of the process. Memory is the peak of the process's own memory
// (RssAnon), without the pages of the mapped file, which the kernel can reclaim
// at any time.
#include "analysis/Analysis.h"
#include "trace/Load.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>

using namespace autoprof;

namespace {

double cpuSeconds() {
  timespec T{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &T);
  return double(T.tv_sec) + 1e-9 * double(T.tv_nsec);
}

uint64_t ownBytes() {
  auto Text = llvm::MemoryBuffer::getFileAsStream("/proc/self/status");
  uint64_t Kilobytes = 0;
  if (Text) {
    llvm::StringRef Line =
        (*Text)->getBuffer().split("RssAnon:").second.ltrim();
    Line.consumeInteger(10, Kilobytes);
  }
  return Kilobytes * 1024;
}

/// Samples every 5 ms.
class Peak {
  std::atomic<uint64_t> Highest{0};
  std::atomic<bool> Done{false};
  std::thread Watcher{[this] {
    while (!Done) {
      Highest = std::max<uint64_t>(Highest, ownBytes());
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }};

public:
  ~Peak() {
    Done = true;
    Watcher.join();
  }
  uint64_t bytes() const { return Highest; }
};

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: autoprof-read-trace TRACE\n";
    return 2;
  }
  Peak Memory;
  const double Start = cpuSeconds();
  llvm::Expected<trace::Timeline> T = trace::load(argv[1]);
  if (!T) {
    llvm::errs() << llvm::toString(T.takeError()) << '\n';
    return 2;
  }
  const double Events = double(T->Host.size() + T->Ops.size());
  auto Say = [&](const char *What, double Seconds) {
    llvm::outs() << What
                 << llvm::format(": %.2f s of CPU, %.2f M events/s, at most "
                                 "%.0f MB = %.1f B/event\n",
                                 Seconds, Events / Seconds / 1e6,
                                 double(Memory.bytes()) / 1e6,
                                 double(Memory.bytes()) / Events);
    llvm::outs().flush();
  };
  llvm::outs() << uint64_t(Events) << " events\n";
  Say("read", cpuSeconds() - Start);
  llvm::Expected<analysis::Result> R = analysis::analyse(*T);
  if (!R) {
    llvm::errs() << llvm::toString(R.takeError()) << '\n';
    return 2;
  }
  Say("read and analysed", cpuSeconds() - Start);
}
