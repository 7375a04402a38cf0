# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# complete.sh SCRIPT [=]: what the completion offers for some lines.
source "$1"
try() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
  _autoprof
  local sorted
  sorted=$(printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort | tr '\n' ' ')
  echo "[$*] ${sorted% }"
}
if [ "${2-}" = = ]; then
  try autoprof run --mode = light
  try autoprof run --mode =
  exit
fi
try autoprof co
try autoprof help do
try autoprof run --st
try autoprof run --mode=light
try autoprof run --mode l
try autoprof report b
try autoprof audit --cache t
try autoprof audit --fail-on me
try autoprof run -- --st
try autoprof calibrate --e
try autoprof nothing --
