# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The fingerprints of a SARIF file, one a line.
grep -o '"\(primaryLocationLineHash\|autoprofSite/v1\)": "[^"]*"' "$1"
