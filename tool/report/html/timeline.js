// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a timeline is used: mouse, wheel, keys.

const MIN_VIEW = 200; // ns

class Timeline {
  constructor(section) {
    this.recording = new Recording(JSON.parse(
      section.querySelector("script[type='application/json']").textContent));
    this.home = {from: this.recording.viewFrom, to: this.recording.viewTo};
    if (this.home.to - this.home.from < MIN_VIEW)
      this.home = {from: 0, to: this.recording.length};
    this.view = {...this.home};
    this.selected = null;
    this.pointer = null; // While it is down.
    this.build(section.querySelector(".stage"),
               section.closest("section").querySelector("h2").textContent);
    this.drawing = new Drawing(this.canvas, this.recording);
    this.listen();
    this.draw();
  }

  build(stage, title) {
    stage.hidden = false;
    const tools = document.createElement("div");
    tools.className = "tools";
    const button = (text, label, act) => {
      const b = document.createElement("button");
      b.type = "button";
      b.textContent = text;
      b.setAttribute("aria-label", label);
      b.addEventListener("click", act);
      tools.append(b);
    };
    button("Start", "Back to where the timeline opened", () => this.show(this.home));
    button("All", "Show all that this page has", () => this.show({from: 0, to: this.recording.length}));
    button("\u2212", "Zoom out", () => this.zoom(2));
    button("+", "Zoom in", () => this.zoom(1 / 2));
    if (this.recording.waits.start.length) {
      button("\u2039 wait", "The wait before", () => this.nextWait(-1));
      button("wait \u203a", "The next wait", () => this.nextWait(1));
    }
    const keys = document.createElement("span");
    keys.className = "keys";
    keys.textContent = "drag to move; click, then wheel or + \u2212 \u2190 \u2192; n p: waits; 0: start";
    tools.append(keys);

    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", `${title}: CPU threads, GPU streams, idle ` +
      "GPU by cause, utilization, and run-ahead on one axis. Arrow keys move, plus and minus " +
      "zoom, n and p go from wait to wait. The tables on this page say the same in numbers.");
    this.output = document.createElement("output");
    this.output.setAttribute("aria-live", "polite");
    this.tip = document.createElement("div");
    this.tip.className = "tip";
    this.tip.hidden = true;
    stage.append(tools, this.canvas, this.legend(), this.output);
    document.body.append(this.tip);
    this.say(null);
  }

  legend() {
    const list = document.createElement("ul");
    list.className = "legend";
    const {recording} = this;
    const entry = (color, text) => {
      const item = document.createElement("li");
      const key = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      const box = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      key.setAttribute("aria-hidden", "true");
      for (const [name, value] of [["width", 14], ["height", 10], ["rx", 2]])
        box.setAttribute(name, value);
      box.style.fill = `var(--${color})`;
      key.append(box);
      item.append(key, text);
      list.append(item);
    };
    if (recording.slices.kind.includes(0))
      entry("api", "call of CUDA");
    if (recording.slices.kind.includes(2))
      entry("site", "call in the source");
    if (recording.waits.start.length)
      entry("exposed_wait", "striped: the CPU waits for the GPU");
    if (recording.ops.kind.includes(0))
      entry("busy", "kernel");
    if (recording.ops.kind.includes(1))
      entry("copy", "copy");
    const seen = new Set(recording.gaps.reason);
    const phrases = new Map(recording.reasons.filter((_, reason) => seen.has(reason))
      .map(({cause, phrase}) => [cause, phrase]));
    for (const [cause, phrase] of phrases)
      entry(cause, "idle: " + phrase);
    return list;
  }

  draw() {
    if (this.frame)
      return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.drawing.draw(this.view, this.selected);
    });
  }

  show({from, to}) {
    const {length} = this.recording;
    const span = Math.min(Math.max(to - from, MIN_VIEW), length);
    const start = Math.min(Math.max(from, 0), length - span);
    this.view = {from: start, to: start + span};
    this.tip.hidden = true;
    this.draw();
  }

  zoom(factor, around = (this.view.from + this.view.to) / 2) {
    const span = Math.min(Math.max((this.view.to - this.view.from) * factor, MIN_VIEW),
                          this.recording.length);
    const part = (around - this.view.from) / (this.view.to - this.view.from);
    this.show({from: around - part * span, to: around + (1 - part) * span});
  }

  move(by) { this.show({from: this.view.from + by, to: this.view.to + by}); }

  // The lane and item under a point, or null.
  at(x, y) {
    const time = this.drawing.time(x);
    const slack = 3 * (this.view.to - this.view.from) / this.drawing.width;
    const lane = this.recording.lanes.find(l => y >= l.y && y < l.y + l.height);
    if (!lane || x < this.drawing.gutter)
      return null;
    if (lane.words)
      return {lane, time};
    const row = lane.rows[Math.floor((y - lane.y) / (ROW + ROW_GAP))];
    const item = row?.at(time, slack) ?? null;
    return item === null ? null : {lane, item};
  }

  linesOf(found) {
    if (found.lane.words)
      return found.lane.words(found.time);
    return this.recording.describe(found.lane, found.item);
  }

  say(found) {
    const bold = document.createElement("b");
    const [first, ...rest] = found ? this.linesOf(found)
      : ["", "Point at something to see what it is; click to keep it here."];
    bold.textContent = first;
    this.output.replaceChildren(bold, (first ? "\n" : "") + rest.join("\n"));
  }

  select(found) {
    this.selected = found && !found.lane.words ? found : null;
    this.say(found);
    this.draw();
  }

  nextWait(direction) {
    const {waits, slices, lanes} = this.recording;
    const middle = (this.view.from + this.view.to) / 2;
    const current = this.selected?.lane.kind === "thread"
      ? this.recording.waitOfSlice.get(this.selected.item) : undefined;
    let next;
    if (current !== undefined)
      next = current + direction;
    else
      next = direction > 0 ? waits.start.findIndex(t => t >= middle)
                           : waits.start.findLastIndex(t => t < middle);
    if (next < 0 || next >= waits.start.length)
      return;
    const slice = waits.slice[next];
    const lane = lanes.find(l => l.kind === "thread" &&
      l.rows[slices.row[slice]]?.items.includes(slice));
    const span = Math.max(4 * (waits.length[next] + waits.exposed[next]), 20_000);
    const center = waits.start[next] + (waits.length[next] + waits.exposed[next]) / 2;
    this.show({from: center - span / 2, to: center + span / 2});
    this.select({lane, item: slice});
  }

  listen() {
    const {canvas} = this;
    canvas.addEventListener("pointerdown", e => this.down(e));
    canvas.addEventListener("pointermove", e => this.moved(e));
    for (const type of ["pointerup", "pointercancel"])
      canvas.addEventListener(type, e => this.up(e));
    canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    canvas.addEventListener("wheel", e => this.wheel(e), {passive: false});
    canvas.addEventListener("dblclick", e => this.zoom(1 / 3, this.drawing.time(e.offsetX)));
    canvas.addEventListener("keydown", e => this.key(e));
    // At once: a printer does not wait for the next frame.
    const again = () => {
      this.drawing.layOut();
      this.drawing.draw(this.view, this.selected);
    };
    new ResizeObserver(again).observe(canvas.parentElement);
    for (const query of ["(prefers-color-scheme: dark)", "print"])
      matchMedia(query).addEventListener("change", again);
  }

  down(e) {
    this.pointer ||= {id: e.pointerId, x: e.offsetX, startX: e.offsetX};
    this.canvas.setPointerCapture(e.pointerId);
  }

  moved(e) {
    const {pointer} = this;
    if (!pointer)
      return this.hover(e);
    if (pointer.id !== e.pointerId)
      return; // Another finger.
    const before = pointer.x;
    const perPixel = (this.view.to - this.view.from) / (this.drawing.width - this.drawing.gutter);
    pointer.x = e.offsetX;
    if (Math.abs(pointer.x - pointer.startX) > 3)
      this.move((before - pointer.x) * perPixel);
  }

  up(e) {
    const {pointer} = this;
    if (pointer?.id !== e.pointerId)
      return;
    this.pointer = null;
    if (e.type === "pointerup" && Math.abs(pointer.x - pointer.startX) <= 3)
      this.select(this.at(e.offsetX, e.offsetY));
  }

  hover(e) {
    const found = this.at(e.offsetX, e.offsetY);
    this.tip.hidden = !found;
    if (!found)
      return;
    this.tip.textContent = this.linesOf(found).join("\n");
    const {width, height} = this.tip.getBoundingClientRect();
    const x = Math.min(e.clientX + 14, innerWidth - width - 8);
    const y = e.clientY + 18 + height > innerHeight ? e.clientY - height - 10 : e.clientY + 18;
    this.tip.style.transform = `translate(${Math.max(x, 8)}px, ${y}px)`;
  }

  // Without focus the wheel scrolls the page: the reader may only be passing.
  wheel(e) {
    const perPixel = (this.view.to - this.view.from) / this.drawing.width;
    if (Math.abs(e.deltaX) > Math.abs(e.deltaY) || e.shiftKey) {
      this.move((e.deltaX || e.deltaY) * perPixel);
    } else if (e.ctrlKey || document.activeElement === this.canvas) {
      this.zoom(Math.exp(Math.max(-1, Math.min(1, e.deltaY / 300))), this.drawing.time(e.offsetX));
    } else {
      return;
    }
    e.preventDefault();
  }

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey)
      return;
    const quarter = (this.view.to - this.view.from) / 4;
    const act = {
      ArrowLeft: () => this.move(-quarter), a: () => this.move(-quarter),
      ArrowRight: () => this.move(quarter), d: () => this.move(quarter),
      "+": () => this.zoom(1 / 1.6), "=": () => this.zoom(1 / 1.6), w: () => this.zoom(1 / 1.6),
      "-": () => this.zoom(1.6), s: () => this.zoom(1.6),
      "0": () => this.show(this.home), Home: () => this.show({from: 0, to: this.recording.length}),
      n: () => this.nextWait(1), p: () => this.nextWait(-1),
      Escape: () => this.select(null),
    }[e.key];
    if (!act)
      return;
    act();
    e.preventDefault();
  }
}

const timelines = [...document.querySelectorAll(".timeline")]
  .map(section => new Timeline(section));
// Two of them are compared: one scale.
const widest = Math.max(...timelines.map(t => t.home.to - t.home.from));
for (const timeline of timelines) {
  timeline.home.to = timeline.home.from + widest;
  timeline.show(timeline.home);
}
