// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a timeline looks: lanes on a canvas, all on one axis.

const ROW = 17, ROW_GAP = 1, LANE_GAP = 9, CURVE = 46, AXIS = 24;
const NARROW = 640, GUTTER = 118, LABEL = 14;

const FONT = "11px system-ui, sans-serif";

// The page's colors in its present style.
function palette() {
  const style = getComputedStyle(document.documentElement);
  const cache = new Map();
  return name => {
    if (!cache.has(name))
      cache.set(name, style.getPropertyValue("--" + name).trim());
    return cache.get(name);
  };
}

class Drawing {
  constructor(canvas, recording) {
    this.canvas = canvas;
    this.recording = recording;
    this.context = canvas.getContext("2d");
    this.widths = new Map();
    this.layOut();
  }

  // Where the lanes are, for the canvas's width.
  layOut() {
    this.width = this.canvas.clientWidth || 800;
    this.color = palette();
    this.gutter = this.width < NARROW ? 0 : GUTTER;
    let y = AXIS + 4;
    for (const lane of this.recording.lanes) {
      y += this.gutter ? 0 : LABEL;
      lane.y = y;
      lane.height = lane.rows ? lane.rows.length * (ROW + ROW_GAP) : CURVE;
      y += lane.height + (lane.kind === "queue" ? 3 : LANE_GAP);
    }
    this.height = y + LABEL;
    const scale = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(this.width * scale);
    this.canvas.height = Math.round(this.height * scale);
    this.canvas.style.height = this.height + "px";
    this.context.setTransform(scale, 0, 0, scale, 0, 0);
    this.hatch = this.makeHatch();
  }

  // Stripes, too, distinguish waits from other parts of calls.
  makeHatch() {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 6;
    const c = tile.getContext("2d");
    c.fillStyle = this.color("exposed_wait");
    c.fillRect(0, 0, 6, 6);
    c.strokeStyle = this.color("panel");
    c.globalAlpha = .45;
    c.lineWidth = 1.6;
    c.beginPath();
    for (const shift of [-6, 0, 6]) {
      c.moveTo(shift, 6);
      c.lineTo(shift + 6, 0);
    }
    c.stroke();
    return this.context.createPattern(tile, "repeat");
  }

  x(time) {
    const {from, to} = this.view;
    return this.gutter + (time - from) / (to - from) * (this.width - this.gutter);
  }

  time(x) {
    const {from, to} = this.view;
    return from + (x - this.gutter) / (this.width - this.gutter) * (to - from);
  }

  draw(view, selected) {
    this.view = view;
    const c = this.context;
    c.clearRect(0, 0, this.width, this.height);
    c.font = FONT;
    c.textBaseline = "middle";
    this.drawAxis();
    c.save();
    c.beginPath();
    c.rect(this.gutter, 0, this.width - this.gutter, this.height);
    c.clip();
    this.drawSteps();
    for (const lane of this.recording.lanes)
      lane.rows ? this.drawRows(lane) : this.drawCurve(lane);
    this.drawWaits();
    if (selected)
      this.drawSelection(selected);
    c.restore();
    this.drawLabels();
  }

