// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <autoprof/probe.h>

static void moduleCall() {}

extern "C" void moduleWork() { AP_SITE(0x00000000000000f1) moduleCall(); }

AP_TABLE("0x00000000000000f1|copy|7|3|src/module.cpp|moduleWork|moduleCall;")
