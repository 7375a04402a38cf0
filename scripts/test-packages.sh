#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds the Debian packages of a build folder, and installs, uses, removes and
# purges them in a bare root of this distribution.
#   usage: scripts/test-packages.sh [BUILD]      default: build/release
# Needs root, debootstrap and a network. The CUDA toolkit (CUDA_HOME, default
# /usr/local/cuda) is mounted for the tests of the plugin and of the audit. BASE
# names a bare root that an earlier debootstrap made, to be copied.
set -eEuo pipefail
trap 'echo "test-packages.sh: failed at line $LINENO" >&2' ERR
cd "$(dirname "$0")/.."
build=${1:-build/release}
toolkit=$(realpath -e "${CUDA_HOME:-/usr/local/cuda}") || toolkit=
# shellcheck disable=SC1091
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=${MIRROR:-http://deb.debian.org}
work=$(mktemp -d "${TMPDIR:-/tmp}/autoprof-packages.XXXXXX")
root=$work/root

finish() {
  mountpoint -q "$root/cuda" && umount -l "$root/cuda"
  mountpoint -q "$root/proc" && umount -l "$root/proc"
  rm -rf --one-file-system "$work"
}
trap finish EXIT

inside() {
  chroot "$root" env -i HOME=/root TERM=dumb DEBIAN_FRONTEND=noninteractive \
    PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

list_files() {
  inside find /usr /etc /opt /var/lib/dpkg/info -xdev | sort
}

make_root() {
  if [ -n "${BASE:-}" ]; then
    cp -a "$BASE" "$root"
  else
    debootstrap --variant=minbase "$suite" "$root" "$mirror/debian" >"$work/log"
  fi
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
  cp -rL /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
  echo "deb $mirror/debian-security $suite-security main" >>"$root/etc/apt/sources.list"
  mount -t proc proc "$root/proc"
  inside apt-get -q update >"$work/log"
}

# Uses the programs alone: recordings, and calls by name.
use_tools() {
  inside autoprof explain cudaFree | grep 'cudaFree (' >/dev/null
  inside autoprof run -- true 2>&1 | grep "'true' did not load the CUDA driver" >/dev/null
  inside autoprof report /tmp/recording.pftrace.gz | grep 'loss_reader.cu:55 cudaMemcpy' >/dev/null
  inside ldconfig -p | grep libautoprof.so >/dev/null
}

# Uses clang, the plugin and a toolkit.
use_plugin() {
  local clang
  clang=$(cd "$root/usr/bin" && echo clang++-[0-9]*)
  mkdir "$root/cuda" && mount --bind -o ro "$toolkit" "$root/cuda"
  cp test/package/Inputs/train.cu "$root/tmp/"
  for way in --config=autoprof.cfg "$(inside pkg-config --variable=plugin autoprof | sed s/^/-fplugin=/)"; do
    inside sh -c "cd /tmp && $clang $way --cuda-path=/cuda --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version -c train.cu -o train.o"
    grep -q 'train.cu|main|step' "$root/tmp/train.o"
  done
  inside env CUDA_HOME=/cuda autoprof audit --fail-on=never /tmp/train.cu 2>&1 |
    grep '1 of 1 source was read' >/dev/null
  inside cmake -S /tmp/project -B /tmp/project/build "-DCMAKE_CXX_COMPILER=$clang" |
    grep 'options: .*autoprof.so' >/dev/null
  umount "$root/cuda" && rmdir "$root/cuda"
}

cpack --config "$build/CPackConfig.cmake" -G DEB -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip -B "$work/debs" >"$work/log"
make_root
cp "$work"/debs/*.deb "$root/tmp/"
cp -r test/package/Inputs/project "$root/tmp/project"
cp examples/recordings/mlp_d1024_print.pftrace.gz "$root/tmp/recording.pftrace.gz"
list_files >"$work/before"

inside sh -c 'apt-get -q install -y --no-install-recommends /tmp/autoprof_*.deb /tmp/autoprof-dev_*.deb' >"$work/log"
use_tools
echo "tools: installed and used"
inside sh -c 'apt-get -q install -y --no-install-recommends cmake pkg-config g++ make /tmp/autoprof-plugin-*.deb' >"$work/log" ||
  { tail "$work/log"; exit 1; }
if [ -n "$toolkit" ]; then
  use_plugin
  echo "plugin: installed and used"
fi

inside sh -c 'apt-get -q remove -y autoprof autoprof-dev "autoprof-plugin-*"' >"$work/log"
inside sh -c 'dpkg --purge autoprof autoprof-dev $(dpkg-query -W -f "\${Package} " "autoprof-plugin-*")' >"$work/log" 2>&1
list_files >"$work/after"
if comm -13 "$work/before" "$work/after" | grep autoprof; then
  echo "left after purge" >&2
  exit 1
fi
echo "removed and purged: nothing left"
