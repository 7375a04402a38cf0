#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# browse.sh PAGE: prints what a browser makes of it when its script has run.
exec timeout 100 chromium --headless --no-sandbox --disable-gpu \
  --no-first-run --disable-dev-shm-usage --user-data-dir="$PWD/profile" \
  --virtual-time-budget=2000 --dump-dom "file://$(realpath "$1")" 2> /dev/null
