// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands in for the runtime in the tests of this folder: writes each begin and
// end of a probe to the file that AUTOPROF_TEST_EVENTS names, "+id" and "-id",
// and checks on each thread that probes nest. It is linked into the program,
// whose hooks it sets before any constructor of the program runs.
#include "autoprof/probe.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {
std::FILE *events() {
  static std::FILE *File = std::fopen(std::getenv("AUTOPROF_TEST_EVENTS"), "w");
  return File;
}

std::vector<unsigned long long> &open() {
  static thread_local auto *Open = new std::vector<unsigned long long>;
  return *Open;
}

unsigned long long begin(unsigned long long Id) noexcept {
  std::fprintf(events(), "+0x%016llx\n", Id);
  std::fflush(events());
  open().push_back(Id);
  return open().size();
}

void end(unsigned long long Id, unsigned long long Token) noexcept {
  std::fprintf(events(), "-0x%016llx\n", Id);
  std::fflush(events());
  if (open().empty() || open().back() != Id || Token != open().size()) {
    std::fprintf(events(), "0x%016llx does not nest\n", Id);
    std::fflush(events());
    std::abort();
  }
  open().pop_back();
}

const autoprof_hooks Hooks = {sizeof Hooks, begin, end, begin, end};

__attribute__((constructor(101))) void install() { autoprof_hooks_v1 = &Hooks; }
} // namespace
