// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Preloaded into clang: the copy of the process that looks for places crashes.
// Only it turns core files off.
#include <csignal>
#include <sys/resource.h>

extern "C" int setrlimit(__rlimit_resource_t, const rlimit *) noexcept {
  return std::raise(SIGKILL);
}
