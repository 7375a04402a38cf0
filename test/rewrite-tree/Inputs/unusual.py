# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a project of files that are unusual, each in its own way."""
import json
import os
import pathlib
import sys

root = pathlib.Path(sys.argv[1])
CALL = b"void NAME() { cudaDeviceSynchronize(); }"
HEAD = b"#include <cuda_runtime.h>\n"
SOURCES = {
    "crlf.cu": HEAD.replace(b"\n", b"\r\n") + b"\r\n" + CALL + b"\r\n",
    "crlf_full.cu": HEAD.replace(b"\n", b"\r\n") + CALL + b"\r\n",
    "no_end.cu": HEAD + CALL,
    "comment_end.cu": HEAD + CALL + b" // no line end",
    "bom.cu": b"\xef\xbb\xbf" + HEAD + b"\n" + CALL + b"\n",
    "bom_full.cu": b"\xef\xbb\xbf" + HEAD + CALL + b"\n",
    "latin1.cu": b"// \xe9\n" + HEAD + CALL + b"\n",
    "with space.cu": HEAD + CALL + b"\n",
    "caf\u00e9.cu": HEAD + CALL + b"\n",
    "real/deep/linked.cu": HEAD + b"\n" + CALL + b"\n",
}
root.mkdir()
(root / ".autoprof").touch()
entries = []
for number, (name, text) in enumerate(SOURCES.items()):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.replace(b"NAME", b"f%d" % number))
    if "/" not in name:
        entries.append(name)

os.symlink("real/deep", root / "link")  # a folder, relative
os.symlink(root / "real/deep/linked.cu", root / "file.cu")  # a file, absolute
os.symlink("/usr/include", root / "usr")  # leads out
os.symlink("nowhere", root / "broken")
(root / "sub").mkdir()
os.mkfifo(root / "sub/pipe")
(root / "run.sh").write_text("#!/bin/sh\n")
(root / "run.sh").chmod(0o755)
(root / "build").mkdir()
(root / "build/CMakeCache.txt").touch()
(root / "build/generated.h").write_bytes(b"inline void generated() { cudaFree(nullptr); }\n")
(root / "uses_generated.cu").write_bytes(HEAD + b'\n#include <generated.h>\nvoid g() { generated(); }\n')
entries += ["link/linked.cu", "file.cu", "uses_generated.cu"]
(root / "compile_commands.json").write_text(json.dumps([
    {"directory": str(root), "file": name,
     "arguments": ["nvcc", "-arch=sm_90", "-Ibuild", "-c", name, "-o", f"build/{number}.o"]}
    for number, name in enumerate(entries)]))
