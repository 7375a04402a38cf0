#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sets up what is missing, builds autoprof in build/release, and runs all
# checks: the tests, clang-format and clang-tidy. The last line is
#     N passed, N failed[, N skipped]
# and the exit status is 0 if nothing failed, 1 if something did, and 2 if the
# checks could not be run.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh
start=$SECONDS

passed=0 failed=0 skipped=0

# Prints the last line, whatever happened before it.
finish() {
  local status=$? tally
  [ "$status" -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
  tally="$passed passed, $failed failed"
  [ "$skipped" -eq 0 ] || tally="$tally, $skipped skipped"
  echo "$tally"
}
trap finish EXIT

# check NAME COMMAND...: runs a check, which passes if COMMAND succeeds.
check() {
  local begin=$SECONDS name=$1
  if logged "$@"; then
    passed=$((passed + 1))
    say "$name: passed ($((SECONDS - begin)) s)"
  else
    failed=$((failed + 1))
    say "$name: FAILED ($((SECONDS - begin)) s)"
  fi
}

# Our own sources of the given kinds. The sources that lit compiles and rewrites
# (test/ except for test/unit) are laid out to suit each test.
sources() {
  git ls-files --cached --others --exclude-standard -- "$@" ':!test' 'test/unit/*.cpp' 'test/unit/*.h'
}

run_tests() {
  local results=build/release/test/results.json
  say "Testing"
  rm -f "$results"
  LIT_OPTS="${LIT_OPTS:-} -o $PWD/$results --timeout 600" ninja -C build/release check-autoprof </dev/null || true
  [ -s "$results" ] || fail "The tests could not run; the output above says why."
  { read -r passed failed skipped && slowest=$(cat); } < <(python3 scripts/tally.py "$results")
  say "The slowest tests, in seconds:"
  echo "$slowest"
}

tidy_sources() {
  # Not the example: custom commands compile it, which compile_commands.json lacks.
  sources 'tool/*.cpp' 'runtime/*.cpp' | xargs -r scripts/tidy.py build/release
}

tidy_example() {
  local cuda
  cuda=$(sed -n 's/^AUTOPROF_CUDA_PATH:PATH=//p' build/release/CMakeCache.txt)
  # The compiler's options come last on clang-tidy's command line.
  # shellcheck disable=SC2016
  sources 'examples/mlp_train/*.cu' 'examples/mlp_train/*.cpp' |
    xargs -P "$(nproc)" -n 2 sh -c 'cuda=$1; shift
      exec clang-tidy-22 -quiet --warnings-as-errors="*" "$@" -- \
        -std=c++17 --cuda-host-only -Wno-unknown-cuda-version "--cuda-path=$cuda"' tidy "$cuda"
}

scripts/setup.sh
built=$SECONDS
configure
build all autoprof-test-depends
say "Built ($((SECONDS - built)) s)"
tested=$SECONDS
run_tests
say "Tested ($((SECONDS - tested)) s)"
mapfile -t formatted < <(sources '*.cpp' '*.h' '*.c' '*.cu' '*.cuh')
check clang-format clang-format-22 --dry-run -Werror "${formatted[@]}"
check clang-tidy tidy_sources
check clang-tidy-example tidy_example

say "$((SECONDS - start)) s in all"
[ "$failed" -eq 0 ]
