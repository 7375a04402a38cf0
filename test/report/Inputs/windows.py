# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the reports of the two halves of a recording have the waits of the whole, but for one at the edge."""
import json
import sys

whole, first, second = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:4])
waits = [report["sites"][0]["waits"] for report in (whole, first, second)]
wait = [report["summary"]["wait_ns"] for report in (whole, first, second)]
assert waits[0] - 1 <= waits[1] + waits[2] <= waits[0], waits
assert abs(wait[0] - wait[1] - wait[2]) <= 2 * wait[0] / waits[0], wait
assert first["window"]["end_ns"] == second["window"]["start_ns"], first["window"]
for part in (first, second):
    window = part["window"]
    assert window["recording_end_ns"] - window["recording_start_ns"] == 2 * (window["end_ns"] - window["start_ns"]) or \
        window["recording_end_ns"] - window["recording_start_ns"] - 2 * (window["end_ns"] - window["start_ns"]) in (-1, 1)
    assert window["host_events_outside"] > 0 and window["operations_outside"] > 0
print("waits agree")
print("window null in the whole report" if whole["window"] is None else whole["window"])
