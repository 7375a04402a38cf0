# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the catalogue's C calls against the headers of the CUDA toolkit:
each call is declared, and has the parameters that the catalogue names.
Usage: check_arguments.py CALLS.json INCLUDE"""
import json
import re
import sys
from pathlib import Path

HEADERS = {
    "cudart": ["cuda_runtime_api.h", "cuda_runtime.h", "cuda_profiler_api.h"],
    "cuda": ["cuda.h"],
    "cublas": ["cublas_v2.h", "cublas_api.h", "cublas.h", "cublasLt.h",
               "cublasXt.h"],
    "cufft": ["cufft.h", "cufftXt.h"],
    "cusolver": ["cusolverDn.h", "cusolverSp.h", "cusolverRf.h"],
    "cusparse": ["cusparse.h"],
    "curand": ["curand.h"],
    "nccl": ["nccl.h"],
    "cudnn": ["cudnn.h", "cudnn_ops.h", "cudnn_cnn.h", "cudnn_adv.h",
              "cudnn_graph.h", "cudnn_backend.h"],
}
# In older toolkits only, or in newer ones only.
OTHER_TOOLKITS = {
    "cudaLaunch", "cudaLaunchCooperativeKernelMultiDevice",
    "cudaThreadSynchronize", "ncclAlltoAll", "ncclGather", "ncclScatter",
    "ncclCommShrink", "ncclCommRevoke", "ncclGroupSimulateEnd",
    "ncclCommInitRankScalable", "ncclCommWindowRegister",
    "ncclCommWindowDeregister"}
# Facts that may stand elsewhere than in a parameter.
IN_WORDS = {"pointer_mode"}


def prototype(text, name):
    """The parameters of `name` as text, or None. A call may be declared with
    a version suffix, and several times."""
    found = re.findall(
        rf"\b{re.escape(name)}(?:_v\d+)?(?:_ptds|_ptsz)?\s*\(([^;{{]*)\)", text)
    return " ".join(found) if found else None


def declared(text, name):
    if name.endswith("*"):
        return re.search(rf"\b{re.escape(name[:-1])}\w+\s*\(", text)
    return prototype(text, name) is not None


def parameters_named(where):
    """'width x height' names two, 'p->kind' one."""
    where = re.sub(r"->\w+", "", where)
    return [word for word in re.findall(r"\w+", where) if word not in ("x", "and")]


def main():
    calls, include = json.load(open(sys.argv[1])), Path(sys.argv[2])
    texts, problems, checked = {}, [], 0
    for library, names in HEADERS.items():
        paths = [include / name for name in names]
        texts[library] = "\n".join(path.read_text(errors="replace")
                                   for path in paths if path.exists())
    for row in calls["rows"]:
        text = texts.get(row["library"])
        if not text or row["when"] or row["name"] in OTHER_TOOLKITS:
            continue
        checked += 1
        if not declared(text, row["name"]):
            problems.append(f"{row['name']} is not declared")
            continue
        for part in (row["decided_by"] or "").split(", "):
            fact, _, where = part.partition("=")
            if not where or fact in IN_WORDS or where.startswith("the "):
                continue
            for name in parameters_named(where):
                if not re.search(rf"\b{name}\b", prototype(text, row["name"])):
                    problems.append(f"{row['name']} has no parameter {name}")
    assert checked > 300, checked
    sys.exit("\n".join(problems) or 0)


main()
