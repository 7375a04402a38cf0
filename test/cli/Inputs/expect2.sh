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
printf '#!/no/such/interpreter\n' > script
printf 'echo hello\n' > headless
chmod +x script headless

try() {
  local message
  message=$("$autoprof" "$@" 2>&1)
  echo "[$?] $message"
}
try rn
try --vresion
try help rn
try run
try run --mod=full -- true
try run --mode=heavy -- true
try run -o
try run -- ./nope
try run -- no-such-program
try run -- ./folder
try run -- ./text
try run -- ./script
try run -- ./headless
try run -o '' -- true
try run -o nowhere/x.pftrace -- true
try run -o nowhere%h/x.pftrace -- true
try run -o /dev/full -- true
try run -o /proc/x.pftrace -- true
try run -o folder -- true
try run -o text -- true
try run -o perfetto -- true
try report
try report missing
try report folder
try report empty
try report /dev/zero
try report text
try report json
try report perfetto
try diff missing
try report --formt=json text
try report --step= text
