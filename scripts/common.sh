# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Functions that the scripts share; to be sourced from the root of the checkout.
# shellcheck shell=bash

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
  bold=$'\033[1m' plain=$'\033[0m'
else
  bold='' plain=''
fi

# Prints one line of progress.
say() { printf '%s==>%s %s\n' "$bold" "$plain" "$*"; }

# Prints one sentence that states the problem and the remedy, and exits with 2.
fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 2
}

# logged NAME COMMAND...: runs COMMAND with its output in build/logs/NAME.log,
# and prints the end of that file if COMMAND fails.
logged() {
  local log="build/logs/$1.log" status=0
  shift
  mkdir -p build/logs
  "$@" >"$log" 2>&1 </dev/null || status=$?
  if [ "$status" -ne 0 ]; then
    tail -n 100 "$log" >&2
    printf '%s: the output above is the end of %s\n' "$(basename "$0")" "$log" >&2
  fi
  return "$status"
}

# configure: makes build/release ready for ninja.
configure() {
  say "Configuring build/release"
  logged configure cmake --preset release ||
    fail "CMake could not configure build/release; build/logs/configure.log says why."
}

# build TARGET...
build() {
  say "Building ($*)"
  logged build ninja -C build/release "$@" ||
    fail "The build failed; build/logs/build.log says why."
}
