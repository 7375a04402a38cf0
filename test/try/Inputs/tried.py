# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a try.json: tried.py ROOT CHANGE...

A change is FILE:LINE:CALL, or "pool", and KEY=VALUE of what differs from one
that gains 5 % with equal output: "train.cu:12:cudaDeviceSynchronize,output=different".
"""

import copy
import json
import pathlib
import sys

tried = json.loads((pathlib.Path(sys.argv[1]) / "test/report/Inputs/tried.json").read_text())
example = tried["experiments"].pop()
for words in sys.argv[2:]:
    place, *changes = words.split(",")
    one = copy.deepcopy(example)
    one["output"] = "equal"
    if place == "pool":
        one.update(sites=[], how="pool_kept")
    else:
        file, line, call = place.split(":")
        one["sites"][0].update(id=None, file=file, line=int(line), function="main", column=None, call=call)
    for key, value in (change.split("=") for change in changes):
        (one["result"] if key == "verdict" else one)[key] = value
    tried["experiments"].append(one)
tried["patch"] = None
print(json.dumps(tried))
