#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# setuid.sh: runs ./linked, which is linked with the recorder, and ./plain as
# another user, before and after they get root's rights.
dir=$PWD
stranger() {
  echo "$1"
  shift
  setpriv --reuid=65534 --regid=65534 --clear-groups env "$@" 2>&1
  ls "$dir" | grep pftrace
}
stranger "linked" AUTOPROF_OUTPUT="$dir/linked.pftrace" ./linked
stranger "preloaded" LD_PRELOAD="$1" AUTOPROF_OUTPUT="$dir/preloaded.pftrace" ./plain
rm -f ./*.pftrace
chmod 4755 linked plain
stranger "linked, setuid" AUTOPROF_OUTPUT="$dir/linked.pftrace" ./linked
stranger "preloaded, setuid" LD_PRELOAD="$1" AUTOPROF_OUTPUT="$dir/preloaded.pftrace" ./plain
echo end
