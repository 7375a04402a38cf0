# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The before/after pairs: programs that differ by one synchronization."""
import dataclasses
import re
import sys

MLP, PAIRS = "examples/mlp_train/{}/mlp_train", "predictions/{}/pairs"
TORCH = "predictions/torch_pairs.py"


@dataclasses.dataclass
class Pair:
    name: str
    program: str  # Path below the folder of build.sh; {} is the variant.
    before: list  # Arguments of the form with the synchronization.
    after: list  # Arguments of the form without it.
    file: str  # The gains of all calls in this file (in any file, if it is empty) ...
    calls: tuple  # ... with these names are added up.
    question: str = "remove"  # The question of the report's what_if[] that corresponds to the other form.
    share: float = 1  # Share of the waits that the other form lacks; more than half, so that the median step has none.
    recorded: int = 100  # Number of steps in recorded runs.
    steps: int = 1000  # Number of steps in other runs.
    function: str = ""  # The function that contains the calls; if empty, the one with the case's name.
    step: str = ""  # The step's range, where autoprof needs to be told.
    repeats: int = 1  # Plain runs per round: more where processes differ much.
    recordings: int = 3  # Number of rounds in which the forms are recorded, too.

    @property
    def recording(self):
        """The name of the recording of `before`, which pairs may share."""
        return re.sub("_(none|deferred)$|(?<=[0-9]m)_(pinned|async)$", "", self.name)

    def variant(self, form, recorded):
        return "instrumented" if recorded else "plain"

    def command(self, path):
        return [sys.executable, path] if self.program == TORCH else [path]

    def arguments(self, form, recorded):
        """The arguments of one run; the form may be "both" if both() is true."""
        steps = str(self.recorded if recorded else self.steps)
        if self.program == MLP:
            return (self.before if form == "before" else self.after) + ["--steps", steps]
        return self.before[:1] + [form, steps] + ([] if recorded else ["3"])

    def report(self, autoprof, trace, calibration=None):
        """The command that reports on a recording."""
        return ([autoprof, "report", "--format=json"] + ([f"--step={self.step}"] if self.step else []) +
                ([f"--semantics={calibration}"] if calibration else []) + [trace])

    def both(self):
        """Whether one process runs both forms in turn."""
        return self.program in (PAIRS, TORCH)


def mlp(width, batch, loss, **more):
    shape = ["--width", str(width), "--batch", str(batch), "--loss"]
    more = {"steps": 300, "question": "remove" if loss == "none" else "postpone", **more}
    return Pair(f"mlp_w{width}_b{batch}_{loss}", MLP, shape + ["print"], shape + [loss],
                "loss_reader.cu", ("cudaMemcpy", ), **more)


def case(name, file, *calls, **more):
    return Pair(name, PAIRS, [name], [name], file, calls, **more)


def graph(name, **more):
    return case(name, "graphs.cu", "cudaMemcpyAsync", "cudaStreamSynchronize", function="read_each_step", **more)


def torch(name, **more):
    return Pair(name, TORCH, [name], [name], "", ("Tensor.item", "cudaMemcpyAsync", "cudaStreamSynchronize"), step="range:step", recordings=1, **more)


ALL = [
    mlp(128, 128, "none", repeats=3),
    mlp(256, 128, "none", repeats=3),
    mlp(512, 128, "none", repeats=3),
    mlp(1024, 128, "none"),
    mlp(1024, 128, "deferred"),
    mlp(1024, 1024, "none"),
    mlp(2048, 256, "none"),
    mlp(2048, 256, "deferred"),
    mlp(4096, 512, "none", steps=100, recorded=60),
    case("residual_late", "convergence.cu", "cudaMemcpy", question="postpone"),
    case("residual_tenth", "convergence.cu", "cudaMemcpy", share=0.9),
    case("device_sync", "convergence.cu", "cudaDeviceSynchronize"),
    case("step_timing", "convergence.cu", "cudaEventSynchronize"),
    case("free_async", "memory.cu", "cudaFree"),
    case("scratch_reuse", "memory.cu", "cudaFree", "cudaMalloc"),
    case("thrust_sum", "libraries.cu", "thrust::reduce"),
    case("blas_norm", "libraries.cu", "cublasSnrm2"),
    case("pageable_upload", "memory.cu", "cudaMemcpyAsync"),
    case("hand_over", "streams.cu", "cudaStreamSynchronize"),
    case("side_work", "streams.cu", "cudaDeviceSynchronize"),
    case("busy_behind", "streams.cu", "cudaStreamSynchronize"),
    case("upload_1m_async", "transfers.cu", "cudaMemcpy", question="pin_async", function="upload", steps=500),
    case("upload_7m_async", "transfers.cu", "cudaMemcpy", question="pin_async", function="upload", steps=300),
    case("upload_32m_async", "transfers.cu", "cudaMemcpy", question="pin_async", function="upload", steps=100),
    case("upload_7m_pinned", "transfers.cu", "cudaMemcpy", question="pin", function="upload", steps=300),
    case("upload_32m_pinned", "transfers.cu", "cudaMemcpy", question="pin", function="upload", steps=100),
    case("download_8m_pinned", "transfers.cu", "cudaMemcpy", question="pin", function="download", steps=300),
    graph("graph_10"),
    graph("graph_50"),
    graph("graph_200"),
    graph("launches_50"),
    graph("launches_300", steps=500, recorded=30),
    torch("torch_w128", steps=300),
    torch("torch_w1024", steps=300),
    torch("torch_w4096", steps=60, recorded=60),
    torch("torch_graph_w128", steps=500),
    torch("torch_graph_w1024", steps=500),
    case("two_reads_10", "results.cu", "cudaMemcpy", function="read_results"),
    case("two_reads_50", "results.cu", "cudaMemcpy", function="read_results"),
    case("read_sync_10", "results.cu", "cudaMemcpy", "cudaDeviceSynchronize", function="read_results"),
    case("read_sync_50", "results.cu", "cudaMemcpy", "cudaDeviceSynchronize", function="read_results"),
    case("two_threads", "streams.cu", "cudaStreamSynchronize", step="function:step_of_own_work"),
]


def step_times(pair, form, out, err):
    """Parses the step times that a run printed: [(form, ns)]."""
    if pair.program == MLP:
        # median step 0.1958 ms on the host, 0.1956 ms on the GPU
        ms = re.search(r"([0-9.]+) ms on the GPU$", err, re.M)
        return [(form, float(ms.group(1)) * 1e6)] if ms else []
    return [(form, float(ns)) for form, ns in re.findall(r"^(before|after) ([0-9.]+)$", out, re.M)]
