# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Damages a summary in many ways: damage_summary.py GOOD FOLDER"""
import json
import pathlib
import sys

text, folder = open(sys.argv[1]).read(), pathlib.Path(sys.argv[2])
folder.mkdir()


def write(name, content):
    (folder / f"{name}.summary.json").write_text(content)


def changed(name, change):
    summary = json.loads(text)
    change(summary)
    write(name, json.dumps(summary) + "\n")


write("cut", text[:len(text) // 2] + "}\n")
start = text[:text.index("{") + 1] + '"schema":"autoprof-summary/1","x":'
write("deep", start + "[" * 1000000 + "}\n")
write("nan", text.replace('"wall_ns":', '"wall_ns":NaN,"x":', 1))
write("second", text + "{}\n")
changed("huge", lambda s: s.update(wall_ns=10**18))
changed("negative", lambda s: s.update(wall_ns=-1))
changed("newer", lambda s: s.update(schema="autoprof-summary/2"))
changed("steps", lambda s: s.pop("steps"))
changed("type", lambda s: s["steps"].update(times="x"))
changed("first", lambda s: s["steps"].update(first=0))
changed("overflow", lambda s: s["steps"].update(quantum_ns=10**15, times=[10**6]))
