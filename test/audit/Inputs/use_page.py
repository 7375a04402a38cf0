# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a copy of the audit's page that uses itself as a reader would, and
ends with a list of what held. The page's policy would not let that script run,
so the copy has none. Usage: use_page.py PAGE COPY
"""
import re
import sys

SCRIPT = """
const says = [];
const say = (what, holds) => says.push(what + ": " + Boolean(holds));
const form = document.getElementById("filter");
const all = [...document.querySelectorAll("article.finding")];
const shown = () => all.filter(f => f.checkVisibility());
const input = () => form.dispatchEvent(new Event("input", {bubbles: true}));
const key = k => document.dispatchEvent(
  new KeyboardEvent("keydown", {key: k, bubbles: true}));

const rule = all[0].dataset.rule;
form.elements.rule.value = rule;
input();
say("one rule", shown().length && shown().every(f => f.dataset.rule === rule));
const rows = [...document.querySelectorAll(".diagnostics > li")]
  .filter(r => r.querySelector("a[href^='#finding-']"));
say("the list has as many", rows.length === all.length &&
  rows.filter(r => !r.hidden).length === shown().length);
form.elements.rule.value = "";

form.elements.file.value = "WAITS";
input();
say("one file", shown().length && shown().length < all.length &&
  shown().every(f => f.closest("details").dataset.file.includes("waits")));
form.elements.file.value = "";

for (const box of form.querySelectorAll("[name=severity]"))
  box.checked = box.value === "high";
input();
say("other severities hidden", shown().length && shown().length < all.length &&
  shown().every(f => f.dataset.severity === "high"));
for (const box of form.querySelectorAll("[name=severity]"))
  box.checked = true;
input();
say("everything again", shown().length === all.length);

key("n");
say("n leads to a finding", document.activeElement === all[0]);
key("n");
key("p");
say("p leads back", document.activeElement === all[0]);
for (const d of document.querySelectorAll("details"))
  d.open = false;
key("n");
say("nothing hides it", document.activeElement.checkVisibility());
document.body.innerHTML = "<pre>" + says.join("\\n") + "</pre>";
"""

with open(sys.argv[1], encoding="utf-8") as file:
    page = file.read()
page, count = re.subn(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "",
                      page)
assert count == 1
with open(sys.argv[2], "w", encoding="utf-8") as file:
    file.write(page.replace("</body>", f"<script>{SCRIPT}</script></body>"))
