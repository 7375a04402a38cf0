# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what all of autoprof's pages promise: elements nest, ids are unique,
links lead somewhere on the page, nothing is loaded, and the policy names the
page's own style and script and no other."""
import base64
import hashlib
import html.parser
import re

VOID = {"meta", "input", "wbr"}
KNOWN = VOID | set(
    "html head title style body header h1 h2 h3 p section table thead tbody tr "
    "th td a details summary form fieldset legend label select option output "
    "span kbd main div code mark i b em article aside ol ul li dl dt dd svg "
    "rect line path nav noscript pre script".split())
# May be left open by the standard, but are not here: all must be closed.


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.open, self.ids, self.links = [], [], []
        self.texts = {"script": "", "style": ""}
        self.data = []  # Of scripts that are JSON.
        self.policy = ""
        with open(path, "rb") as file:
            self.text = file.read().decode("utf-8")  # it is UTF-8
        assert not re.search("[\0-\x08\x0b-\x1f\x7f]", self.text), \
            "control characters"
        self.feed(self.text)
        self.close()
        self.check()

    def element(self, tag, attributes):
        """For those who look for more."""

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
        self.element(tag, attributes)
        if tag == "script" and attributes.get("type") == "application/json":
            self.open.append("json")
            self.data.append("")
        elif tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        top = "script" if self.open[-1:] == ["json"] else self.open[-1:]
        assert top in (tag, [tag]), \
            f"</{tag}> closes {self.open[-1:]} at {self.getpos()}"
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] in self.texts:
            self.texts[self.open[-1]] += data
        elif self.open and self.open[-1] == "json":
            self.data[-1] += data

    def check(self):
        assert not self.open, f"not closed: {self.open}"
        assert len(set(self.ids)) == len(self.ids), "an id stands there twice"
        assert set(self.links) <= set(self.ids), set(self.links) - set(self.ids)
        for name, content in self.texts.items():
            assert content and f"{name}-src {digest(content)}" in self.policy, name
        assert "default-src 'none'" in self.policy


def digest(text):
    return "'sha256-" + base64.b64encode(
        hashlib.sha256(text.encode()).digest()).decode() + "'"
