# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the audit's page: what html_page.py checks, and that it has the
findings and calls of the audit's JSON.
Usage: check_audit_html.py PAGE JSON
"""
import json
import os
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "../../Inputs"))
import html_page


class Page(html_page.Page):
    def __init__(self, path):
        self.findings, self.marks = [], []
        super().__init__(path)

    def element(self, tag, attributes):
        if tag == "article":
            self.findings.append((attributes["data-rule"],
                                  attributes["data-severity"]))
        if tag == "mark":
            self.marks.append(attributes["class"])


def main():
    with open(sys.argv[2], encoding="utf-8") as file:
        report = json.load(file)
    page = Page(sys.argv[1])
    text = page.text
    assert sorted(page.findings) == sorted(
        (f["rule"], f["severity"]) for f in report["findings"]), page.findings
    # The one at the end of the long line is beyond the part that is shown.
    assert len(page.marks) == len(report["sites"]) - 1, page.marks
    assert "more bytes</em><span class=\"a y\">waits</span>" in text
    # The hostile lines are there, as text.
    assert "&lt;/code&gt;&lt;script&gt;" in text and "&lt;img src=x" in text
    assert "\ufffd" in text and "\u2401" in text and "\u241b[31m" in text
    assert "\t\t" in text and "\u202e" not in text


main()
