#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# windows.sh RUNTIME PYTHON WHAT [VARIABLE=VALUE...]: records ./window WHAT with
# the stand-ins of this folder and says what is in the trace.
runtime=$1 python=$2 what=$3
shift 3
echo "== $what $*"
rm -f window.pftrace
env LD_PRELOAD="$runtime" LD_LIBRARY_PATH=. AUTOPROF_OUTPUT=window.pftrace FAKE_CUPTI=launches "$@" ./window "$what" 2>&1
echo "status $?"
"$python" "$(dirname "$0")/windows.py" window.pftrace
