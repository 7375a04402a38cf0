#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# sanitize.sh [address|sessions|thread]... [-- LIT-ARGUMENT...]: builds autoprof
# with sanitizers and runs tests; without arguments, all three:
#   address   ASan and UBSan in the programs and unit tests; all tests. Not in
#             lib/autoprof.so and lib/libautoprof.so, because clang and the
#             recorded programs that load these have no sanitizers.
#   sessions  ASan and UBSan in lib/libautoprof.so, too, and in the programs
#             that the tests record with it, but not LeakSanitizer; the tests
#             of recording.
#   thread    the same with TSan, and the analysis, which has threads.
# A finding ends its program with another status, so a test fails.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh

parts=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  case $1 in
  address | sessions | thread) parts+=("$1") ;;
  *) fail "unknown argument '$1'; usage: scripts/sanitize.sh [address|sessions|thread]... [-- LIT-ARGUMENT...]" ;;
  esac
  shift
done
[ $# -eq 0 ] || shift
[ ${#parts[@]} -gt 0 ] || parts=(address sessions thread)
recording=(autoprof autoprof_runtime autoprof-simulate fabricateTrace RuntimeTests RuntimeTraceTests)
status=0

# check NAME PRESET FILTER TARGET...: builds in build/NAME, and tests.
check() {
  local start=$SECONDS name=$1 preset=$2 filter=$3
  shift 3
  say "Building build/$name"
  logged configure cmake --preset "$preset" -B "build/$name" "${options[@]}" ||
    fail "CMake could not configure build/$name; build/logs/configure.log says why."
  logged build nice ninja -C "build/$name" "$@" ||
    fail "The build failed; build/logs/build.log says why."
  say "Built ($((SECONDS - start)) s)"
  start=$SECONDS
  nice /usr/lib/llvm-22/bin/lit -sv --timeout 1200 --filter "$filter" "${lit[@]}" \
    "build/$name/test" "build/$name/test/unit" || status=1
  say "Tested $name ($((SECONDS - start)) s)"
}

lit=("$@")
for part in "${parts[@]}"; do
  options=()
  case $part in
  address) check asan asan . all autoprof-test-depends ;;
  sessions)
    options=(-DAUTOPROF_SANITIZE_LIBRARY=ON)
    check asan-sessions asan ':: runtime/|Runtime(Trace)?Tests' "${recording[@]}"
    ;;
  thread) check tsan tsan ':: runtime/|(Runtime|RuntimeTrace|Analysis)Tests' "${recording[@]}" AnalysisTests autoprof_runtime_race ProbesRaceTests WindowRaceTests ;;
  esac
done
exit $status
