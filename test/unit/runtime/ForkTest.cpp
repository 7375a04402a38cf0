// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forks of a program while another thread keeps one of the mutexes that a fork
// takes. Each program is a child of the test's, because a process has one
// runtime.
#include "runtime/Loading.h"
#include "runtime/control/Recorder.h"
#include "runtime/control/Window.h"
#include "runtime/probes/Modules.h"
#include "runtime/probes/Probes.h"
#include "runtime/probes/UserNvtx.h"
#include "runtime/support/ForkLock.h"

#include <chrono>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace autoprof::runtime;
using std::chrono::seconds;
using std::chrono::steady_clock;

namespace {

enum : int { Whole = 10, Left = 11, Slow = 12, Killed = 13 };

// What the child of a fork may ask for; a mutex that is held would stop it.
[[noreturn]] void useRuntime() {
  alarm(10);
  scanModules(probeHooks());
  takeNewTables();
  nvtxDomainName(1);
  openWindow();
  nextStep();
  countedSteps();
  closeWindow();
  _exit(isFinished() ? Left : Whole);
}

[[noreturn]] void forkWhileHeld(ForkMutex *(*Mutex)()) {
  alarm(30);
  setenv("AUTOPROF_OUTPUT", "/nonexistent/%p", 1);
  onLoad();
  if (ForkMutex *M = Mutex()) {
    std::atomic<bool> Held{false};
    std::thread([M, &Held] {
      Held = M->pause(steady_clock::now() + seconds(5));
      for (;;)
        pause();
    }).detach();
    while (!Held)
      usleep(1000);
  }
  const auto Begin = steady_clock::now();
  const pid_t Child = fork();
  if (Child == 0)
    useRuntime();
  const auto Took = steady_clock::now() - Begin;
  int Status = 0;
  waitpid(Child, &Status, 0);
  if (Took > seconds(4))
    _exit(Slow);
  _exit(WIFEXITED(Status) ? WEXITSTATUS(Status) : Killed);
}

int statusOf(ForkMutex *(*Mutex)()) {
  const pid_t Program = fork();
  if (Program == 0)
    forkWhileHeld(Mutex);
  int Status = 0;
  waitpid(Program, &Status, 0);
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : Killed;
}

} // namespace

TEST(Fork, TheChildOfAnIdleProcessMayRecord) {
  EXPECT_EQ(statusOf([]() -> ForkMutex * { return nullptr; }), Whole);
}

TEST(Fork, DoesNotWaitForAScanOfModules) {
  EXPECT_EQ(statusOf([] { return &scanMutex(); }), Left);
}

TEST(Fork, DoesNotWaitForNvtxNames) {
  EXPECT_EQ(statusOf([] { return &nvtxNamesMutex(); }), Left);
}

TEST(Fork, DoesNotWaitForTheWindow) {
  EXPECT_EQ(statusOf([] { return &windowMutex(); }), Left);
}
