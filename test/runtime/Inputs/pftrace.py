# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads a trace of libautoprof.so (docs/trace-format.md) with nothing but
Python, so that GPU machines without packages can check recordings.

As a command: prints one line for each event, times in ns since the first
snapshot, sorted by kind. `--check` only says what breaks the format.
"""
import json
import struct
import sys
import urllib.parse
import zlib


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def fields(data):
    """The fields of a message as (number, value); value is int or bytes."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 2:
            size, at = varint(data, at)
            if at + size > len(data):
                raise IndexError("message ends early")
            value, at = data[at:at + size], at + size
        elif kind == 1:
            value, at = int.from_bytes(data[at:at + 8], "little"), at + 8
        elif kind == 5:
            value, at = int.from_bytes(data[at:at + 4], "little"), at + 4
        else:
            raise ValueError("wire type %d" % kind)
        yield tag >> 3, value


def one(data, number, default=None):
    for n, value in fields(data):
        if n == number:
            return value
    return default


def text(data, number):
    value = one(data, number)
    return None if value is None else value.decode()


def words(description):
    return dict(w.split("=", 1) for w in description.split() if "=" in w)


CATEGORIES = ["cuda_api", "cuda_driver", "site", "range", "cuda_sync", "overhead", "autoprof",
              "stack", "memory", "nvtx"]


class Sequence:
    def __init__(self):
        self.track = None
        self.names = {}
        self.notes = {}
        self.texts = {}  # Of annotations.
        self.categories = {}
        self.places = {}
        self.specs = {}
        self.sites = {}
        self.bound = {}  # Names that stand for sites.
        self.open = None
        self.base = 0  # CLOCK_MONOTONIC at zero of the trace's clock
        self.clock = None
        self.sum = None  # What the next time of clock 65 is added to.

    def time(self, value, clock):
        if (clock or self.clock) != 65:
            return self.base + value
        self.sum += value
        return self.base + self.sum


