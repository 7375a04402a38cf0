// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens a library (argv[1]) between probes. If it has a function moduleWork,
// calls it until the runtime has found it.
#include <autoprof/probe.h>

#include <cstdio>
#include <dlfcn.h>
#include <unistd.h>

static int call(int i) { return i; }

static void probe(int times) {
  for (int i = 0; i < times; ++i)
    AP_SITE(0x0000000000000001) call(i);
}

int main(int, char **argv) {
  probe(2);
  void *library = dlopen(argv[1], RTLD_NOW);
  if (!library) {
    printf("%s\n", dlerror());
    return 1;
  }
  probe(3);
  auto work = reinterpret_cast<void (*)()>(dlsym(library, "moduleWork"));
  for (int i = 0; work && i < 50; ++i) {
    work();
    usleep(20000);
  }
  return 0;
}

AP_TABLE("0x0000000000000001|copy|16|5|src/late.cpp|probe|call;")
