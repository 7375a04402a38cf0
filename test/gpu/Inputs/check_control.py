# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judges the recordings of test/gpu/control.sh: one line for each check."""
import os
import sys

sys.path.insert(0, sys.argv[1])
import pftrace  # noqa: E402

os.chdir(sys.argv[2])
failures = 0


def check(name, good, detail=""):
    global failures
    failures += not good
    print("%s %-40s %s" % ("ok  " if good else "FAIL", name, detail))


def read(name):
    with open(name) as file:
        return file.read()


def same(name, plain="plain-return"):
    check(name + ": program unchanged",
          read(name + ".out") == read(plain + ".out") and read(name + ".rc") == read(plain + ".rc"),
          "rc %s, plain %s, stderr: %s" % (read(name + ".rc").strip(), read(plain + ".rc").strip(),
                                           read(name + ".err").strip()[:200]))


class Recording:
    def __init__(self, name):
        self.name = name
        t = self.trace = pftrace.Trace(name + ".pftrace")
        self.base = next(iter(t.sequences.values())).base
        self.edges = [d for _, d in t.meta.get("window", [])]
        self.windows, opened = [], None
        for edge in self.edges:
            if edge["open"]:
                opened = edge["at_ns"]
            elif opened is not None:
                self.windows.append((opened, edge["at_ns"]))
                opened = None
        if opened is not None:
            self.windows.append((opened, float("inf")))
        calls = [s for s in t.slices if s["category"] == "cuda_api"]
        self.launches = [c for c in calls if c["name"].startswith("cudaLaunchKernel")]
        ids = {c["id"] for c in calls}
        self.spins = [g for g in t.gpu if "spin" in g["name"]]
        self.orphans = [g for g in t.gpu if g["id"] not in ids]
        self.lost = [c for c in self.launches if c["id"] not in {g["id"] for g in t.gpu}]
        self.outside = [c for c in calls if not any(a <= c["start"] - self.base <= b for a, b in self.windows)]
        check(name + ": format", not t.problems and t.left == 0, t.problems[:3])

    def expect(self, windows, steps):
        ranges = [s for s in self.trace.slices if s["category"] == "range"]
        loss = self.trace.last("loss")
        check(self.name + ": %d windows, %d steps" % (windows, steps),
              len(self.windows) == windows and len(ranges) == steps and len(self.spins) == steps,
              "%d windows, %d steps, %d launches, %d of 2 ms" % (
                  len(self.windows), len(ranges), len(self.launches), len(self.spins)))
        check(self.name + ": all launches have kernels, all kernels launches", not self.lost and not self.orphans,
              "%d launches without a kernel, %d kernels without a launch" % (len(self.lost), len(self.orphans)))
        check(self.name + ": nothing outside", not self.outside, [c["name"] for c in self.outside][:5])
        check(self.name + ": nothing lost", loss and not any(loss.values()), loss)


for end in ("return", "reset", "quick-exit", "_exit", "exit-in-thread"):
    for name in ("closed-", "never-"):
        same(name + end, "plain-" + end)
    closed = Recording("closed-" + end)
    if end != "_exit":
        closed.expect(2, 10)
    never = Recording("never-" + end)
    check("never-%s: nothing recorded" % end, not never.trace.gpu and not never.launches,
          "%d operations" % len(never.trace.gpu))
    # After _exit the file ends up to 0.2 s before the process did.
    check("never-%s: devices and streams are known" % end, "device" in never.trace.meta and
          (end == "_exit" or "stream" in never.trace.meta), sorted(never.trace.meta))
for name, windows, steps in (("ahead", 2, 10), ("open", 1, 10), ("profiler", 2, 10)):
    same(name)
    Recording(name).expect(windows, steps)
check("timed: program unchanged", read("timed.out") == "3000\n" and read("timed.rc") == "7\n", read("timed.err").strip())
timed = Recording("timed")
check("timed: one window of 0.5 s", len(timed.windows) == 1 and
      0.49e9 < timed.windows[0][1] - timed.windows[0][0] < 0.55e9 and 100 < len(timed.spins) < 260,
      "%s, %d kernels of 2 ms" % (timed.windows, len(timed.spins)))

check("ring: program unchanged", read("ring.out") == "3000\n" and read("ring.rc") == "7\n", read("ring.err").strip())
ring = pftrace.Trace("ring.pftrace")
check("ring: 0.5 to 1.6 MB, whole and closed", 500000 < ring.size < 1600000 and not ring.problems and ring.left == 0 and
      "end" in ring.meta and ring.last("ring").get("from_ns", 0) > 0,
      "%d bytes, %d kernels, %s" % (ring.size, len(ring.gpu), ring.problems[:3]))
check("ring: devices, streams and sites are known", all(n in ring.meta for n in ("device", "stream", "sites")), "")
said = read("live.said").splitlines()
check("live: started and stopped", len(said) == 2 and "is being" in said[0] and "not being" in said[1], said)
check("live: program unchanged", read("live.out") == "3000\n" and read("live.rc") == "7\n", read("live.err").strip())
live = Recording("live")
check("live: one window, some 250 kernels of 2 ms", len(live.windows) == 1 and 50 < len(live.spins) < 1000,
      "%s, %d kernels, %d launches without a kernel" % (live.windows, len(live.spins), len(live.lost)))

print("%d checks failed" % failures if failures else "all checks passed")
sys.exit(1 if failures else 0)
