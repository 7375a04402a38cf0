#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packs an installed autoprof and the Python package into a wheel.

The same input gives the same bytes. Prints the wheel's path.
"""
import argparse
import base64
import hashlib
import os
import pathlib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Files for one version of clang, and links, which wheels cannot contain.
LEFT_OUT = ("lib/autoprof.so", "lib/pkgconfig/", "libexec/", "share/autoprof/autoprof.cfg", "share/doc/")
# Files that pip puts below the environment's prefix, where bash looks for them.
SHARED = ("share/bash-completion/",)

METADATA = """\
Metadata-Version: 2.1
Name: autoprof
Version: {version}
Summary: Finds hidden CPU-GPU synchronization in CUDA programs and prices it per source line
License: Apache-2.0 WITH LLVM-exception
Requires-Python: >=3.8
Keywords: CUDA,GPU,profiler,synchronization,PyTorch,NVIDIA
Classifier: Development Status :: 4 - Beta
Classifier: Environment :: Console
Classifier: Environment :: GPU :: NVIDIA CUDA
Classifier: Intended Audience :: Developers
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C++
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Software Development :: Debuggers
Classifier: Topic :: System :: Monitoring
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

{readme}"""

WHEEL = """\
Wheel-Version: 1.0
Generator: autoprof build_wheel.py
Root-Is-Purelib: false
Tag: py3-none-{platform}
"""

ENTRY_POINTS = """\
[console_scripts]
autoprof = autoprof._commands:autoprof
autoprof-nvcc = autoprof._commands:nvcc
"""


def files_below(folder):
    """Yields (name relative to `folder`, path) for each file, sorted."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(folder).as_posix(), path


def package_files(installed, data):
    for name, path in files_below(ROOT / "python" / "autoprof"):
        yield "autoprof/" + name, path.read_bytes(), False
    for name, path in files_below(installed):
        if not name.startswith(LEFT_OUT):
            folder = data if name.startswith(SHARED) else "autoprof/"
            yield folder + name, path.read_bytes(), os.access(path, os.X_OK)


def info_files(version, platform, licenses):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    yield "METADATA", METADATA.format(version=version, readme=readme).encode()
    yield "WHEEL", WHEEL.format(platform=platform).encode()
    yield "entry_points.txt", ENTRY_POINTS.encode()
    yield "licenses/LICENSE", (ROOT / "LICENSE").read_bytes()
    for name, path in files_below(licenses) if licenses else ():
        yield "licenses/" + name, path.read_bytes()


class Wheel:
    """A wheel being written, and its RECORD."""

    def __init__(self, path):
        self.archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9)
        self.record = []

    def add(self, name, content, executable=False):
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(content)}\n")
        self.write(name, content, executable)

    def write(self, name, content, executable=False):
        member = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        member.external_attr = (0o100755 if executable else 0o100644) << 16
        member.compress_type = zipfile.ZIP_DEFLATED
        self.archive.writestr(member, content)

    def close(self, record_name):
        self.write(record_name, "".join(self.record + [f"{record_name},,\n"]))
        self.archive.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--installed", type=pathlib.Path, required=True, help="where `cmake --install --prefix` put autoprof")
    parser.add_argument("--licenses", type=pathlib.Path, help="folder with the licences of libraries in the programs")
    parser.add_argument("--version", required=True)
    parser.add_argument("--platform", default="linux_x86_64", help="the platform tag (default: %(default)s)")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("dist"))
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    path = options.output / f"autoprof-{options.version}-py3-none-{options.platform}.whl"
    info = f"autoprof-{options.version}.dist-info/"
    wheel = Wheel(path)
    for name, content, executable in package_files(options.installed, f"autoprof-{options.version}.data/data/"):
        wheel.add(name, content, executable)
    for name, content in info_files(options.version, options.platform, options.licenses):
        wheel.add(info + name, content)
    wheel.close(info + "RECORD")
    print(path)


if __name__ == "__main__":
    main()
