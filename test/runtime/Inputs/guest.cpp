// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program with probes that does to itself, in the middle, what a recorder
// has to put up with; argv[1] says what.
#include <autoprof/probe.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int value(int i) { return i * i; }

static int work(int i) {
  AP_RANGE(0x00000000000000aa)
  return AP_SITE(0x00000000000000bb) value(i);
}

// Long enough for a few writes of the trace.
static void many() {
  for (int i = 0; i < 300; ++i) {
    for (int j = 0; j < 30; ++j)
      work(j);
    usleep(1000);
  }
}

static volatile sig_atomic_t alarms = 0;

static void storm() {
  struct sigaction action = {};
  action.sa_handler = [](int) {
    ++alarms;
    work(1);
  };
  sigaction(SIGALRM, &action, nullptr);
  itimerval often = {{0, 100}, {0, 100}};
  setitimer(ITIMER_REAL, &often, nullptr);
}

static void calm() {
  itimerval never = {};
  setitimer(ITIMER_REAL, &never, nullptr);
}

static void vforkChild(const char *self) {
  const pid_t child = vfork();
  if (child == 0) {
    work(1);
    execl(self, self, "child", nullptr);
    _exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("child's status %d\n", WEXITSTATUS(status));
}

// Its own files take the numbers 0 to 2.
static std::string ownFiles() {
  fflush(stdout);
  const int out = dup(1);
  for (int i = 0; i < 3; ++i)
    close(i);
  for (int i = 0; i < 3; ++i)
    if (open(("own" + std::to_string(i)).c_str(), O_CREAT | O_TRUNC | O_RDWR,
             0600) != i)
      return "others";
  many();
  std::string sizes;
  for (int i = 0; i < 3; ++i) {
    struct stat status;
    fstat(i, &status);
    sizes += std::to_string(status.st_size) + " ";
  }
  dup2(out, 1);
  return sizes;
}

int main(int, char **argv) {
  auto is = [argv](const char *what) { return strcmp(argv[1], what) == 0; };
  const rlimit none = {1 << 20, 1 << 20};
  if (is("no-memory"))
    setrlimit(RLIMIT_AS, &none);
  work(1);
  if (is("storm"))
    storm();
  if (!is("child"))
    many();
  if (is("vfork"))
    vforkChild(argv[0]);
  if (is("system"))
    printf("system %d\n", system("exit 3"));
  if (is("own-files"))
    printf("%s\n", ownFiles().c_str());
  if (is("drop"))
    printf("drop %d\n", setgid(65534) | setuid(65534));
  if (is("chroot"))
    printf("chroot %d\n", chroot("jail") | chdir("/"));
  if (is("few-files")) {
    rlimit few = {10, 10};
    setrlimit(RLIMIT_NOFILE, &few);
  }
  if (is("no-more-memory"))
    setrlimit(RLIMIT_AS, &none);
  if (!is("child"))
    many();
  calm();
  printf("done %d\n", alarms > 100);
  return 7;
}

AP_TABLE("0x00000000000000aa|function|21|1|src/guest.cpp|work|;"
         "0x00000000000000bb|copy|23|10|src/guest.cpp|work|value;")
