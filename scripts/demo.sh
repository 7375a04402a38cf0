#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Shows the main job from end to end: where printing the loss stalls a training
# program, what that costs, and what printing it later gains.
#   usage: scripts/demo.sh [--build FOLDER]
# Sets up and builds what is missing in build/release, or uses FOLDER as it is,
# which must have been built.
set -euo pipefail
invoked_from=$PWD
cd "$(dirname "$0")/.."
. scripts/common.sh
start=$SECONDS

folder=
case "${1:-}" in
'') [ $# -eq 0 ] || fail "usage: scripts/demo.sh [--build FOLDER]" ;;
--build)
  [ $# -eq 2 ] || fail "--build needs one folder: scripts/demo.sh --build build/release"
  folder=$(cd "$invoked_from" && realpath -m -- "$2")
  [ -x "$folder/bin/autoprof" ] || fail "$2 holds no built autoprof: leave out --build, and it will be built."
  ;;
-h | --help)
  sed -n '3,/^set /{/^set /d;s/^# \{0,1\}//;p}' scripts/demo.sh
  exit 0
  ;;
*) fail "unknown option '$1'; usage: scripts/demo.sh [--build FOLDER]" ;;
esac

if [ -z "$folder" ]; then
  scripts/setup.sh --build-only
  configure
  build bin/autoprof lib/autoprof.so lib/libautoprof.so mlp_train_instrumented
  folder=$PWD/build/release
fi
autoprof=$folder/bin/autoprof
train=$folder/examples/mlp_train/instrumented/mlp_train
out=$folder/demo
mkdir -p "$out"

# cached NAME: a variable of the build's CMake cache.
cached() { sed -n "s/^$1:[A-Z]*=//p" "$folder/CMakeCache.txt"; }

# Lists the plugin's probes, using only the compiler's front end.
list_sites() {
  printf '%s\0' examples/mlp_train/*.cu |
    xargs -0 -n 1 -P "$(nproc)" /usr/lib/llvm-22/bin/clang++ -std=c++17 -fsyntax-only --cuda-host-only \
      -Wno-unknown-cuda-version "--cuda-path=$(cached AUTOPROF_CUDA_PATH)" \
      "-fplugin=$folder/lib/autoprof.so" -fplugin-arg-autoprof-list=on
}

show_sites() {
  local list=$out/sites.txt
  if [ ! -e "$list" ] || [ -n "$(find examples/mlp_train "$folder/lib/autoprof.so" -newer "$list")" ]; then
    list_sites >"$list.new" 2>&1 || fail "clang could not compile the example with the plugin; $list.new says why."
    # Headers are in more than one list. The ids are of no use to readers.
    sed 's/ \[0x[0-9a-f]*\]$//' "$list.new" | sort -u | sort -t: -k1,1 -k2,2n -k3,3n >"$list"
  fi
  grep -vE ': (function|loop) in ' "$list"
  echo "and $(grep -cE ': (function|loop) in ' "$list") ranges: the functions and loops around these calls"
}

# Trains with the loss printed and with printing deferred, in turn; records each once.
compare() {
  local train_1024=("$train" --width 1024 --steps 600 --loss) status=0
  "$autoprof" compare --time=60s --compare-output -o "$out/compare" -- "${train_1024[@]}" print -- "${train_1024[@]}" deferred || status=$?
  [ "$status" -le 1 ] || fail "the comparison failed."
  cmp -s <(outputs base) <(outputs new) || fail "the two variants printed different losses."
}

# outputs SIDE: the hash of what its runs printed.
outputs() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]]["output_sha256"])' "$out/compare/compare.json" "$1"; }

say "What the plugin found in examples/mlp_train"
show_sites

if nvidia-smi -L >/dev/null 2>&1; then
  say "Comparing mlp_train --loss print with --loss deferred on this machine's GPU"
  compare
  base=$out/compare/base.pftrace difference=("$out/compare/compare.json")
  where="recorded just now on this machine's GPU"
else
  say "No GPU here: taking the recordings from an H200 in examples/recordings"
  base=examples/recordings/mlp_d1024_print.pftrace.gz
  difference=("$base" examples/recordings/mlp_d1024_deferred.pftrace.gz)
  where="recorded on an H200, and shipped in examples/recordings"
fi

say "Where the CPU waits when each loss is printed at once ($where)"
"$autoprof" report "$base"
say "What printing it later changes ($where)"
"$autoprof" diff "${difference[@]}"
say "$((SECONDS - start)) s in all"
