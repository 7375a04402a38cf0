# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_answer.py AUTOPROF TRACE NS: prints the answer of the report, and fails
unless its range, from the least change to the most, has NS per step (within 1 %)."""
import json
import subprocess
import sys

autoprof, trace, expected = sys.argv[1], sys.argv[2], int(sys.argv[3])
report = lambda *options: subprocess.run([autoprof, "report", *options, trace], check=True, capture_output=True, text=True).stdout
answer = json.loads(report("--format=json"))["answer"]
least, most = answer["mild"] or answer["strong"], answer["strong"] or answer["mild"]
assert least["per_step"] and 0.99 * least["low_ns"] <= expected <= 1.01 * most["high_ns"], (answer, expected)
print(" ".join(report().split("\n\n")[1].split()))
