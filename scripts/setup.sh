#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs what is missing for building and testing autoprof:
#   1. the Debian packages of scripts/packages.txt (as root, or with sudo);
#   2. a CUDA toolkit: the one that is installed, or NVIDIA's packages from
#      PyPI in build/toolkit;
#   3. the Python packages of the tests, in build/venv (not with --build-only).
# It needs no network, and at most a second, if nothing is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh

# Prints the lines of a list without comments.
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
      fail "No apt source of this machine has $package: add one that does to /etc/apt/sources.list; LLVM 22 comes with Debian 13, with Debian 12's security updates ('deb http://deb.debian.org/debian-security bookworm-security main'), and from apt.llvm.org."
  done
  # $missing is a list of words.
  # shellcheck disable=SC2086
  logged apt-install $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -q install -y --no-install-recommends $missing ||
    fail "apt-get could not install ${missing% }; build/logs/apt-install.log says why."
}

# Whether the folder $1 has what autoprof needs of a CUDA toolkit. CMake looks
# for the same files in the same folders: cmake/AutoprofToolkit.cmake. Tests of
# other libraries (cuFFT, cuSOLVER, cuSPARSE) run if those are there, too.
is_toolkit() {
  local part
  for part in bin/nvcc include/cuda_runtime.h include/cublas_v2.h \
    include/nvtx3/nvToolsExt.h include/curand_mtgp32_kernel.h; do
    [ -e "$1/$part" ] || return 1
  done
  [ -e "$1/include/cupti.h" ] || [ -e "$1/extras/CUPTI/include/cupti.h" ] || return 1
  for part in lib64 lib targets/x86_64-linux/lib targets/sbsa-linux/lib; do
    [ ! -e "$1/$part/libcudart_static.a" ] || return 0
  done
  return 1
}

# Asks nvcc itself: on PATH there may be a script that calls it, with only some
# of a toolkit's headers next to its folder.
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

# NVIDIA's wheels unpack to nvidia/cu13/{bin,include,lib,nvvm}: a toolkit except
# for lib64, where nvcc looks, and the libraries' names without a version, which
# the linker looks for. NCCL's and cuDNN's unpack to folders of their own.
fetch_toolkit() {
  local library new=build/toolkit.new/nvidia/cu13
  say "Fetching a CUDA toolkit from PyPI into build/toolkit (a download of 1.7 GB)"
  rm -rf build/toolkit build/toolkit.new
  logged toolkit build/venv/bin/pip install --no-deps --no-compile \
    --target build/toolkit.new -r scripts/toolkit.txt ||
    fail "pip could not fetch the CUDA toolkit of scripts/toolkit.txt: check the network, or install CUDA 12 or 13 and put its nvcc on PATH."
  cp -r build/toolkit.new/nvidia/{nccl,cudnn}/include/. "$new/include/"
  rm -f "$new"/lib/lib{cufft,cusolver,cusparse}*
  for library in "$new"/lib/*.so.*; do
    ln -s "$(basename "$library")" "${library%%.so.*}.so"
  done
  ln -s lib "$new/lib64"
  cp scripts/toolkit.txt "$new/"
  mv "$new" build/toolkit
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
