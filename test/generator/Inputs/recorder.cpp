// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands in for the runtime: writes what probes do to the file that
// AUTOPROF_TEST_EVENTS names, one line each. It begins with the number of the
// thread; then "+" or "-" with the id and the token of a site, "(" or ")" with
// those of a range, or "!" with the name of a fake call and its return address.
// It is linked into the program, whose hooks it sets before any constructor of
// the program runs.
#include "autoprof/probe.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace {
int events() {
  static int File = ::open(std::getenv("AUTOPROF_TEST_EVENTS"),
                           O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
  return File;
}

int thread() {
  static std::atomic<int> Threads;
  static thread_local int Number = ++Threads;
  return Number;
}

std::atomic<unsigned> Written;

template <class... Args> void put(const char *Format, Args... Values) {
  char Line[160];
  int Size = std::snprintf(Line, sizeof Line, Format, thread(), Values...);
  if (++Written > 200000 || ::write(events(), Line, Size) != Size)
    ::_exit(97);
}

unsigned long long token() {
  static std::atomic<unsigned long long> Last;
  return ++Last;
}

unsigned long long beginSite(unsigned long long Id) noexcept {
  const unsigned long long Token = token();
  put("%d + 0x%016llx %llu\n", Id, Token);
  return Token;
}
void endSite(unsigned long long Id, unsigned long long Token) noexcept {
  put("%d - 0x%016llx %llu\n", Id, Token);
}
unsigned long long beginRange(unsigned long long Id) noexcept {
  const unsigned long long Token = token();
  put("%d ( 0x%016llx %llu\n", Id, Token);
  return Token;
}
void endRange(unsigned long long Id, unsigned long long Token) noexcept {
  put("%d ) 0x%016llx %llu\n", Id, Token);
}

const autoprof_hooks Hooks = {sizeof Hooks, beginSite, endSite,
                              beginRange,   endRange,  nullptr};

__attribute__((constructor(101))) void install() { autoprof_hooks_v1 = &Hooks; }
} // namespace

extern "C" void recorder_call(const char *Site, void *Caller) {
  put("%d ! %s %p\n", Site, Caller);
}
