#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Prints "[code] stderr" of each wrong use; stdout shows if there is any.
autoprof=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
mkdir folder
echo "hello, world" > text
echo '{"traceEvents": []}' > json
: > empty
printf '\n\002@\001' > perfetto

try() {
  local message
  message=$("$autoprof" "$@" 2>&1)
  echo "[$?] $message"
}
try rn
try --vresion
try run
try run --mod=full -- true
try run --mode=heavy -- true
try run -o
try run -- ./nope
try run -- no-such-program
try run -- ./folder
try run -- ./text
try run -o nowhere/x.pftrace -- true
try run -o folder -- true
try run -o text -- true
try run -o perfetto -- true
try report
try report missing
try report folder
try report empty
try report text
try report json
try report perfetto
try diff missing
try report --formt=json text
