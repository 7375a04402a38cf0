#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cross.sh [--sysroot | --test | TARGET...]: builds autoprof for aarch64 on
# x86-64, in build/aarch64, for Debian 12 or newer. The libraries come from
# Debian's arm64 packages and CUDA's headers from PyPI (a download of 300 MB),
# unpacked into build/aarch64-sysroot; nothing of another architecture is
# installed. Needs the packages that scripts/setup.sh installs, and Debian's
# binutils-aarch64-linux-gnu and qemu-user-static.
#   --sysroot  only fetches the sysroot
#   --test     builds the unit tests and runs them with qemu
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh
sysroot=$PWD/build/aarch64-sysroot
cuda='runtime|cccl|cupti|profiler-api|nvtx|crt|curand'
# A list of words.
packages="clang-22 libc6-dev libclang-22-dev libclang-cpp22 libfmt-dev libgtest-dev libprotozero-dev
  libsqlite3-dev libstdc++-12-dev libzstd-dev llvm-22-dev zlib1g-dev"
tests=(Analysis Audit Catalogue Command Doctor Fields NvccArgs Prices Progress Report Runtime RuntimeTrace
  Site SiteTables Trace Tree)

# An apt of its own, which knows only arm64, and where nothing is installed: so
# it downloads the packages with all on which they depend.
fetch_packages() {
  local apt=$sysroot/apt package link
  mkdir -p "$apt"/state/lists/partial "$apt"/cache/archives/partial
  : >"$apt/state/status"
  cat >"$apt/sources.list" <<END
deb http://deb.debian.org/debian bookworm main
deb http://deb.debian.org/debian-security bookworm-security main
END
  cat >"$apt/conf" <<END
APT::Architecture "arm64"; APT::Architectures "arm64"; APT::Install-Recommends "false";
Dir::State "$apt/state"; Dir::State::status "$apt/state/status"; Dir::Cache "$apt/cache";
Dir::Etc::sourcelist "$apt/sources.list"; Dir::Etc::sourceparts "-";
END
  # shellcheck disable=SC2086
  APT_CONFIG=$apt/conf logged cross-apt-update apt-get -q update &&
    APT_CONFIG=$apt/conf logged cross-apt apt-get -q install -y --download-only $packages ||
    fail "apt-get could not download the arm64 packages: check the network; build/logs/cross-apt.log says why."
  for package in "$apt"/cache/archives/*.deb; do
    dpkg -x "$package" "$sysroot"
  done
  # Links that begin at the root, as libz.so, lead out of the sysroot.
  find "$sysroot" -type l -lname '/*' | while read -r link; do
    ln -sfrn "$sysroot$(readlink "$link")" "$link"
  done
  rm -r "$apt"
}

fetch_cuda() {
  local toolkit=$sysroot/usr/local/cuda platform platforms=()
  for platform in 2_17 2_25 2_27; do
    platforms+=(--platform "manylinux_${platform}_aarch64")
  done
  grep -E "^nvidia-(cuda-)?($cuda)==" scripts/toolkit.txt >"$sysroot/cuda.txt"
  logged cross-pip build/venv/bin/pip install --no-deps --no-compile --only-binary :all: "${platforms[@]}" \
    --target "$sysroot/pip" -r "$sysroot/cuda.txt" ||
    fail "pip could not fetch CUDA's packages for aarch64: check the network; build/logs/cross-pip.log says why."
  mkdir -p "$(dirname "$toolkit")"
  mv "$sysroot/pip/nvidia/cu13" "$toolkit"
  ln -s lib "$toolkit/lib64"
  rm -rf "$sysroot/pip" "$toolkit"/lib/libcurand*
}

only_sysroot='' tested=${1:-}
case ${1:-} in
--help | -h)
  sed -n '3,/^set/{/^set/d;s/^# \?//;p}' scripts/cross.sh
  exit
  ;;
--sysroot) only_sysroot=yes ;;
--test) set -- "${tests[@]/%/Tests}" ;;
-*) fail "unknown argument '$1'; usage: scripts/cross.sh [--sysroot | --test | TARGET...]" ;;
esac
for program in aarch64-linux-gnu-ld qemu-aarch64-static clang++-22 build/venv/bin/pip; do
  command -v "$program" >/dev/null ||
    fail "$program is missing: run scripts/setup.sh, and install binutils-aarch64-linux-gnu and qemu-user-static."
done
content="$packages $cuda $(cat scripts/toolkit.txt)"
if [ "$content" != "$(cat "$sysroot/content" 2>/dev/null)" ]; then
  say "Fetching build/aarch64-sysroot (a download of 300 MB)"
  rm -rf "$sysroot"
  fetch_packages
  fetch_cuda
  echo "$content" >"$sysroot/content"
fi
[ -z "$only_sysroot" ] || exit 0
say "Building build/aarch64"
logged cross-configure cmake --preset aarch64 ||
  fail "CMake could not configure build/aarch64; build/logs/cross-configure.log says why."
logged cross-build nice ninja -C build/aarch64 "$@" ||
  fail "The build failed; build/logs/cross-build.log says why."
[ "$tested" = --test ] || exit 0
status=0
for test in "$@"; do
  program=$(find "$PWD/build/aarch64/test/unit" -name "$test" -type f)
  say "$test"
  # qemu has no process_vm_readv(), with which the first stacks are read.
  (cd "$(dirname "$program")" && nice qemu-aarch64-static -L "$sysroot" "$program" --gtest_brief=1 \
    --gtest_filter=-SourcePosition.IsThatOfTheInstruction) || status=1
done
exit $status