class Trace:
    """slices: dicts tid, category, name, start, end, id, site, place.
    gpu: dicts queue, name, words, start, end, id, device.
    syncs, overheads, memory, stacks: dicts of annotations with start and id.
    meta: name -> list of (time, document). problems: broken promises."""

    def __init__(self, path):
        self.slices, self.gpu, self.syncs, self.overheads, self.stacks = [], [], [], [], []
        self.memory = []
        self.meta, self.tracks, self.problems, self.marks = {}, {}, [], []
        self.rows = {}  # Site id -> (file, line, function, callee)
        self.snapshots, self.packets, self.left = 0, 0, 0
        self.sequences = {}
        with open(path, "rb") as file:
            data = file.read()
        self.size = len(data)
        self.left = len(data) - self.read(data)
        for s in self.sequences.values():
            if s.open and "end" in self.meta:
                self.problem("slice %s is not closed" % s.open["name"])
        for crossing in self.crossings():
            self.problem(crossing)

    def read(self, data):
        """All whole packets; returns where the first broken one begins."""
        at = 0
        while at < len(data):
            try:
                tag, start = varint(data, at)
                size, start = varint(data, start)
                if tag != 10 or start + size > len(data):
                    break
            except IndexError:
                break
            self.packets += 1
            self.packet(data[start:start + size])
            at = start + size
        return at

    def problem(self, what):
        self.problems.append("packet %d: %s" % (self.packets, what))

    def packet(self, data):
        by = {}
        for number, value in fields(data):
            by[number] = value
        if 50 in by:
            return self.read(zlib.decompress(by[50]))
        sid, flags = by.get(10), by.get(13)
        if not sid:
            return self.problem("no sequence id")
        if 36 in by:
            return self.marker(by)
        if flags == 1:
            track = self.sequences[sid].track if sid in self.sequences else None
            s = self.sequences[sid] = Sequence()
            s.track = track
        elif sid not in self.sequences:
            return self.problem("sequence %d was not started" % sid)
        s = self.sequences[sid]
        if s.open and 11 not in by:
            self.problem("begin without its end next to it")
        if 6 in by:
            self.snapshot(s, by[6])
        if 59 in by:
            s.track = one(one(by[59], 11, b""), 11)
            s.clock = one(by[59], 58)
            if s.clock not in (64, 65):
                self.problem("default clock is %s" % s.clock)
        if 12 in by:
            self.intern(s, by[12])
        time = s.time(by[8], by.get(58)) if 8 in by else s.base
        if 60 in by:
            self.track(by[60])
        if 11 in by:
            self.event(s, by[11], time)
        if 53 in by:
            self.stage(s, by[53], time)

    def marker(self, by):
        """Nothing of what was before is needed behind it."""
        if by[36] != bytes.fromhex("82477a76b28d42ba81dc33326d57a079") or set(by) != {36, 10}:
            self.problem("wrong marker")
        if any(s.open for s in self.sequences.values()):
            self.problem("marker in a slice")
        self.sequences = {}

    def snapshot(self, s, data):
        clocks = {one(c, 1): one(c, 2) for n, c in fields(data) if n == 1}
        if set(clocks) - {65} != {1, 3, 6, 64}:
            self.problem("snapshot of clocks %s" % sorted(clocks))
        s.sum = clocks.get(65, s.sum)
        base = clocks[3] - clocks[64]
        if s.base and base != s.base:
            self.problem("clock 64 moved by %d ns" % (base - s.base))
        s.base = base
        self.snapshots += 1

    def intern(self, s, data):
        for number, entry in fields(data):
            iid = one(entry, 1)
            if number == 1:
                s.categories[iid] = text(entry, 2)
            elif number == 2:
                s.names[iid] = text(entry, 2)
            elif number == 3:
                s.notes[iid] = text(entry, 2)
            elif number == 4:
                s.places[iid] = (text(entry, 2), one(entry, 4), text(entry, 3))
            elif number == 29:
                s.texts[iid] = text(entry, 2)
            elif number == 24:
                s.specs[iid] = (text(entry, 2), text(entry, 3))
                if one(entry, 4) != 2:
                    self.problem("specification is not COMPUTE")

    def track(self, data):
        uuid, process, thread = one(data, 1), one(data, 3), one(data, 4)
        if process:
            self.tracks[uuid] = {"pid": one(process, 1), "name": text(process, 6)}
        if thread:
            self.tracks[uuid] = {"pid": one(thread, 1), "tid": one(thread, 2),
                                 "name": text(thread, 5)}
        if not process and not thread:
            self.tracks[uuid] = {"name": text(data, 2), "lane": uuid}

    def event(self, s, data, time):
        kind, iid = one(data, 9), one(data, 10)
        category = s.categories.get(one(data, 3), text(data, 22))
        track = self.tracks.get(one(data, 11, s.track))
        if track is None:
            return self.problem("event on an unknown track")
        if kind == 2:
            if not s.open:
                return self.problem("end without a begin")
            s.open["end"] = time
            if time < s.open["start"]:
                self.problem("slice %s ends before it starts" % s.open["name"])
            self.slices.append(s.open)
            s.open = None
            return
        if kind == 1 and one(data, 3) is None:
            category = "site" if iid in s.bound else "cuda_api"
        if str(category).split(":")[0] not in CATEGORIES:
            self.problem("category %s" % category)
        correlation = one(data, 3000)
        event_id = one(correlation, 1) if correlation else None
        if kind == 1:
            if s.open:
                self.problem("begin without its end next to it")
            place = one(data, 34)
            if place and place not in s.sites and iid not in s.bound:
                self.problem("source location %d is bound to no site" % place)
            name = s.names.get(iid)
            if name is None:
                self.problem("slice without a name")
            place, site = s.places.get(place), s.bound.get(iid, s.sites.get(place))
            if category == "site" and iid in s.bound and site in self.rows:
                file, line, function, callee = self.rows[site]
                if name != "%s %s:%d" % (callee, file.split("/")[-1], line):
                    self.problem("site %s is named %s" % (site, name))
                name, place = callee, (file, line, function)
            s.open = {"tid": track.get("tid"), "category": category, "name": name,
                      "start": time, "id": event_id, "site": site, "place": place,
                      "notes": self.notes(s, data), "track": track}
            return
        notes = self.notes(s, data)
        if category.startswith("nvtx"):
            self.marks.append({"category": category, "name": text(data, 23), "start": time,
                               "notes": notes, "tid": track.get("tid")})
            return
        self.instant(s, category, text(data, 23), notes, time, event_id)

    def notes(self, s, data):
        notes = {}
        for number, value in fields(data):
            if number != 4:
                continue
            by = dict(fields(value))
            name = by[10].decode() if 10 in by else s.notes.get(by.get(1))
            if 5 in by:
                notes[name] = struct.unpack("<d", by[5].to_bytes(8, "little"))[0]
            elif 4 in by:
                notes[name] = by[4] - (1 << 64) if by[4] >> 63 else by[4]
            else:
                notes[name] = (by[6].decode() if 6 in by else
                               s.texts.get(by[17]) if 17 in by else by.get(3))
        return notes

    def crossings(self):
        """Slices that overlap another one of their track without nesting."""
        tracks, found = {}, []
        for e in self.slices:
            tracks.setdefault(id(e["track"]), []).append(e)
        for events in tracks.values():
            around = []
            for e in sorted(events, key=lambda e: (e["start"], -e["end"])):
                while around and around[-1]["end"] <= e["start"]:
                    around.pop()
                if around and around[-1]["end"] < e["end"]:
                    found.append("%s crosses %s" % (e["name"], around[-1]["name"]))
                around.append(e)
        return found

    def instant(self, s, category, name, notes, time, event_id):
        if category == "autoprof":
            document = json.loads(notes["json"])
            if name == "site":
                (s.bound if "name" in document else s.sites)[document.get("name", document.get("iid"))] = document["id"]
            if name == "sites":
                for row in document["rows"].split(";"):
                    if row.count("|") == 6:
                        f = [urllib.parse.unquote(field) for field in row.split("|")]
                        self.rows[f[0]] = (f[4], int(f[2]), f[5], f[6])
            self.meta.setdefault(name, []).append((time, document))
            return
        notes.update(start=time, id=event_id, name=name)
        {"cuda_sync": self.syncs, "memory": self.memory, "stack": self.stacks,
         "overhead": self.overheads}[category].append(notes)

    def stage(self, s, data, time):
        by = dict(fields(data))
        queue, stage = s.specs.get(by.get(13)), s.specs.get(by.get(14))
        if not queue or not stage:
            return self.problem("GPU work without queue or stage")
        self.gpu.append({"queue": words(queue[1]), "name": stage[0], "words": words(stage[1]),
                         "start": time, "end": time + by.get(2, 0), "id": by.get(1),
                         "device": by.get(11, 0)})

    def last(self, name):
        """The last document `name`, or {}."""
        return self.meta[name][-1][1] if name in self.meta else {}


