# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a copy of a report's page that uses itself as a reader would, and ends
with a list of what held. The page's policy would not let that script run, so
the copy has none. Usage: use_report_page.py PAGE COPY
"""
import re
import sys

FIRST = """
const errors = [];
addEventListener("error", e => errors.push(e.message));
"""

SCRIPT = """
const says = [];
const say = (what, holds) => says.push(what + ": " + Boolean(holds));
function use() {
const timeline = timelines[0], {canvas, output} = timeline;
const span = () => timeline.view.to - timeline.view.from;
const key = k => canvas.dispatchEvent(
  new KeyboardEvent("keydown", {key: k, bubbles: true, cancelable: true}));
timeline.drawing.draw(timeline.view, null);
const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
say("timeline is drawn", new Set(pixels).size > 20);
const before = {...timeline.view};
key("+");
say("zooms in", span() < before.to - before.from);
const at = timeline.view.from;
key("ArrowRight");
say("moves", timeline.view.from > at);
key("Home");
say("shows everything", timeline.view.from === 0 && span() === timeline.recording.length);
key("0");
say("goes home", timeline.view.from === before.from && timeline.view.to === before.to);
key("n");
const first = timeline.selected.item;
say("next wait is selected and described",
  /^cudaMemcpy\\n.*\\nwaits .* us until forward.* is done; then the GPU idles .* because of it/
    .test(output.textContent));
key("n");
key("p");
say("the one before it", timeline.selected.item === first);

key("0");
timeline.drawing.draw(timeline.view, null);
const lane = timeline.recording.lanes.find(l => l.kind === "queue");
const box = canvas.getBoundingClientRect();
const op = lane.rows[0].at((timeline.view.from + timeline.view.to) / 2, span() / 4);
const x = timeline.drawing.x(timeline.recording.ops.start[op]) + 2;
canvas.dispatchEvent(new PointerEvent("pointermove", {
  clientX: box.left + x, clientY: box.top + lane.y + 5, pointerId: 1}));
say("points at an operation", !timeline.tip.hidden &&
  /launched .* before by cudaLaunchKernel/.test(timeline.tip.textContent));

const wheel = () => {
  const was = span();
  const stopped = !canvas.dispatchEvent(new WheelEvent("wheel",
    {deltaY: -200, clientX: box.left + 500, clientY: box.top + 50, cancelable: true}));
  return [was, span(), stopped];
};
canvas.blur();
const [same, still, taken] = wheel();
say("wheel without focus scrolls", same === still && !taken);
canvas.focus();
const [wide, narrow, stopped] = wheel();
say("wheel with focus zooms", narrow < wide && stopped);
for (let i = 0; i < 60; ++i)
  key("-");
for (let i = 0; i < 60; ++i)
  key("ArrowRight");
say("stays inside", timeline.view.from >= 0 && timeline.view.to <= timeline.recording.length);

const sheet = [...document.querySelectorAll("div.sheet")]
  .find(s => s.closest("section").querySelector("h2").textContent.startsWith("API calls"));
const column = () => [...sheet.querySelectorAll("tbody tr")].map(r => numberIn(r.cells[2].textContent));
const sorted = (list, sign) => list.every((v, i) => !i || sign * (list[i - 1] - v) >= 0);
const head = sheet.querySelectorAll("th button")[2];
head.click();
say("sorts", sorted(column(), 1) && head.parentElement.getAttribute("aria-sort") === "descending");
head.click();
say("sorts the other way", sorted(column(), -1));
const sites = [...document.querySelectorAll("div.sheet")].find(s => s.querySelector("input") && s.textContent.includes("cudaMemcpy"));
const filter = sites.querySelector("input");
filter.value = "CUDAmemcpy";
filter.dispatchEvent(new Event("input"));
say("filters", [...sites.querySelectorAll("tbody tr")].filter(r => !r.hidden).length === 1);
}
try {
  use();
} catch (e) {
  errors.push(e.message);
}
document.documentElement.innerHTML = "<pre>errors: " + (errors.join("; ") || "none") +
  "\\n" + says.join("\\n") + "</pre>";
"""

with open(sys.argv[1], encoding="utf-8") as file:
    page = file.read()
page, count = re.subn(r'<meta http-equiv="Content-Security-Policy"[^>]*>',
                      lambda _: f"<script>{FIRST}</script>", page)
assert count == 1
with open(sys.argv[2], "w", encoding="utf-8") as file:
    file.write(page.replace("</body>", f"<script>{SCRIPT}</script></body>"))
