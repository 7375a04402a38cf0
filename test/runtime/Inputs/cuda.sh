#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cuda.sh RUNTIME NAME WHAT [VARIABLE=VALUE]: records ./cuda WHAT to NAME.pftrace
# with the stand-ins of this folder.
env LD_PRELOAD="$1" LD_LIBRARY_PATH=. AUTOPROF_OUTPUT="$2.pftrace" ${4:+"$4"} ./cuda "$3"
echo "status $?"
