#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Brings what building and testing autoprof needs, where it is missing:
#   1. the Debian packages of scripts/packages.txt (as root, or with sudo);
#   2. a CUDA toolkit: the one that is installed, or NVIDIA's packages from
#      PyPI in build/toolkit;
#   3. the Python packages of the tests, in build/venv (not with --build-only).
# It needs no network, and a second or less, when everything is there.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh

# The lines of a list without comments.
entries() { sed -e 's/#.*//' -e 's/[[:space:]]*$//' -e '/^$/d' "$1"; }

missing_packages() {
  local package
  for package in $(entries scripts/packages.txt); do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null |
      grep -qx installed || printf '%s ' "$package"
  done
}

install_packages() {
  local missing package as_root=
  if ! command -v dpkg-query >/dev/null; then
    say "This is no Debian: not checking for the packages of scripts/packages.txt"
    return
  fi
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      fail "These Debian packages are missing and need root to install: run 'apt-get install ${missing% }' as root, then this script again."
    as_root=sudo
  fi
  say "Installing Debian packages: ${missing% }"
  logged apt-update $as_root apt-get -q update ||
    fail "apt-get update failed: check the network and the apt sources, or install these packages yourself: ${missing% }."
  for package in $missing; do
    apt-cache show "$package" >/dev/null 2>&1 ||
      fail "No apt source of this machine has $package: autoprof needs Debian 12 with its security updates ('deb http://deb.debian.org/debian-security bookworm-security main' in /etc/apt/sources.list), or apt.llvm.org's LLVM 22."
  done
  # $missing is a list of words.
  # shellcheck disable=SC2086
  logged apt-install $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -q install -y --no-install-recommends $missing ||
    fail "apt-get could not install ${missing% }; build/logs/apt-install.log says why."
}

# Whether the folder $1 holds what autoprof uses of a CUDA toolkit. CMake looks
# in the same folders for the same things: cmake/AutoprofToolkit.cmake.
is_toolkit() {
  [ -x "$1/bin/nvcc" ] && [ -e "$1/include/cuda_runtime.h" ] &&
    [ -e "$1/include/cublas_v2.h" ] && [ -e "$1/include/nvtx3/nvToolsExt.h" ] &&
    [ -e "$1/include/curand_mtgp32_kernel.h" ] &&
    { [ -e "$1/include/cupti.h" ] || [ -e "$1/extras/CUPTI/include/cupti.h" ]; }
}

# Asks nvcc itself: on PATH there may be a script that calls it, beside whose
# folder lie only some of a toolkit's headers.
nvcc_toolkit() {
  local top
  top=$(nvcc --dryrun -x cu -c /dev/null 2>&1 | sed -n 's/^#\$ TOP=//p' || true)
  [ -z "$top" ] || realpath -q "$top" || true
}

installed_toolkit() {
  local folder
  for folder in "$(nvcc_toolkit)" \
    "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda; do
    if [ -n "$folder" ] && is_toolkit "$folder"; then
      echo "$folder"
      return 0
    fi
  done
  return 1
}

# NVIDIA's wheels unpack to nvidia/cu13/{bin,include,lib,nvvm}: a toolkit but for
# lib64, where nvcc looks, and the libraries' names without a version, which
# the linker looks for.
fetch_toolkit() {
  local library
  say "Fetching a CUDA toolkit from PyPI into build/toolkit (1 GB)"
  rm -rf build/toolkit build/toolkit.new
  logged toolkit build/venv/bin/pip install --no-deps --no-compile \
    --target build/toolkit.new -r scripts/toolkit.txt ||
    fail "pip could not fetch the CUDA toolkit of scripts/toolkit.txt: check the network, or install CUDA 12 or 13 and put its nvcc on PATH."
  for library in build/toolkit.new/nvidia/cu13/lib/*.so.*; do
    ln -s "$(basename "$library")" "${library%%.so.*}.so"
  done
  ln -s lib build/toolkit.new/nvidia/cu13/lib64
  cp scripts/toolkit.txt build/toolkit.new/nvidia/cu13/
  mv build/toolkit.new/nvidia/cu13 build/toolkit
  rm -rf build/toolkit.new
}

make_venv() {
  [ ! -x build/venv/bin/pip ] || return 0
  rm -rf build/venv
  logged venv python3 -m venv build/venv ||
    fail "python3 could not make build/venv; build/logs/venv.log says why."
}

fetch_test_packages() {
  ! cmp -s scripts/requirements.txt build/venv/requirements.txt || return 0
  say "Fetching the tests' Python packages into build/venv"
  logged pip build/venv/bin/pip install --disable-pip-version-check -r scripts/requirements.txt ||
    fail "pip could not fetch the packages of scripts/requirements.txt: check the network; build/logs/pip.log says more."
  cp scripts/requirements.txt build/venv/
}

case "$*" in
'' | --build-only) ;;
*) fail "unknown arguments '$*'; usage: scripts/setup.sh [--build-only]" ;;
esac
install_packages
make_venv
if cmp -s scripts/toolkit.txt build/toolkit/toolkit.txt; then
  say "CUDA toolkit: build/toolkit"
elif toolkit=$(installed_toolkit); then
  say "CUDA toolkit: $toolkit"
else
  fetch_toolkit
fi
[ "${1:-}" = --build-only ] || fetch_test_packages
