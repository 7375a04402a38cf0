# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What counts as a crash of a compiler, and what as a fault of the program."""

from toolchain import crashed

for code, messages in (
    (-11, ""),
    (139, "clang++: error: clang frontend command failed with exit code 139 (use -v to see)"),
    (1, "PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/"),
    (134, 'main.cu(26): internal error: assertion failed at: "cp_gen_be.c", line 22309'),
    (1, "nvcc error   : 'cudafe++' died due to signal 11 (Invalid memory reference)"),
    (1, "main.cpp:3:1: internal compiler error: Segmentation fault"),
):
    assert crashed(code, messages), messages
for code, messages in (
    (0, ""),
    (0, "warning: internal error codes are ignored"),
    (1, "main.cu:3:1: error: use of undeclared identifier 'x'"),
    (124, "not finished after 600 s"),
):
    assert not crashed(code, messages), messages
