// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks are to be had also while a thread in the middle of taking one does not
// run: on a busy machine that may last milliseconds.
#include "runtime/probes/ProbePool.h"
#include "runtime/support/Memory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <sched.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace autoprof::runtime;

namespace {

// All threads on one core: whoever is preempted in the middle has the others
// come to it.
void stayOnOneCore() {
  cpu_set_t Allowed, One;
  ASSERT_EQ(sched_getaffinity(0, sizeof Allowed, &Allowed), 0);
  int Core = 0;
  while (!CPU_ISSET(Core, &Allowed))
    ++Core;
  CPU_ZERO(&One);
  CPU_SET(Core, &One);
  ASSERT_EQ(sched_setaffinity(0, sizeof One, &One), 0);
}

TEST(ProbePool, NoBlockIsRefusedOnABusyMachine) {
  setMemoryLimit(64u << 20);
  std::atomic<uint64_t> Refused{0}, Taken{0};
  std::vector<std::thread> Threads;
  auto Until =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
  for (int I = 0; I < 16; ++I)
    Threads.emplace_back([&] {
      stayOnOneCore();
      while (std::chrono::steady_clock::now() < Until) {
        Block *B = takeBlock();
        ThreadLog *Log = takeLog();
        ++(B && Log ? Taken : Refused);
        if (B)
          giveBack(B);
        if (Log)
          giveBack(Log);
      }
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_GT(Taken.load(), 0u);
  EXPECT_EQ(Refused.load(), 0u);
}

TEST(ProbePool, WhatIsGivenBackIsUsedAgain) {
  setMemoryLimit(64u << 20);
  Block *B = takeBlock();
  ASSERT_TRUE(B);
  B->Count.store(5);
  giveBack(B);
  Block *Again = takeBlock();
  EXPECT_EQ(Again, B);
  EXPECT_EQ(Again->Count.load(), 0u);
  EXPECT_EQ(Again->Next.load(), nullptr);
  giveBack(Again);
}

// A limit that is less than what the system gives would not be one.
TEST(ProbePool, ABlockTakesWholePages) {
  const auto Page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  uint64_t Limit = 0;
  do
    setMemoryLimit(Limit += Page);
  while (!allocateBlock(1, false));
  EXPECT_FALSE(allocateBlock(1, false));
  setMemoryLimit(Limit + Page);
  EXPECT_TRUE(allocateBlock(1, false));
  setMemoryLimit(256u << 20);
}

} // namespace
