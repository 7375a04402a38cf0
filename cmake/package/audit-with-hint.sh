# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# sh audit-with-hint.sh BUILD COMMAND...: the command. If it finds something,
# prints how to accept that, too. A file of its own, because Ninja prints the
# command of a target that fails.
build=$1
shift
"$@"
code=$?
[ "$code" -ne 1 ] || echo "autoprof: to accept these findings: cmake --build $build --target autoprof-audit-update"
exit "$code"
