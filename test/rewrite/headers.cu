// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_rewrite -- -fplugin-arg-autoprof-exclude-files=*excluded*
#include "Inputs/buffer.h"
#include "Inputs/excluded.h"
#include "Inputs/buffer.h"

#define T float
#include "Inputs/typed.inc"
#undef T
#define T double
#include "Inputs/typed.inc"
#undef T

#include <cstdio>

int main() {
  Buffer b(4);
  copy_float(b.data);
  copy_double(b.data);
  excluded();
  std::printf("%d\n", 1);
}
