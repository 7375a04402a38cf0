# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times of packets, as Perfetto understands the clocks of docs/trace-format.md."""


class Clock:
    """Of one sequence: whole times (clock 64), or what is added to the one before (clock 65)."""

    def __init__(self):
        self.default, self.sum = 0, None

    def time(self, packet):
        """The packet's time since the trace began, or None. To be called for each, in their order."""
        if packet.sequence_flags & 1:
            self.default = packet.trace_packet_defaults.timestamp_clock_id
            assert self.default in (64, 65)
        for clock in packet.clock_snapshot.clocks:
            assert clock.is_incremental == (clock.clock_id == 65)
            if clock.clock_id == 65:
                self.sum = clock.timestamp
        if not packet.HasField("timestamp"):
            return None
        if (packet.timestamp_clock_id or self.default) == 64:
            return packet.timestamp
        self.sum += packet.timestamp
        return self.sum
