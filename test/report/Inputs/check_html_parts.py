# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of a report's page beside the report's JSON. Prints what agrees.
Usage: check_html_parts.py PAGE JSON
"""
import json
import os
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


page = Tables(sys.argv[1])
with open(sys.argv[2], encoding="utf-8") as file:
    report = json.load(file)
print("headline:", page.title)
print("links:", *page.targets)

expected = [f["rule"] for f in report["findings"]]
assert page.rules == expected, (page.rules, expected)
print("findings: as in the report")

for key, heading in [("kernels", "Kernels, copies"), ("apis", "API calls"),
                     ("memory_operations", "Memory operations"), ("ranges", "Ranges")]:
    (table,) = [t for h, t in page.tables.items() if h.startswith(heading)]
    counts = [int(row[1].replace(",", "")) for row in table[1:]]
    assert counts == [row["count"] for row in report[key]], key
    print(key + ": as in the report")
