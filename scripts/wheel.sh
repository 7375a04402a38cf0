#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# wheel.sh [x86_64|aarch64]: builds the Python wheel for this machine's or the
# named architecture: dist/autoprof-<version>-py3-none-manylinux_2_28_<arch>.whl.
# On x86-64, aarch64 is cross-compiled, with what scripts/cross.sh needs.
# Fails if auditwheel finds that a program needs more than that tag promises, or
# if the wheel is larger than 100 MB. Needs the packages that scripts/setup.sh
# installs, and two packages from PyPI (100 MB, downloaded once).
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh

# Packages of libraries that are linked into the programs.
linked="libclang-22-dev libfmt-dev libprotozero-dev libsqlite3-dev libstdc++-12-dev libzstd-dev
  llvm-22-dev zlib1g-dev"
arch=${1:-$(uname -m)} preset=wheel docs=/usr/share/doc
case "$# $arch $(uname -m)" in
[01]" x86_64 x86_64" | [01]" aarch64 aarch64") ;;
"1 aarch64 x86_64") preset=wheel-aarch64 docs=build/aarch64-sysroot/usr/share/doc ;;
*) fail "cannot build for '$*' on $(uname -m); usage: scripts/wheel.sh [x86_64|aarch64]" ;;
esac
build=build/$preset
installed=$build/installed/autoprof
tag=manylinux_2_28_$arch

fetch_tools() {
  ! cmp -s scripts/wheel-requirements.txt build/wheel-tools/requirements.txt || return 0
  say "Fetching the packages of scripts/wheel-requirements.txt into build/wheel-tools"
  [ -x build/wheel-tools/bin/pip ] || logged wheel-venv python3 -m venv build/wheel-tools ||
    fail "python3 could not make build/wheel-tools; build/logs/wheel-venv.log has the reason."
  logged wheel-pip build/wheel-tools/bin/pip install --disable-pip-version-check -r scripts/wheel-requirements.txt ||
    fail "pip could not fetch the packages of scripts/wheel-requirements.txt: check the network; build/logs/wheel-pip.log has the reason."
  cp scripts/wheel-requirements.txt build/wheel-tools/requirements.txt
}

build_programs() {
  say "Building the programs ($build)"
  logged wheel-configure cmake --preset "$preset" ||
    fail "CMake could not configure $build; build/logs/wheel-configure.log has the reason."
  logged wheel-build ninja -C "$build" ||
    fail "The build failed; build/logs/wheel-build.log has the reason."
}

# Collects the programs, stripped, clang's own headers, and the licences.
collect() {
  local resources package
  rm -rf "$build/installed" "$build/licenses"
  logged wheel-install cmake --install "$build" --strip --prefix "$PWD/$installed" ||
    fail "CMake could not install $build; build/logs/wheel-install.log has the reason."
  [ -e "$installed/lib/cmake/autoprof/autoprofConfig.cmake" ] ||
    fail "$build did not install the CMake package."
  resources=$(clang-22 -print-resource-dir)
  mkdir -p "$installed/lib/clang/$(basename "$resources")" "$build/licenses"
  cp -rL "$resources/include" "$installed/lib/clang/$(basename "$resources")/"
  for package in $linked; do
    [ ! -e "$docs/$package/copyright" ] ||
      cp -L "$docs/$package/copyright" "$build/licenses/$package.txt"
  done
}

pack() {
  local version
  version=$(sed -n 's/^CMAKE_PROJECT_VERSION:.*=//p' "$build/CMakeCache.txt")
  rm -f dist/autoprof-*"_$arch.whl"
  wheel=$(python3 python/build_wheel.py --installed "$installed" --licenses "$build/licenses" \
    --version "$version" --platform "$tag")
}

check() {
  local verdict size
  verdict=$(build/wheel-tools/bin/auditwheel show "$wheel" | tr '\n' ' ')
  case "$verdict" in
  *"is consistent with the following platform tag: \"manylinux_2_"*) ;;
  *) fail "auditwheel does not accept $wheel: $verdict" ;;
  esac
  for tag_found in $(grep -oE "manylinux_2_[0-9]+_$arch" <<<"$verdict" | sort -u); do
    [ "$(sed 's/manylinux_2_\([0-9]*\)_.*/\1/' <<<"$tag_found")" -le 28 ] ||
      fail "$wheel needs $tag_found: build/wheel-tools/bin/auditwheel show $wheel lists the symbols."
  done
  size=$(stat -c %s "$wheel")
  [ "$size" -le 100000000 ] || fail "$wheel has $size bytes; at most 100,000,000 are allowed."
  say "$wheel: $((size / 1000000)) MB, glibc 2.28 or newer"
}

[ "$preset" = wheel ] || scripts/cross.sh --sysroot
fetch_tools
build_programs
collect
pack
check
