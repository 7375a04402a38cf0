// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forks while another thread hangs in CUPTI, which it asked to record. Prints
// whether the fork took long, and how the child ended.
#include <autoprof/autoprof.h>
#include <autoprof/probe.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static int work() { return AP_SITE(0x00000000000000bb) getpid(); }

int main() {
  cuInit(0);
  work();
  setenv("FAKE_HANGS", "1", 1);
  std::thread([] { autoprof_start(); }).detach();
  usleep(300000);
  alarm(20);
  const auto begin = std::chrono::steady_clock::now();
  pid_t child = fork();
  if (child == 0) {
    alarm(10);
    work();
    autoprof_start();
    autoprof_step();
    autoprof_stop();
    _exit(3);
  }
  const auto took = std::chrono::steady_clock::now() - begin;
  printf("%s\n", took < std::chrono::seconds(5) ? "forked" : "slow");
  int status = 0;
  waitpid(child, &status, 0);
  printf("child: exit %d, signal %d\n", WEXITSTATUS(status), WTERMSIG(status));
  fflush(stdout);
  _exit(7);
}

AP_TABLE("0x00000000000000bb|copy|16|28|src/fork-stuck.cpp|work|getpid;")
