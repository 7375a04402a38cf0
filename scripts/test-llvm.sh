#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# test-llvm.sh VERSION [CUDA]: builds the plugin for another version of clang,
# and the runtime with the toolkit CUDA, in build/llvm<VERSION>, and runs the
# plugin's and the runtime's tests with the programs of build/release (which
# must be built). Needs Debian's clang-<VERSION>, llvm-<VERSION>-dev,
# llvm-<VERSION>-tools and libclang-<VERSION>-dev. The tests compile with the
# same toolkit: clang 19 cannot read the headers of CUDA 13.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh
case $# in
1 | 2) ;;
*) fail "usage: scripts/test-llvm.sh VERSION [CUDA]" ;;
esac
build=build/llvm$1
[ -x build/release/bin/autoprof ] || fail "build/release is not built: run scripts/test.sh first."
cmake --preset release -B "$build" -DAUTOPROF_LLVM_VERSION="$1" ${2:+-DAUTOPROF_CUDA_PATH="$2"}
ninja -C "$build" autoprof_plugin autoprof_runtime RuntimeTests
mkdir -p "$build/bin"
ln -sf "$PWD"/build/release/bin/* "$build/bin/"
/usr/lib/llvm-22/bin/lit -sv "$build/test" "$build/test/unit" --filter ':: plugin/|RuntimeTests'
