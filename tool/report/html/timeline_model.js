// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a timeline shows, not how it looks: the tables of TimelineData.cpp
// as lanes of rows, and what is found at a place. Times are ns since the start
// of the part that the page has.

const SLICE_KINDS = ["api", "driver", "site", "range", "nvtx"];
const OP_KINDS = ["kernel", "copy", "set", "graph", "other"];

function sums(differences) {
  let at = 0;
  return Float64Array.from(differences, d => at += d);
}

// The index of the first of sorted numbers that is larger than `value`.
function firstBehind(sorted, value) {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= value)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Rows of a table in order of their start, of which those in a span of time
// are found by bisection.
class Row {
  constructor(table, items) {
    this.table = table;
    this.items = items;
    let latest = -Infinity;
    this.reach = items.map(i =>
      latest = Math.max(latest, table.start[i] + table.length[i]));
  }

  // Calls back for each item in between, in order. All items before the first
  // whose reach is after `from` end before it.
  between(from, to, call) {
    for (let i = firstBehind(this.reach, from); i < this.items.length; ++i) {
      const item = this.items[i];
      if (this.table.start[item] >= to)
        return;
      if (this.table.start[item] + this.table.length[item] > from)
        call(item);
    }
  }

  at(time, slack) {
    let best = null, distance = Infinity;
    this.between(time - slack, time + slack, item => {
      const start = this.table.start[item];
      const away = Math.max(start - time, time - start - this.table.length[item], 0);
      if (away <= distance) {
        distance = away;
        best = item;
      }
    });
    return best;
  }
}

class Recording {
  constructor(data) {
    Object.assign(this, data);
    for (const table of [this.slices, this.ops, this.waits, this.gaps])
      table.start = sums(table.start);
    this.steps.start = sums(this.steps.start);
    for (const curve of this.ahead)
      curve.time = sums(curve.time);
    this.waitOfSlice = new Map(this.waits.slice.map((slice, wait) => [slice, wait]));
    this.opsOfSlice = new Map();
    this.ops.launch.forEach((slice, op) => {
      if (slice >= 0)
        this.opsOfSlice.set(slice, [...this.opsOfSlice.get(slice) ?? [], op]);
    });
    this.lanes = [...this.threadLanes(), ...this.deviceLanes()];
  }

  name(index) { return this.names[index]; }

  // By group, each in the order of start.
  static rowsBy(table, groupOf) {
    const groups = new Map();
    for (let i = 0; i < table.start.length; ++i) {
      const group = groupOf(i);
      if (!groups.has(group))
        groups.set(group, []);
      groups.get(group).push(i);
    }
    return groups;
  }

  threadLanes() {
    const lanes = [];
    const byThread = Recording.rowsBy(this.slices, i => this.slices.thread[i]);
    for (const [thread, items] of [...byThread].sort((a, b) => a[0] - b[0])) {
      const rows = [];
      for (const i of items)
        (rows[this.slices.row[i]] ??= []).push(i);
      lanes.push({
        kind: "thread", label: "CPU", more: this.threads[thread] || `thread ${thread}`,
        rows: Array.from(rows, r => new Row(this.slices, r ?? [])),
      });
    }
    return lanes;
  }

  deviceLanes() {
    const lanes = [];
    const byQueue = Recording.rowsBy(this.ops, i => this.ops.queue[i]);
    const byDevice = Recording.rowsBy(this.gaps, i => this.gaps.device[i]);
    for (const [device, label] of this.devices.entries()) {
      const queues = [...byQueue.keys()].sort((a, b) => a - b)
        .filter(q => this.queues[q].device === device);
      const gaps = byDevice.get(device) ?? [];
      if (!queues.length && !gaps.length)
        continue;
      for (const queue of queues)
        lanes.push({kind: "queue", label, more: this.queues[queue].label,
                    rows: [new Row(this.ops, byQueue.get(queue))]});
      lanes.push({kind: "gaps", label, more: "idle, and why",
                  rows: [new Row(this.gaps, gaps)]});
      lanes.push(...this.utilizationLanes(label), ...this.aheadLanes(label));
    }
    return lanes;
  }

