#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# stacks.sh AUTOPROF PYTHON NAME PROGRAM [ARGUMENT...]: records NAME.pftrace with the
# stand-ins of this folder, with stacks, and lists the sites of its report.
# Each copy waits for a kernel.
autoprof=$1 python=$2 name=$3
shift 3
LD_LIBRARY_PATH=. FAKE_CUPTI=launches FAKE_WAITS=1 "$autoprof" run --stacks -o "$name.pftrace" -- "$@"
echo "status $?"
"$python" "$(dirname "$0")/sites.py" "$autoprof" "$name.pftrace"
