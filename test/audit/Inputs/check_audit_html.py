# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the audit's page: elements nest, ids are unique, links lead somewhere
on the page, nothing is loaded, the policy names the page's own style and script
and no other, and it has the findings and calls of the audit's JSON.
Usage: check_audit_html.py PAGE JSON
"""
import base64
import hashlib
import html.parser
import json
import re
import sys

VOID = {"meta", "input", "wbr"}
KNOWN = VOID | set(
    "html head title style body header h1 h2 h3 p section table tr th td a "
    "details summary form fieldset legend label select option output span kbd "
    "main div code mark i em article ol ul li script".split())
# May be left open by the standard, but are not here: all must be closed.


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links = [], [], []
        self.texts = {"script": "", "style": ""}
        self.findings, self.marks, self.policy = [], [], ""
        self.lines = {}

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        assert tag in KNOWN, f"<{tag}> at {self.getpos()}"
        for name, value in attributes.items():
            assert not name.startswith("on") and name not in ("src", "style"), \
                f"{name} at {self.getpos()}"
            if name == "id":
                self.ids.append(value)
            if name == "href":
                assert value.startswith("#"), value
                self.links.append(value[1:])
        if "content" in attributes and "http-equiv" in attributes:
            self.policy = attributes["content"]
        if tag == "article":
            self.findings.append((attributes["data-rule"],
                                  attributes["data-severity"]))
        if tag == "mark":
            self.marks.append(attributes["class"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, \
            f"</{tag}> closes {self.open[-1:]} at {self.getpos()}"
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] in self.texts:
            self.texts[self.open[-1]] += data


def digest(text):
    return "'sha256-" + base64.b64encode(
        hashlib.sha256(text.encode()).digest()).decode() + "'"


def main():
    with open(sys.argv[1], "rb") as file:
        text = file.read().decode("utf-8")  # it is UTF-8
    with open(sys.argv[2], encoding="utf-8") as file:
        report = json.load(file)
    assert not re.search("[\0-\x08\x0b-\x1f\x7f]", text), "control characters"
    page = Page()
    page.feed(text)
    page.close()
    assert not page.open, f"not closed: {page.open}"
    assert len(set(page.ids)) == len(page.ids), "an id stands there twice"
    assert set(page.links) <= set(page.ids), set(page.links) - set(page.ids)
    for name, content in page.texts.items():
        assert content and f"{name}-src {digest(content)}" in page.policy, name
    assert "default-src 'none'" in page.policy
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