  drawAxis() {
    const c = this.context, {from, to} = this.view;
    const least = (to - from) / Math.max(1, (this.width - this.gutter) / 105);
    const power = 10 ** Math.floor(Math.log10(least));
    const step = power * [1, 2, 5, 10].find(f => f * power >= least);
    const first = Math.ceil((this.recording.from + from) / step) * step;
    const end = this.recording.from + to;
    const [unit, size] = end < 1e4 ? ["ns", 1] : end < 1e7 ? ["us", 1e3]
      : end < 1e10 ? ["ms", 1e6] : ["s", 1e9];
    const digits = Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9));
    c.strokeStyle = this.color("grid");
    c.fillStyle = this.color("quiet");
    c.lineWidth = 1;
    c.beginPath();
    for (let at = first; at < end; at += step) {
      const x = Math.round(this.x(at - this.recording.from)) + .5;
      c.moveTo(x, AXIS);
      c.lineTo(x, this.height);
      c.fillText(`${(at / size).toFixed(digits)} ${unit}`, x + 4, AXIS / 2 + 1);
    }
    c.stroke();
  }

  drawSteps() {
    const c = this.context, {start, number} = this.recording.steps;
    c.strokeStyle = this.color("quiet");
    c.fillStyle = this.color("quiet");
    c.setLineDash([2, 3]);
    let last = -Infinity;
    for (let i = 0; i < start.length; ++i) {
      const x = Math.round(this.x(start[i])) + .5;
      if (x < this.gutter || x > this.width || x - last < 12)
        continue;
      last = x;
      c.beginPath();
      c.moveTo(x, AXIS);
      c.lineTo(x, this.height);
      c.stroke();
      c.fillText(`step ${number[i]}`, x + 3, this.height - 6);
    }
    c.setLineDash([]);
  }

  colorOf(lane, item) {
    const {table} = lane.rows[0];
    if (lane.kind === "gaps")
      return this.color(this.recording.reasons[table.reason[item]].cause);
    if (lane.kind === "thread")
      return this.color(SLICE_KINDS[table.kind[item]]);
    const kind = OP_KINDS[table.kind[item]];
    if (kind === "copy" || kind === "set")
      return this.color(kind);
    return this.color(["busy", "busy-2", "busy-3"][table.name[item] % 3]);
  }

  textOf(lane, item) {
    const {table} = lane.rows[0];
    if (lane.kind !== "gaps")
      return this.recording.name(table.name[item]);
    const {label, phrase} = this.recording.reasons[table.reason[item]];
    return label || phrase;
  }

  drawRows(lane) {
    const c = this.context, {from, to} = this.view;
    const dark = ["queue", "gaps"].includes(lane.kind);
    lane.rows.forEach((row, index) => {
      const y = lane.y + index * (ROW + ROW_GAP);
      let drawn = -Infinity;
      row.between(from, to, item => {
        const start = row.table.start[item];
        const x0 = Math.max(this.x(start), this.gutter - 2);
        const x1 = Math.min(this.x(start + row.table.length[item]), this.width + 2);
        if (x1 < drawn + .4)
          return; // Within a pixel that is drawn already.
        const width = Math.max(x1 - x0 - (x1 - x0 > 3 ? .8 : 0), .8);
        drawn = x0 + width;
        c.fillStyle = this.colorOf(lane, item);
        c.fillRect(x0, y, width, ROW);
        if (width > 24)
          this.drawText(this.textOf(lane, item), x0 + 4, y + ROW / 2 + .5, width - 7,
                        dark ? this.onBar(lane, item) : this.color("text"));
      });
    });
  }

  onBar(lane, item) {
    if (lane.kind === "gaps" &&
        this.recording.reasons[lane.rows[0].table.reason[item]].cause === "back_to_back")
      return this.color("text");
    return this.color("on-bar-text");
  }

  drawText(text, x, y, room, color) {
    const c = this.context;
    let width = this.widths.get(text);
    if (width === undefined)
      this.widths.set(text, width = c.measureText(text).width);
    if (width > room) {
      const fits = Math.floor(text.length * room / width) - 1;
      if (fits < 3)
        return;
      text = text.slice(0, fits) + "\u2026";
    }
    c.fillStyle = color;
    c.fillText(text, x, y);
  }

  drawCurve(lane) {
    const c = this.context, {times, valueAt, top} = lane, {from, to} = this.view;
    const base = lane.y + lane.height - 1;
    const y = value => base - value / top * (lane.height - 6);
    const end = Math.min(to, this.recording.length);
    c.beginPath();
    c.moveTo(this.gutter, base);
    // Along the value that the time before leads to, then up to its own.
    c.lineTo(this.gutter, y(valueAt(from)));
    for (let i = firstBehind(times, from); i < times.length && times[i] < end; ++i) {
      c.lineTo(this.x(times[i]), y(valueAt(times[i] - .001)));
      c.lineTo(this.x(times[i]), y(valueAt(times[i])));
    }
    c.lineTo(this.x(end), y(valueAt(end - .001)));
    c.strokeStyle = this.color(lane.kind);
    c.lineWidth = 1.2;
    c.stroke();
    c.lineTo(this.x(end), base);
    c.globalAlpha = .2;
    c.fillStyle = c.strokeStyle;
    c.fill();
    c.globalAlpha = 1;
    c.fillStyle = this.color("grid");
    c.fillRect(this.gutter, base, this.width, 1);
  }

  drawWaits() {
    const c = this.context, {waits, slices} = this.recording, {from, to} = this.view;
    for (const lane of this.recording.lanes) {
      if (lane.kind !== "thread")
        continue;
      lane.rows.forEach((row, index) => row.between(from, to, item => {
        const wait = this.recording.waitOfSlice.get(item);
        if (wait === undefined)
          return;
        const x0 = this.x(waits.start[wait]);
        const width = Math.max(this.x(waits.start[wait] + waits.length[wait]) - x0, 1.5);
        const y = lane.y + index * (ROW + ROW_GAP);
        c.fillStyle = this.hatch;
        c.fillRect(x0, y, width, ROW);
        const name = this.recording.name(slices.name[item]);
        if (width > 46) {
          c.fillStyle = this.color("veil");
          const text = Math.min(c.measureText("waits: " + name).width, width - 10);
          c.fillRect(x0 + 3, y + 2, text + 5, ROW - 4);
          this.drawText("waits: " + name, x0 + 5, y + ROW / 2 + .5, width - 9, this.color("text"));
        }
      }));
    }
  }

  // The item, and what launched it, what it launched, or what it waited for.
  drawSelection({lane, item}) {
    const here = this.box(lane, item);
    if (!here)
      return;
    const {recording} = this, others = [];
    if (lane.kind === "queue" && recording.ops.launch[item] >= 0)
      others.push(this.boxOfSlice(recording.ops.launch[item]));
    if (lane.kind === "thread") {
      for (const op of (recording.opsOfSlice.get(item) ?? []).slice(0, 50))
        others.push(this.boxOfOp(op));
      const wait = recording.waitOfSlice.get(item);
      if (wait !== undefined && recording.waits.op[wait] >= 0)
        others.push({...this.boxOfOp(recording.waits.op[wait]), toEnd: true});
    }
    const c = this.context;
    c.strokeStyle = this.color("text");
    c.lineWidth = 1.6;
    c.strokeRect(here.x0 - .5, here.y - .5, Math.max(here.x1 - here.x0, 2) + 1, ROW + 1);
    c.lineWidth = 1;
    for (const other of others) {
      if (!other)
        continue;
      const [upper, lower] = here.y < other.y ? [here, other] : [other, here];
      c.beginPath();
      c.moveTo(upper.x0, upper.y + ROW);
      c.lineTo(other.toEnd ? lower.x1 : lower.x0, lower.y);
      c.stroke();
      c.strokeRect(other.x0 - .5, other.y - .5, Math.max(other.x1 - other.x0, 2) + 1, ROW + 1);
    }
  }

  box(lane, item) {
    const row = lane.rows.findIndex(r => r.items.includes(item));
    if (row < 0)
      return null;
    const {start, length} = lane.rows[row].table;
    return {x0: this.x(start[item]), x1: this.x(start[item] + length[item]),
            y: lane.y + row * (ROW + ROW_GAP)};
  }
  boxOfOp(op) {
    const lane = this.recording.lanes.find(l => l.kind === "queue" && l.rows[0].items.includes(op));
    return lane && this.box(lane, op);
  }
  boxOfSlice(slice) {
    const lane = this.recording.lanes.find(l => l.kind === "thread" &&
      l.rows[this.recording.slices.row[slice]]?.items.includes(slice));
    return lane && this.box(lane, slice);
  }

  drawLabels() {
    const c = this.context;
    let before = "";
    for (const lane of this.recording.lanes) {
      const label = lane.label === before ? "" : lane.label;
      before = lane.label || before;
      if (!this.gutter) {
        this.drawText([lane.label, lane.more, lane.topText].filter(Boolean).join(", "), 4,
                      lane.y - LABEL / 2, this.width - 8, this.color("quiet"));
        continue;
      }
      let y = lane.y + ROW / 2;
      const room = this.gutter - 16;
      if (label) {
        const width = c.measureText(label).width;
        this.drawText(label, 8, y, room, this.color("text"));
        if (lane.height < 2 * ROW) {
          this.drawText(lane.more, 8 + width + 6, y, room - width - 6, this.color("quiet"));
          continue;
        }
        y += 13;
      }
      this.drawText(lane.more, 8, y, room, this.color("quiet"));
      if (lane.topText)
        this.drawText(lane.topText, 8, y + 13, room, this.color("quiet"));
    }
  }
}
