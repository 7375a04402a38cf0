/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Opens ROCTX for itself, as a program with an optional dependency does. */
#include <dlfcn.h>
#include <stddef.h>

__attribute__((constructor)) static void open_roctx(void) {
  if (dlopen("./librocprofiler-sdk-roctx.so", RTLD_NOW | RTLD_LOCAL) == NULL)
    __builtin_trap();
}
