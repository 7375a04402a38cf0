#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# pauses.sh AUTOPROF PYTHON NAME OPTION PROGRAM [ARGUMENT...]: records NAME.pftrace
# with the stand-ins of this folder, and counts where calls have stacks.
autoprof=$1 python=$2 name=$3 option=$4
shift 4
LD_LIBRARY_PATH=. FAKE_CUPTI=launches "$autoprof" run --stacks "$option" -o "$name.pftrace" -- "$python" "$@"
"$python" "$(dirname "$0")/where.py" "$name.pftrace" 2
