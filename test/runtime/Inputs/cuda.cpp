// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that uses the CUDA driver, or does not; argv[1] says which.
#include <autoprof/probe.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static int call() { return 0; }

static void probe() { AP_SITE(0x0000000000000001) call(); }

static int initialize(void *driver) {
  auto init = reinterpret_cast<int (*)(unsigned)>(
      driver ? dlsym(driver, "cuInit") : nullptr);
  return init ? init(0) : -1;
}

static void useCuda() {
  printf("cuInit %d\n", initialize(dlopen("libcuda.so.1", RTLD_NOW)));
  for (int i = 0; i < 10; ++i) {
    probe();
    usleep(100000);
  }
}

// Runs `what` in a child: as its debugger, or only to wait for it.
static void inChild(bool traced, void (*what)()) {
  fflush(stdout);
  if (fork() == 0) {
    if (traced)
      ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    what();
    fflush(stdout);
    exit(4);
  }
  int status = 0;
  wait(&status);
  printf("child %d\n", WEXITSTATUS(status));
}

int main(int, char **argv) {
  auto is = [argv](const char *what) { return strcmp(argv[1], what) == 0; };
  if (is("use"))
    useCuda();
  else if (is("no-probes"))
    printf("cuInit %d\n", initialize(dlopen("libcuda.so.1", RTLD_NOW)));
  else if (is("load"))
    dlopen("libcuda.so.1", RTLD_NOW);
  else if (is("fork"))
    inChild(false, useCuda);
  else if (is("debugged"))
    inChild(true, useCuda);
  return 5;
}

AP_TABLE("0x0000000000000001|copy|16|5|src/cuda.cpp|probe|call;")
