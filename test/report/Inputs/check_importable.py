# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what Perfetto's importer needs to read a trace without errors: each
sequence relates its clock to BOOTTIME, the one that is shown; events have a
time; tracks lie below tracks that are described; and extension fields of
events are those of Perfetto itself (gpu_track_event.proto). Usage:
check_importable.py TRACE...
"""
import sys

from google.protobuf.unknown_fields import UnknownFieldSet
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb

for path in sys.argv[1:]:
    trace = pb.Trace()
    with open(path, "rb") as file:
        trace.ParseFromString(file.read())
    used, related = 0, set()
    described = {p.track_descriptor.uuid for p in trace.packet if p.HasField("track_descriptor")}
    for packet in trace.packet:
        clocks = {c.clock_id for c in packet.clock_snapshot.clocks}
        if clocks:
            assert {64, 6} <= clocks, (path, clocks)
            related.add(packet.trusted_packet_sequence_id)
        assert not packet.timestamp or packet.trusted_packet_sequence_id in related, path
        assert packet.HasField("timestamp") or not packet.HasField("track_event"), path
        parent = packet.track_descriptor.parent_uuid
        assert not parent or parent in described, (path, parent)
        for field in UnknownFieldSet(packet.track_event):
            assert field.field_number == 3000, (path, field.field_number)  # gpu_correlation
            used += 1
    assert used, path
    print("clocks:", len(related))
