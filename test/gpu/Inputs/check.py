# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judges the recordings of test/gpu/smoke.sh: one line for each check."""
import collections
import glob
import os
import sys

sys.path.insert(0, sys.argv[1])
import pftrace  # noqa: E402

os.chdir(sys.argv[2])
failures = 0
traces = {}


def check(name, good, detail=""):
    global failures
    failures += not good
    print("%s %-36s %s" % ("ok  " if good else "FAIL", name, detail))


def read(name):
    with open(name) as file:
        return file.read()


def status(name):
    return [int(n) for n in read(name + ".rc").split()]


def load(name, path=None):
    path = path or name + ".pftrace"
    if not os.path.exists(path):
        check(name + ": trace exists", False, read(name + ".err").strip()[-300:])
        return None
    t = traces[name] = pftrace.Trace(path)
    state = t.last("process").get("cupti", {})
    check(name + ": format", not t.problems and t.left == 0,
          "packets=%d left=%d %s %s" % (t.packets, t.left, state, t.problems[:3]))
    return t


def check_line(name, plain, line):
    """The program is what it was, and one line says `line`."""
    said = read(name + ".err").strip()
    check(name + ": one line", said.count("autoprof:") == 1 and line in said, said[-300:])
    check_same(name, plain, quiet=False)


def loss(name, t):
    total = t.last("loss")
    check(name + ": nothing lost", total and not any(total.values()), str(total))


def ms(ns):
    return "%.3fms" % (ns / 1e6)


def names(items):
    return dict(collections.Counter(i["name"] for i in items))


def api(t, name=None):
    return [s for s in t.slices if s["category"] == "cuda_api" and name in (None, s["name"])]


def kernels(t, part=""):
    return [g for g in t.gpu if g["words"]["op"] == "kernel" and part in g["name"]]


def copies(t):
    return [g for g in t.gpu if g["words"]["op"] == "copy"]


def check_same(name, plain, quiet=True):
    same = read(name + ".out") == read(plain + ".out") and status(name)[0] == status(plain)[0]
    said = read(name + ".err").strip()
    check(name + ": program unchanged", same and not (quiet and "autoprof:" in said),
          "rc %d, plain %d, %d ms, stderr: %s" % (status(name)[0], status(plain)[0], status(name)[1], said[:200]))


