# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
#
# Sourced by the scripts of test/gpu.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

# prepare NEEDED FOLDER: checks that the file NEEDED is built and that this
# machine has what the checks need, and enters FOLDER (empty: a new one), which
# becomes $out.
prepare() {
  local script=${0##*/}
  [ -e "$1" ] || { echo "$script: no $1; build it first"; exit 2; }
  command -v nvcc > /dev/null || { echo "$script: nvcc is not on PATH"; exit 2; }
  nvidia-smi -L > /dev/null 2>&1 || { echo "$script: no GPU here"; exit 77; }
  out=${2:-$(mktemp -d)}
  mkdir -p "$out" && cd "$out" || exit 2
  out=$PWD
  rm -f ./*.pftrace ./*.out ./*.err ./*.rc
}

# compile FILE PROGRAM OPTIONS...
compile() {
  nvcc -std=c++17 -O1 -arch=native -I"$root/include" "$here/Inputs/$1" -o "$2" "${@:3}" || exit 2
}
