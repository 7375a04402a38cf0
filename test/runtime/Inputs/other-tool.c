// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int InitializeInjection(void) { return 42; }
