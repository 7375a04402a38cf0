#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs a command and says how it ended, so that tests can compare whole runs.
"$@"
echo "status $?"
