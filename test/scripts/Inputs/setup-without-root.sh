#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs a copy of setup.sh that misses one package, as a user who is not root and
# has no sudo on PATH. $1: the root of the checkout.
set -eu
# Not in lit's own temporary folder, which only its owner may enter.
copy=$(mktemp -d -p /var/tmp)
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/bin"
cp -r "$1/scripts" "$copy/"
echo autoprof-no-such-package >>"$copy/scripts/packages.txt"
for tool in basename bash dirname dpkg-query grep id sed; do
  ln -s "$(command -v "$tool")" "$copy/bin/"
done
chmod -R a+rX "$copy"

drop=
[ "$(id -u)" -ne 0 ] || drop='setpriv --reuid=65534 --regid=65534 --clear-groups'
status=0
# $1 is for the shell it starts.
# shellcheck disable=SC2016
$drop "$copy/bin/bash" -c 'PATH=$1/bin exec bash "$1/scripts/setup.sh"' sh "$copy" || status=$?
echo "status $status"