def show(trace):
    for t in sorted(trace.tracks.values(), key=lambda t: t.get("tid", 0)):
        print("track %s" % " ".join("%s=%s" % kv for kv in sorted(t.items())))
    for name in sorted(trace.meta):
        for _, document in trace.meta[name]:
            print("meta %s %s" % (name, json.dumps(document, sort_keys=True)))
    for e in sorted(trace.slices, key=lambda e: (e["start"], -e["end"])):
        place = " at %s:%s in %s" % e["place"] if e["place"] else ""
        site = " site=%s" % e["site"] if e["site"] else ""
        notes = " " + json.dumps(e["notes"], sort_keys=True) if e["notes"] else ""
        lane = " on %s" % e["track"]["name"] if "lane" in e["track"] else ""
        print("%s %s%s%s%s%s" % (e["category"], e["name"], place, site, notes, lane))
    for m in trace.marks:
        notes = " " + json.dumps(m["notes"], sort_keys=True) if m["notes"] else ""
        print("mark %s %s%s" % (m["category"], m["name"], notes))
    for g in sorted(trace.gpu, key=lambda g: g["start"]):
        print("gpu %s %s stream=%s" % (g["name"], g["words"], g["queue"].get("stream")))
    for s in trace.syncs:
        print("sync %s" % s)
    for o in trace.overheads:
        print("overhead %s" % o)
    for m in trace.memory:
        print("memory %s %s" % (m["name"], json.dumps(m, sort_keys=True)))
    print("packets %d, %d bytes left" % (trace.packets, trace.left))


def main():
    trace = Trace(sys.argv[-1])
    if "--check" not in sys.argv:
        show(trace)
    for p in trace.problems:
        print("problem: " + p)
    return 1 if trace.problems else 0


if __name__ == "__main__":
    sys.exit(main())
