// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program with hand-written probes and no CUDA; argv[1] says what it does.
#include <autoprof/probe.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static int value(int i) { return i * i; }

static int work(int i) {
  AP_RANGE(0x00000000000000aa)
  return AP_SITE(0x00000000000000bb) value(i);
}

static int many(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += work(i) & 1;
  return sum;
}

struct AtExit {
  ~AtExit() { work(1); } // Probes after the runtime's own exit handler.
};
static AtExit late;
static thread_local AtExit perThread;

// ThreadSanitizer, which takes it for a race if several threads use a
// descriptor, does not see system calls.
static void closeAny(int descriptor) { syscall(SYS_close, descriptor); }

static void forkChild() {
  many(10);
  fflush(stdout);
  if (fork() == 0) {
    many(1000);
    printf("child\n");
    exit(3);
  }
  int status = 0;
  wait(&status);
  printf("child's status %d\n", WEXITSTATUS(status));
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "five";
  auto is = [what](const char *name) { return strcmp(what, name) == 0; };
  (void)&perThread;
  if (is("five")) {
    errno = 4711; // A probe must not touch it.
    int sum = many(5), kept = errno;
    printf("%d, errno %d\n", sum, kept);
  } else if (is("many"))
    printf("%d\n", many(30000));
  else if (is("none"))
    printf("none\n");
  else if (is("threads")) {
    for (int i = 0; i < 20; ++i)
      std::thread([] { many(100); }).join();
  } else if (is("fork")) {
    forkChild();
  } else if (is("fork-first")) {
    fflush(stdout);
    if (fork() == 0) {
      many(5);
      exit(3);
    }
    wait(nullptr);
  } else if (is("exec")) { // A program of its own begins anew.
    many(5);
    fflush(stdout);
    if (fork() == 0) {
      execl("./host", "./host", "five", nullptr);
      _exit(1);
    }
    wait(nullptr);
    many(5);
  } else if (is("steady")) { // 3 s.
    for (int i = 0; i < 2500; ++i) {
      many(20);
      usleep(1000);
    }
  } else if (is("endless")) {
    for (;;) {
      many(100);
      usleep(1000);
    }
  } else if (is("pause")) {
    many(5);
    usleep(600000);
    many(5);
  } else if (is("exit-in-thread")) {
    many(5);
    std::thread([] { exit(11); }).join();
  } else if (is("_exit")) {
    many(5);
    _exit(12);
  } else if (is("quick_exit")) {
    many(5);
    quick_exit(13);
  } else if (is("abort")) {
    many(5);
    usleep(600000);
    abort();
  } else if (is("close-all")) {
    many(5);
    usleep(400000);
    for (int i = 3; i < 1024; ++i)
      closeAny(i);
    many(5);
    usleep(400000);
  } else if (is("close-stderr")) { // A file of ours becomes number 2.
    many(5);
    usleep(400000); // Until the recorder has started, for which it opens files.
    for (int i = 2; i < 1024; ++i)
      closeAny(i);
    if (syscall(SYS_openat, AT_FDCWD, "theirs", O_CREAT | O_TRUNC | O_WRONLY,
                0600) != 2)
      return 3;
    usleep(400000);
    many(5);
    usleep(400000);
  } else if (is("descriptors")) {
    many(5);
    usleep(400000);
    printf("next descriptor %d\n", dup(0));
  } else {
    return 2;
  }
  return 7;
}

AP_TABLE("0x00000000000000aa|function|18|1|src/host.cpp|work|;"
         "0x00000000000000bb|copy|20|10|src/host.cpp|work|value;")