  // Lanes of curves have the times at which their value jumps, and the value
  // at a time, up to `top`.
  utilizationLanes(device) {
    const {width, curves} = this.utilization;
    const curve = curves.find(c => c.device === device);
    if (!curve)
      return [];
    const shareAt = (shares, time) => shares[Math.floor(time / width)] ?? 0;
    const words = time => [
      `a kernel runs ${shareAt(curve.kernels, time) / 10} % of the time` +
        (curve.sms.length ? `, in ${shareAt(curve.sms, time) / 10} % of the multiprocessors` : ""),
      `mean of ${duration(width)}`];
    const lane = (kind, label, more, shares) => ({
      kind, label, more: `${more}, ${device}`, words, top: 1000, topText: "max 100 %",
      times: shares.map((_, i) => i * width), valueAt: time => shareAt(shares, time)});
    const lanes = [lane("kernels", "Utilization", "kernels", curve.kernels)];
    if (curve.sms.length)
      lanes.push(lane("sms", "", "SM efficiency", curve.sms));
    return lanes;
  }

  aheadLanes(device) {
    const curve = this.ahead.find(c => c.device === device);
    if (!curve)
      return [];
    const words = time => {
      const {depth, lead} = Recording.aheadAt(curve, time);
      return [`depth ${depth}, lead ${duration(lead)}`,
              "operations launched and not finished, and the GPU time that they still need"];
    };
    const lane = (kind, label, top, topText) => ({
      kind, label, more: `${kind}, ${device}`, words, top, topText: `max ${topText}`,
      times: curve.time, valueAt: time => Recording.aheadAt(curve, time)[kind]});
    const deepest = curve.depth.reduce((a, b) => Math.max(a, b), 1);
    const longest = curve.lead.reduce((a, b) => Math.max(a, b), 1);
    return [lane("depth", "Run-ahead", deepest, deepest),
            lane("lead", "", longest, duration(longest))];
  }

  // Depth and lead at a time: between two points the lead may fall with time.
  static aheadAt(curve, time) {
    const low = Math.max(firstBehind(curve.time, time) - 1, 0);
    if (!curve.time.length || curve.time[low] > time)
      return {depth: 0, lead: 0};
    return {depth: curve.depth[low],
            lead: Math.max(0, curve.lead[low] - (curve.falling[low] ? time - curve.time[low] : 0))};
  }

  // What a reader wants to know of an item: lines of text, the first its name.
  describe(lane, item) {
    const {table} = lane.rows[0];
    const start = `at ${duration(this.from + table.start[item], 6)} of the recording`;
    const length = duration(table.length[item]);
    if (lane.kind === "gaps") {
      return [`GPU idle ${length}: ${this.reasons[table.reason[item]].text}`, start];
    }
    if (lane.kind === "queue") {
      const lines = [this.name(table.name[item]),
                     `${OP_KINDS[table.kind[item]]}, ${length}, ${start}`];
      const launch = table.launch[item];
      if (launch >= 0)
        lines.push(`launched ${duration(table.start[item] - this.slices.start[launch])} before by ` +
          this.name(this.slices.name[launch]));
      return lines;
    }
    const place = this.name(table.place[item]);
    const lines = [this.name(table.name[item]) + (place ? `, ${place}` : ""), `${length}, ${start}`];
    const wait = this.waitOfSlice.get(item);
    if (wait !== undefined)
      lines.push(this.describeWait(wait));
    return lines;
  }

  describeWait(wait) {
    const {length, op, exposed, place} = this.waits;
    const at = this.name(place[wait]);
    return `waits ${duration(length[wait])}` +
      (op[wait] >= 0 ? ` until ${this.name(this.ops.name[op[wait]])} is done` : "") +
      (exposed[wait] ? `; then the GPU idles ${duration(exposed[wait])} because of it`
                     : "; the GPU has more work queued, so it costs nothing") +
      (at ? ` (${at})` : "");
  }
}

// "27.4 us". `digits`: significant ones.
function duration(ns, digits = 3) {
  const [unit, size] = ns < 999.5 ? ["ns", 1] : ns < 999.5e3 ? ["us", 1e3]
    : ns < 999.5e6 ? ["ms", 1e6] : ["s", 1e9];
  const value = ns / size;
  const whole = Math.max(1, Math.floor(Math.log10(Math.max(value, 1))) + 1);
  return `${value.toFixed(size === 1 ? 0 : Math.max(0, digits - whole))} ${unit}`;
}
