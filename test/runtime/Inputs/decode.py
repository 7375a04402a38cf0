# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decodes a trace with Perfetto's own definitions (PyPI's perfetto) and prints
what a Perfetto reader sees: packets by what they hold, tracks, and each slice.
Unknown fields are errors, but for those that the definitions know as
extensions of TrackEvent."""
import collections
import sys

from google.protobuf import unknown_fields
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb
from perfetto_times import Clock

EXTENSIONS = {3000}  # GpuTrackEvent.gpu_correlation


def check_known(message, path):
    for field in unknown_fields.UnknownFieldSet(message):
        if not (path.endswith("track_event") and field.field_number in EXTENSIONS):
            print("unknown field %d in %s" % (field.field_number, path))
    for descriptor, value in message.ListFields():
        if descriptor.message_type:
            several = descriptor.label == descriptor.LABEL_REPEATED if hasattr(
                descriptor, "label") else isinstance(value, collections.abc.Sequence)
            for one in value if several else [value]:
                check_known(one, path + "." + descriptor.name)


trace = pb.Trace()
with open(sys.argv[1], "rb") as file:
    trace.ParseFromString(file.read())
kinds = collections.Counter()
names, specs, stack, clocks = {}, {}, {}, collections.defaultdict(Clock)
for packet in trace.packet:
    check_known(packet, "packet")
    sequence = packet.trusted_packet_sequence_id
    kind = packet.WhichOneof("data")
    kinds[kind] += 1
    time = clocks[sequence].time(packet)
    for entry in packet.interned_data.event_names:
        names[sequence, entry.iid] = entry.name
    for entry in packet.interned_data.gpu_specifications:
        specs[sequence, entry.iid] = entry.name
    if kind == "track_descriptor":
        track = packet.track_descriptor
        print("track", "thread" if track.HasField("thread") else "process")
    if kind == "gpu_render_stage_event":
        event = packet.gpu_render_stage_event
        print("gpu", specs[sequence, event.stage_iid], "on", specs[sequence, event.hw_queue_iid],
              "for", event.duration, "ns")
    if kind == "track_event":
        event = packet.track_event
        if event.type == pb.TrackEvent.TYPE_SLICE_BEGIN:
            stack.setdefault(sequence, []).append((names[sequence, event.name_iid], time))
        elif event.type == pb.TrackEvent.TYPE_SLICE_END:
            name, start = stack[sequence].pop()
            assert time >= start
            print("slice", name)
        elif event.type == pb.TrackEvent.TYPE_INSTANT:
            print("instant", event.name)
assert not any(stack.values())
print("packets", dict(kinds))
