#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes docs/images/report.png, the picture in README.md: the top of the HTML
# report of a recording in this repository. Needs a build and chromium.
#
#   scripts/picture.sh [--build FOLDER]     (default: build/release)
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh

folder=build/release
case "${1:-}" in
--build) folder=${2:?} ;;
"") ;;
*) fail "unknown option '$1'; usage: scripts/picture.sh [--build FOLDER]" ;;
esac
command -v chromium >/dev/null || fail "chromium is missing: install it (Debian: apt-get install chromium)."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$folder/bin/autoprof" report --format=html -o "$scratch/report.html" bench/predictions/recordings/scratch_reuse.pftrace.gz
mkdir -p docs/images
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 \
  --user-data-dir="$scratch/profile" --window-size=1100,730 --virtual-time-budget=5000 \
  --screenshot="$PWD/docs/images/report.png" "file://$scratch/report.html" >"$scratch/log" 2>&1 ||
  fail "chromium failed: $(tail -1 "$scratch/log")"
say "docs/images/report.png"
