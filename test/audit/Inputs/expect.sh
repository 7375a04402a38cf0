#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# expect.sh CODE COMMAND...: runs it, and fails unless it ends with this code.
want=$1
shift
"$@"
got=$?
[ "$got" = "$want" ] && exit 0
echo "exit code $got instead of $want: $*" >&2
exit 1
