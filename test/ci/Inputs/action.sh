# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# action.sh PYTHON COMMANDS ROOT: runs the action twice, first with a finding
# that fails, then with a baseline that accepts it.
set -eu
action() {
  # shellcheck disable=SC2086 # PYTHON may be several words
  $python "$commands" "$root/action.yml" --set=inputs.package= --set=inputs.build=build \
    --set=inputs.fail-on=medium --set=inputs.options= --set=github.token=secret \
    --set=github.action_path="$root" "$@"
}
python=$1 commands=$2 root=$3
export GITHUB_OUTPUT=$PWD/output.txt GITHUB_STEP_SUMMARY=$PWD/summary.md GITHUB_EVENT_PATH=$PWD/event.json
: > output.txt > summary.md
action --set=inputs.baseline= --set=steps.audit.outputs.status=1 "--code=Fail for findings:1"
[ -z "${FORBIDDEN-}" ] || exit 0
autoprof audit -p build --baseline=accepted --update 2> /dev/null
action --set=inputs.baseline=accepted --set=steps.audit.outputs.status=0