def check_clocks(name, t):
    """Each GPU operation starts after the call that launched it began and
    ends within the life of the process."""
    calls = collections.defaultdict(list)
    for s in t.slices:
        if s["id"]:
            calls[s["id"]].append(s)
    lost = [g for g in t.gpu if g["id"] not in calls]
    check(name + ": every GPU op has its call", t.gpu and not lost,
          "%d ops, %d without: %s" % (len(t.gpu), len(lost), names(lost)))
    leads = [g["start"] - min(c["start"] for c in calls[g["id"]]) for g in t.gpu if g["id"] in calls]
    if leads:
        check(name + ": no GPU op before its call", min(leads) >= -2000,
              "start - call: min %d ns, median %d ns" % (min(leads), sorted(leads)[len(leads) // 2]))
    if "end" in t.meta:
        end, document = t.meta["end"][-1]
        first = end - document["wall_ns"]
        outside = [g for g in t.gpu if g["start"] < first or g["end"] > end]
        check(name + ": GPU ops in the process's life", not outside, names(outside))


def check_nesting(name, t):
    bad = 0
    by_tid = collections.defaultdict(list)
    for s in t.slices:
        by_tid[s["tid"]].append(s)
    for slices in by_tid.values():
        stack = []
        for s in sorted(slices, key=lambda s: (s["start"], -s["end"])):
            while stack and stack[-1]["end"] <= s["start"]:
                stack.pop()
            if stack and s["end"] > stack[-1]["end"]:
                bad += 1
            stack.append(s)
    check(name + ": slices nest", bad == 0, "%d overlap, %d threads" % (bad, len(by_tid)))


def inside(t, outer, name):
    return [s for s in t.slices if s["category"] == "cuda_api" and s["name"] == name and
            s["tid"] == outer["tid"] and s["start"] >= outer["start"] and s["end"] <= outer["end"]]


def check_each(name):
    t = load(name)
    if not t:
        return
    check_same(name, "plain-each")
    check(name + ": cupti ok", t.last("process")["cupti"]["state"] == "ok")
    check(name + ": 4 kernels", len(kernels(t, "spin(")) == 4, names(t.gpu))
    loss(name, t)
    check_clocks(name, t)
    check_nesting(name, t)
    sites = [s for s in t.slices if s["category"] == "site" and s["name"] == "cudaMemcpy"]
    if name == "injected":
        return
    held = inside(t, sites[0], "cudaMemcpy") if sites else []
    check(name + ": site holds its call", len(sites) == 1 and len(held) == 1, names(sites))


def each_details(t):
    sync = [c for c in api(t, "cudaMemcpy")]
    waited = sync[0]["end"] - sync[0]["start"] if sync else 0
    check("each: cudaMemcpy waited 20 ms", 15e6 < waited < 60e6, ms(waited))
    dtoh = [c["words"] for c in copies(t) if c["words"]["kind"] == "DtoH"]
    check("each: the copy", dtoh == [{"op": "copy", "kind": "DtoH", "src": "device", "dst": "pageable", "bytes": "4"}],
          dtoh)
    sets = [g["words"] for g in t.gpu if g["words"]["op"] == "set"]
    check("each: the set", sets == [{"op": "set", "kind": "device", "bytes": "4096"}], sets)
    grids = [k["words"] for k in kernels(t)]
    check("each: kernel description", any(k["grid"] == "2,1,1" and k["block"] == "32,1,1" and k["smem"] == "64"
                                          for k in grids), grids[2:3])
    free = api(t, "cudaFree")
    check("each: cudaFree waited 10 ms", any(f["end"] - f["start"] > 7e6 for f in free),
          [ms(f["end"] - f["start"]) for f in free])
    types = collections.Counter(s["type"] for s in t.syncs)
    long = {s["type"] for s in t.syncs if s["duration"] > 5e6}
    check("each: sync records", {1, 4} <= set(types) and {1, 4} <= long, "types %s, long %s" % (dict(types), long))
    check("each: overhead records", len(t.overheads) > 0,
          dict(collections.Counter(o["kind"] for o in t.overheads)))
    flags = collections.Counter(d["flag"] for _, d in t.meta.get("stream", []))
    check("each: streams", flags.get("null", 0) >= 1 and flags.get("default", 0) >= 1, dict(flags))
    check("each: device", t.last("device").get("sms", 0) > 0, t.last("device"))
    print("     each: api %s" % names(api(t)))
    print("     each: driver %s" % names([s for s in t.slices if s["category"] == "cuda_driver"]))
    print("     each: process %s" % t.last("process"))


def two_threads(name, t):
    tids = {s["tid"] for s in t.slices if s["category"] == "range"}
    check(name + ": two threads", len(tids) == 2, tids)
    check(name + ": 20 ranges, 62 probes", len([s for s in t.slices if s["category"] == "range"]) == 20 and
          len([s for s in t.slices if s["category"] in ("range", "site")]) == (42 if name == "light" else 62),
          names([s for s in t.slices if s["category"] in ("range", "site")]))
    loss(name, t)
    check_nesting(name, t)


def expect_prefix(name, plain=None, ended=True):
    t = load(name)
    if plain:
        check_same(name, plain)
    if t:
        check(name + (": ended" if ended else ": not ended"), ("end" in t.meta) == ended,
              "%d kernels" % len(kernels(t)))
    return t


t = check_each("each") or traces.get("each")
if t:
    each_details(t)
for variant in ("injected", "shared", "linked"):
    check_each(variant)

t = expect_prefix("two-threads", "plain-two-threads")
if t:
    two_threads("two-threads", t)
    check_clocks("two-threads", t)
    streams = {k["queue"]["stream"] for k in kernels(t)}
    check("two-threads: two streams", len(streams) == 2 and len(kernels(t)) == 20, streams)
    flags = {d["flag"] for _, d in t.meta.get("stream", [])}
    check("two-threads: nonblocking streams", "nonblocking" in flags, flags)

t = expect_prefix("burst", "plain-burst")
if t:
    n = len(kernels(t))
    check("burst: 100,000 launches", n == 100000, n)
    loss("burst", t)
    check_clocks("burst", t)
    print("     burst: %.1f bytes a launch, probes included; api %s; driver %s" % (
        t.size / max(n, 1), names(api(t)), names([s for s in t.slices if s["category"] == "cuda_driver"])))
    print("     burst: overhead %s" % dict(collections.Counter(o["kind"] for o in t.overheads)))

t = expect_prefix("threads", "plain-threads")
if t:
    check("threads: 64,000 launches", len(kernels(t)) == 64000, len(kernels(t)))
    loss("threads", t)
    check_nesting("threads", t)

t = expect_prefix("tiny", "plain-threads")
if t:
    total, n = t.last("loss"), len(kernels(t))
    check("tiny: what is missing is counted", n == 64000 or any(total.values()), "%d kernels, %s" % (n, total))

t = expect_prefix("graph", "plain-graph")
if t:
    whole = [g for g in t.gpu if g["words"]["op"] == "graph"]
    check("graph: 10 launches", len(whole) == len(t.gpu) == 10, names(t.gpu))
    check("graph: stated", t.last("process").get("graphs") == "graph", t.last("process"))
    check_clocks("graph", t)
t = expect_prefix("nodes", "plain-graph")
if t:
    nodes = [k for k in kernels(t) if "graph" in k["words"]]
    check("nodes: 50 nodes", len(nodes) == 50, names(t.gpu))
    check("nodes: stated", t.last("process").get("graphs") == "node", t.last("process"))
    check_clocks("nodes", t)
# 8 graphs, 20 launches of each, twice: 6 of them have kernels, 40 in all.
t = expect_prefix("graphs", "plain-graphs")
if t:
    whole = [g for g in t.gpu if g["words"]["op"] == "graph"]
    check("graphs: launches as operations", 240 <= len(whole) <= 320 and not kernels(t), names(t.gpu))
    check("graphs: calls", len(api(t, "cudaGraphLaunch")) == 320, len(api(t, "cudaGraphLaunch")))
    check_clocks("graphs", t)
t = expect_prefix("graphs-nodes", "plain-graphs")
if t:
    check("graphs-nodes: kernels", len(kernels(t)) == 1600, names(t.gpu))
    check_clocks("graphs-nodes", t)
expect_prefix("graphs-part", "plain-graphs")
t = expect_prefix("graphs-late", "plain-graphs")
if t:
    check("graphs-late: node by node", t.last("process").get("graphs") == "node" and len(kernels(t)) >= 800, names(t.gpu))

t = expect_prefix("reset", "plain-reset")
if t:
    check("reset: 6 kernels", len(kernels(t)) == 6, len(kernels(t)))
t = expect_prefix("pending", "plain-pending")
check("pending: no hang", status("pending")[1] < 5000, "%d ms" % status("pending")[1])
t = expect_prefix("exit-in-thread", "plain-exit-in-thread")
t = expect_prefix("quick-exit", "plain-quick-exit")
for name in ("_exit", "abort"):
    t = expect_prefix(name, "plain-" + name, ended=False)
    if t:
        check(name + ": flushed before", len(kernels(t)) == 3, len(kernels(t)))

t = expect_prefix("fork-after", "plain-fork-after")
if t:
    check("fork-after: the parent's 4 kernels", len(kernels(t)) == 4, len(kernels(t)))
    check("fork-after: one file", len(glob.glob("fork-after*.pftrace")) == 1)
t = expect_prefix("fork-before", "plain-fork-before")
if t:
    check("fork-before: the child's 3 kernels", len(kernels(t)) == 3, len(kernels(t)))

t = expect_prefix("light", "plain-two-threads")
if t:
    two_threads("light", t)
    calls = set(names([s for s in t.slices if s["category"] in ("cuda_api", "cuda_driver")]))
    check("light: no GPU ops", not t.gpu, names(t.gpu))
    check("light: calls that may wait, and no launch", {"cudaMemcpyAsync", "cudaStreamSynchronize"} <= calls and
          not [c for c in calls if "Launch" in c or "Get" in c], calls)
    check("light: CUPTI ok", t.last("process")["cupti"]["state"] == "ok", t.last("process")["cupti"])
check("disabled: no file", not glob.glob("disabled*.pftrace") and not read("disabled.err"), read("disabled.err"))
check_same("disabled", "plain-each")

t = expect_prefix("late")
check("late: status", status("late")[0] == 7, status("late"))
if t:
    print("     late: %d kernels, stderr %s" % (len(kernels(t)), read("late.err").strip()))
    check("late: kernels after loading", len(kernels(t)) >= 5, t.last("process")["cupti"])
for name, state in (("subscribed", "busy"), ("no-cupti", "missing")):
    t = expect_prefix(name)
    if t:
        check(name + ": " + state, t.last("process")["cupti"]["state"] == state and status(name)[0] == 7,
              read(name + ".err").strip())
        check(name + ": probes are there", any(s["category"] == "site" for s in t.slices))
check_line("full-disk", "plain-long", "stops: No space left on device")
check_line("no-folder", "plain-two-threads", "none/t.pftrace: No such file or directory; nothing is recorded")
check_line("no-device", "no-device", "CUDA found no usable GPU")
check("no-device: status", status("no-device")[0] == 90, status("no-device"))

expect_prefix("long", "plain-long")
t = expect_prefix("not-injected")
check_line("not-injected", "plain-not-injected", "did not load the recorder")
if t:
    check("not-injected: CUPTI attached late", 10 < len(kernels(t)) < 160 and
          t.last("process")["cupti"]["state"] == "ok", "%d of 160 kernels" % len(kernels(t)))
    check_clocks("not-injected", t)
if os.path.exists("debugger.rc"):
    check("debugger: program unchanged", "$1 = 7" in read("debugger.out"), read("debugger.out").strip()[-200:])
    # The debugger's agent inherits the environment, uses CUDA and may take the file's name first.
    said = [line for line in read("debugger.err").splitlines() if "autoprof:" in line and " exists; " not in line]
    check("debugger: one line", len(said) == 1, read("debugger.err").strip()[-300:])
else:
    print("     debugger: cuda-gdb is not on PATH")

t = load("killed") if os.path.exists("killed.pftrace") else None
check("killed: status", status("killed")[0] == 137, status("killed"))
check("killed: readable", bool(t) and len(kernels(t)) > 10 and "end" not in t.meta,
      "%d kernels, %d bytes left" % (len(kernels(t)), t.left) if t else read("killed.err"))

print("%d checks failed" % failures if failures else "all checks passed")
sys.exit(1 if failures else 0)
