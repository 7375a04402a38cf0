# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads a trace with Perfetto's own definitions (PyPI's perfetto) and prints
the tracks, and what the arrows between calls and GPU work connect."""
import collections
import os
import sys

from google.protobuf import unknown_fields
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "runtime", "Inputs"))
from perfetto_times import Clock

GPU_CORRELATION = 3000  # Field of TrackEvent, an extension.


def varint(data):
    value = shift = 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            break
    return value


def correlation(event):
    """GpuTrackEvent.gpu_correlation's first field, or None."""
    for field in unknown_fields.UnknownFieldSet(event):
        if field.field_number == GPU_CORRELATION:
            assert field.data[0] == 1 << 3, "not a varint field 1"
            return varint(field.data[1:])
    return None


trace = pb.Trace()
with open(sys.argv[1], "rb") as file:
    trace.ParseFromString(file.read())
names, specs, calls, operations = {}, {}, {}, []
clocks = collections.defaultdict(Clock)
processes, threads = [], set()
for packet in trace.packet:
    sequence = packet.trusted_packet_sequence_id
    time = clocks[sequence].time(packet)
    for entry in packet.interned_data.event_names:
        names[sequence, entry.iid] = entry.name
    for entry in packet.interned_data.gpu_specifications:
        specs[sequence, entry.iid] = entry.name
    kind = packet.WhichOneof("data")
    if kind == "track_descriptor" and packet.track_descriptor.HasField("thread"):
        threads.add(packet.track_descriptor.uuid)
    elif kind == "track_descriptor":
        processes.append(packet.track_descriptor.process.process_name)
    elif kind == "track_event" and packet.track_event.type == pb.TrackEvent.TYPE_SLICE_BEGIN:
        event = packet.track_event
        if (id_ := correlation(event)) is not None:
            name = names[sequence, event.name_iid]
            # Of a runtime call and the driver's inside it: the one that began first.
            calls[id_] = min(calls.get(id_, (time, name)), (time, name))
    elif kind == "gpu_render_stage_event":
        event = packet.gpu_render_stage_event
        operations.append((time, event.duration, event.event_id, specs[sequence, event.hw_queue_iid]))

print("process track:", processes[-1].rsplit("/", 1)[-1])
print("thread tracks:", len(threads))
linked = [o for o in operations if o[2] in calls]
print("gpu operations: %d, with an arrow from a call: %d" % (len(operations), len(linked)))
for name, count in sorted(collections.Counter(calls[o[2]][1] for o in linked).items()):
    print("from %s: %d" % (name, count))
for stream in sorted({o[3] for o in operations}):
    own = sorted(o for o in operations if o[3] == stream)
    overlaps = sum(a[0] + a[1] > b[0] for a, b in zip(own, own[1:]))
    print("%s: %d operations, %s overlaps" % (stream, len(own), overlaps or "none"))
