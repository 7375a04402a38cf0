#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# expect.sh CODE COMMAND...: whether the command ends with this exit code.
code=$1
shift
"$@"
status=$?
test "$status" = "$code" || { echo "exit code $status, not $code" >&2; exit 1; }
