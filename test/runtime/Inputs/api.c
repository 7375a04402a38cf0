/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A program that says itself what is recorded: 20 steps, of which it wants
 * those from 5 to 9 if argv[1] is "starts". It launches in each, if there is a
 * driver. Compiles as C90 and as C++11 and later. */
#define _GNU_SOURCE 1
#include <autoprof/autoprof.h>

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef int (*launch_function)(void *, unsigned, unsigned, unsigned, unsigned,
                               unsigned, unsigned, unsigned, void *, void **,
                               void **);

static launch_function prepare(void) {
  launch_function launch = 0;
  int (*init)(unsigned) = 0;
  void *driver = dlopen("libcuda.so.1", RTLD_NOW), *symbol;
  if (!driver)
    return launch;
  symbol = dlsym(driver, "cuInit");
  memcpy(&init, &symbol, sizeof symbol);
  symbol = dlsym(driver, "cuLaunchKernel");
  memcpy(&launch, &symbol, sizeof symbol);
  init(0);
  return launch;
}

int main(int argc, char **argv) {
  int starts = argc > 1 && strcmp(argv[1], "starts") == 0, i, recorder = 0;
  launch_function launch = prepare();
  errno = 4711;
  for (i = 0; i < 20; ++i) {
    if (starts && i == 5)
      recorder += autoprof_start();
    if (starts && i == 10)
      recorder += autoprof_stop();
    recorder += autoprof_step();
    if (launch)
      launch(0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0);
  }
  fprintf(stderr, "recorder %s\n",
          recorder == 0                 ? "absent"
          : recorder == 20 + 2 * starts ? "there"
                                        : "?");
  printf("errno %d\n", errno);
  return 7;
}
