# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""stress.py BUILD FOLDER LAUNCHES: runs FOLDER/stress with and without the
recorder and compares; test/gpu/stress.sh says what for."""
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time

BUILD, OUT, LAUNCHES = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
AUTOPROF, RUNTIME = os.path.join(BUILD, "bin", "autoprof"), os.path.join(BUILD, "lib", "libautoprof.so")
LOSSES = ("cupti_dropped", "zero_timestamps", "buffers_refused", "write_errors", "bytes_dropped")
os.chdir(OUT)
failures = 0


def check(name, good, said=""):
    global failures
    failures += not good
    print("%s %s%s" % ("ok    " if good else "FAILED", name, ": " + said if said else ""), flush=True)


def run(command, **more):
    """(exit status, output, seconds, peak MiB of any child so far)."""
    begin = time.monotonic()
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, **more)
    except subprocess.TimeoutExpired:
        return "hangs", "", "", 300
    return done.returncode, done.stdout.decode(), done.stderr.decode(), time.monotonic() - begin


def report(trace):
    text = subprocess.run([AUTOPROF, "report", "--format=json", trace], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return json.loads(text.stdout) if text.returncode == 0 else None


def kernels(r):
    return sum(k["count"] for k in r["kernels"] if k["name"].startswith("count"))


def complete(name, trace, launched):
    """Every kernel is there, or the trace says what is not."""
    r = report(trace) if os.path.exists(trace) else None
    if not r:
        return check(name + ", trace", False, "no trace that can be read")
    seen, lost = kernels(r), {k: r["loss"][k] for k in LOSSES if r["loss"][k]}
    size = os.path.getsize(trace)
    check(name + ", trace", seen == launched or (seen < launched and lost),
          "%d of %d kernels, %.0f bytes each, lost %s" % (seen, launched, size / max(1, seen), lost or "nothing"))


def compare(name, arguments, options=(), launched=None, before=()):
    plain = run(["./stress", *arguments])
    if plain[0] == 77:
        return print("skipped %s: one GPU only" % name, flush=True)
    trace = name.replace(" ", "-") + ".pftrace"
    recorded = run([AUTOPROF, "run", "-o", trace, *options, "--", *before, "./stress", *arguments])
    same = plain[:2] == recorded[:2] and plain[0] == 5
    check(name, same, "status %s, %.1f s, plain %.1f s" % (recorded[0], recorded[3], plain[3]) if same
          else "plain %s, recorded %s" % (plain[:2], recorded[:3]))
    if launched is None:
        launched = int(plain[1].split("kernels ")[-1].split(",")[0])
    complete(name, trace, launched)


def compare_devices(name, arguments):
    """As compare(), and each GPU has its share of the kernels."""
    compare(name, arguments)
    trace = name.replace(" ", "-") + ".pftrace"
    if os.path.exists(trace):
        operations = {d["id"]: d["ops"] for d in report(trace)["devices"]}
        check(name + ", each GPU", len(operations) > 1 and min(operations.values()) > 1000, str(operations))


compare("8 threads x 4 streams", ["threads", "5000"])
compare("8 threads x 4 streams, compressed", ["threads", "5000"], ["--compress"])
compare("8 threads x 4 streams, stacks", ["threads", "5000"], ["--stacks"])
# The process with the most GPU work has the trace of that name: the child.
compare("fork and exec", ["exec"], launched=1000)
compare("two contexts", ["contexts", "10000"])
compare_devices("all GPUs", ["devices", "10000"])
compare_devices("all GPUs, 8 threads", ["devices-and-threads", "5000"])
compare("graph replay, node by node", ["replay", "20000"], ["--graphs=node"])

plain = run(["./stress", "late"])
late = run(["./stress", "late", RUNTIME], env=dict(os.environ, AUTOPROF_OUTPUT="late.pftrace"))
check("late dlopen", plain[:2] == late[:2] and late[0] == 5, str(late[:3]))
r = report("late.pftrace") if os.path.exists("late.pftrace") else None
check("late dlopen, trace", bool(r) and kernels(r) >= 1000, "%s of the 1000 kernels behind it" % (r and kernels(r)))

process = subprocess.Popen([AUTOPROF, "run", "-o", "killed.pftrace", "--", "./stress", "endless"],
                           stderr=subprocess.DEVNULL)
time.sleep(4)
children = subprocess.run(["pgrep", "-P", str(process.pid)], stdout=subprocess.PIPE).stdout.split()
for child in children:
    os.kill(int(child), signal.SIGKILL)
status = process.wait()
r = report("killed.pftrace")
check("kill -9 in the middle", status == 137 and bool(r) and kernels(r) > 1000,
      "status %s, %s kernels" % (status, r and kernels(r)))

LIMIT = 4 << 20
plain = run(["./stress", "threads", "5000"])
full = run([AUTOPROF, "run", "-o", "full.pftrace", "--", "./stress", "threads", "5000"],
           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT)))
r = report("full.pftrace")
check("disk full", plain[:2] == full[:2] and bool(r) and kernels(r) > 0 and full[2].count("recording to") == 1,
      "%s kernels in %d bytes" % (r and kernels(r), os.path.getsize("full.pftrace")))

for tool, options in (("ncu", ["--target-processes", "all"]), ("compute-sanitizer", []),
                      ("nsys", ["profile", "-o", "nsys", "--force-overwrite", "true"])):
    if not shutil.which(tool):
        print("skipped under %s: it is not here" % tool, flush=True)
        continue
    command = [tool, *options, "./stress", "launches", "50"]
    if run(command)[0] not in (0, 5):
        print("skipped under %s: it does not work here without autoprof either" % tool, flush=True)
        continue
    under = run(command,
                env=dict(os.environ, LD_PRELOAD=RUNTIME, AUTOPROF_OUTPUT=tool + ".pftrace"))
    check("under " + tool, under[0] in (0, 5) and "kernels 50, counted 50" in under[1],
          "status %s, said %s" % (under[0], [line for line in (under[1] + under[2]).splitlines() if "autoprof:" in line]))

compare("%s launches" % LAUNCHES, ["launches", LAUNCHES], ["--compress"])
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print("peak memory of one process, reports included: %.0f MiB" % peak)
sys.exit(1 if failures else 0)
