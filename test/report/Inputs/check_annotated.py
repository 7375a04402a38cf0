# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads what --annotate added with Perfetto's own definitions (PyPI's perfetto)
and compares it with the report's JSON. Usage: check_annotated.py TRACE JSON
"""
import json
import sys

from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb

trace = pb.Trace()
with open(sys.argv[1], "rb") as file:
    trace.ParseFromString(file.read())
with open(sys.argv[2], encoding="utf-8") as file:
    report = json.load(file)

# The last sequence is the added one.
added = trace.packet[-1].trusted_packet_sequence_id
first = next(i for i, p in enumerate(trace.packet)
             if p.trusted_packet_sequence_id == added)
assert all(p.trusted_packet_sequence_id == added for p in trace.packet[first:])
process = next(p.track_descriptor.uuid for p in trace.packet
               if p.track_descriptor.HasField("process"))


def zero(snapshot):
    """The monotonic time of clock 64's zero."""
    clocks = {c.clock_id: c.timestamp for c in snapshot.clocks}
    return clocks[3] - clocks[64]


snapshots = [p.clock_snapshot for p in trace.packet if p.HasField("clock_snapshot")]
assert zero(snapshots[-1]) == zero(snapshots[0])
assert max(s.clocks[0].timestamp for s in snapshots) == snapshots[-1].clocks[0].timestamp
print("clocks agree")

names, tracks, slices, values = {}, {}, {}, {}
for packet in trace.packet[first:]:
    for entry in packet.interned_data.event_names:
        names[entry.iid] = entry.name
    if packet.HasField("track_descriptor"):
        tracks[packet.track_descriptor.uuid] = packet.track_descriptor
    event = packet.track_event
    if event.type == pb.TrackEvent.TYPE_SLICE_BEGIN:
        assert names[event.name_iid]
        slices.setdefault(event.track_uuid, []).append(
            [packet.timestamp, None, {a.name: a for a in event.debug_annotations}])
    elif event.type == pb.TrackEvent.TYPE_SLICE_END:
        slices[event.track_uuid][-1][1] = packet.timestamp
    elif event.type == pb.TrackEvent.TYPE_COUNTER:
        values.setdefault(event.track_uuid, []).append(
            (packet.timestamp, event.counter_value))

for uuid, track in tracks.items():
    if uuid in slices:
        total = sum(end - start for start, end, _ in slices[uuid])
        if track.name.endswith("waits"):
            assert total == report["summary"]["wait_ns"]
            assert sum(d["exposed_ns"].uint_value for _, _, d in slices[uuid]) == \
                sum(s["exposed_ns"] for s in report["sites"])
            said = "all waits"
        else:
            by_cause = {}
            for start, end, details in slices[uuid]:
                cause = details["cause"].string_value
                by_cause[cause] = by_cause.get(cause, 0) + end - start
            assert by_cause == {g["cause"]: g["total_ns"] for g in report["gaps"]}
            said = "all gaps"
        print(f"slices: {track.name}: {said}")
    elif track.HasField("counter"):
        assert values[uuid] == sorted(values[uuid], key=lambda v: v[0])
        assert values[uuid][-1][1] == 0 and min(v for _, v in values[uuid]) == 0
        unit = " (ns)" if track.counter.unit == pb.CounterDescriptor.UNIT_TIME_NS else ""
        print(f"counter: {track.name}{unit}: from 0 to {max(v for _, v in values[uuid])} and back to 0")
    else:
        assert track.parent_uuid == process
        print(f"group: {track.name}, below the process")
