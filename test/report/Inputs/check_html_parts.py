# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of a report's page beside the report's JSON. Prints what agrees.
Usage: check_html_parts.py PAGE JSON
"""
import json
import os
import re
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "../../Inputs"))
import html_page


class Tables(html_page.Page):
    """Tables by their heading, rows of cells; findings by their rule."""

    def __init__(self, path):
        self.tables, self.cell, self.heading, self.title = {}, None, "", ""
        self.rules, self.targets = [], []
        super().__init__(path)

    def element(self, tag, attributes):
        if tag in ("h1", "h2", "td", "th", "code"):
            self.cell = ""
        elif tag == "tr":
            self.tables.setdefault(self.heading, []).append([])
        elif tag == "a":
            self.targets.append(attributes["href"][1:])

    def handle_data(self, data):
        super().handle_data(data)
        if self.cell is not None:
            self.cell += data

    def handle_endtag(self, tag):
        super().handle_endtag(tag)
        if tag == "h1":
            self.title = self.cell
        elif tag == "h2":
            self.heading = self.cell
        elif tag in ("td", "th"):
            self.tables[self.heading][-1].append(self.cell)
        elif tag == "code" and self.heading == "Findings":
            self.rules.append(self.cell)
        if tag in ("h1", "h2", "td", "th", "code"):
            self.cell = None


UNITS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def interval(text):
    """"14.0 to 18.2 us" in ns, as far as it was rounded."""
    numbers, unit = re.fullmatch(r"(.*) (ns|us|ms|s)", text).groups()
    low, _, high = numbers.partition(" to ")
    return float(low) * UNITS[unit], float(high or low) * UNITS[unit]


def close(shown, exact):
    return abs(shown - exact) <= 0.006 * exact + 1


page = Tables(sys.argv[1])
with open(sys.argv[2], encoding="utf-8") as file:
    report = json.load(file)
print("headline:", page.title)
print("links:", *page.targets)

steps = report["steps"]["measured"]
changes = page.tables["Gains from changing the waits"][1:]
answers = [row for row in report["what_if"] if row["sites"] or row["question"] == "remove_all"]
assert len(changes) == len(answers), changes
for row, answer in zip(changes, answers):
    shown = interval(row[3])
    assert close(shown[0], answer["gain_low_ns"] / steps), (row, answer)
    assert close(shown[1], answer["gain_high_ns"] / steps), (row, answer)
    estimate, _, range_ = row[1].removeprefix("about ").rstrip(")").removesuffix(", perhaps nothing").partition(" (")
    gain = answer["expected_gain"]
    assert gain["middle_ns"] == answer["unrecorded_middle_ns"] // steps, answer
    assert close(interval(estimate)[1], gain["middle_ns"]), (row, answer)
    shown = interval(range_)
    assert close(shown[0], max(0, gain["low_ns"])), (row, answer)
    assert close(shown[1], gain["high_ns"]), (row, answer)
    if answer["question"] == "postpone":
        (expected,) = [s["expected_gain"] for s in report["sites"] if s["verdict"] == "postpone"]
        assert expected["runs"] == "unrecorded" and expected["change"] == "postpone", expected
        assert expected["middle_ns"] == report["answer"]["mild"]["middle_ns"], expected
        print(row[0] + ": as in what_if[]")

expected = [f["rule"] for f in report["findings"] if f["rule"] != "exposed-wait"]
assert page.rules == expected, (page.rules, expected)
print("findings: as in the report")

for key, heading in [("kernels", "Kernels, copies"), ("apis", "API calls"),
                     ("memory_operations", "Memory operations"), ("ranges", "Ranges")]:
    (table,) = [t for h, t in page.tables.items() if h.startswith(heading)]
    counts = [int(row[1].replace(",", "")) for row in table[1:]]
    assert counts == [row["count"] for row in report[key]], key
    print(key + ": as in the report")
