#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes calibrations into autoprof and writes docs/catalogue.md anew.

Usage: update.py [--build=FOLDER] [CALIBRATION.json ...]

Each file of bench/calibrate/run.py becomes measured/<gpu>-cuda<version>-<n>gpu.json;
one of that name is replaced. Then autoprof is built, docs/catalogue.md is
written, and the table is compared with all measurements. Exit code 0: all is
well; 1: the table does not answer as measured (it says where); 2: a file
cannot be used, or the build fails."""
import argparse
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]


def fail(message):
    print("update.py: " + message, file=sys.stderr)
    sys.exit(2)


def run(*command, **options):
    return subprocess.run([str(part) for part in command], **options)


def build(folder):
    if run("cmake", "--build", folder, "--target", "autoprof", "CatalogueTests").returncode:
        fail("the build in " + str(folder) + " fails; see above")


def written(autoprof, path):
    """The calibration as this version of autoprof writes it, without the name
    of the machine, which says nothing to others."""
    result = run(autoprof, "calibrate", "--show=" + str(path),
                 capture_output=True, text=True)
    if result.returncode:
        fail(result.stderr.strip().removeprefix("autoprof: "))
    return re.sub(r'^  "host": .*$', '  "host": null,', result.stdout, count=1,
                  flags=re.M)


def name_of(text):
    """h200-cuda13.0-2gpu.json"""
    def value(key):
        return re.search(r'^  "%s": "?([^",\n]*)' % key, text, re.M).group(1)
    gpu = re.sub(r"[^a-z0-9]+", "-", value("gpu").lower()).strip("-")
    cuda = value("cuda")
    if not gpu or cuda == "null":
        fail("a calibration names its GPU and the version of CUDA")
    return "%s-cuda%s-%sgpu.json" % (gpu.removeprefix("nvidia-"), cuda,
                                     value("gpus"))


def main():
    options = argparse.ArgumentParser(description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", type=pathlib.Path,
                         default=ROOT / "build" / "release")
    options.add_argument("calibrations", nargs="*", type=pathlib.Path)
    arguments = options.parse_args()
    if not (arguments.build / "build.ninja").exists():
        fail("no build in '%s': run cmake --preset release, or name one with "
             "--build" % arguments.build)
    autoprof = arguments.build / "bin" / "autoprof"
    build(arguments.build)
    # All are read before the first is taken in.
    texts = [written(autoprof, path) for path in arguments.calibrations]
    for text in texts:
        target = HERE / name_of(text)
        target.write_text(text, encoding="utf-8")
        print("update.py: wrote " + str(target.relative_to(ROOT)))
    if texts:
        build(arguments.build)
    page = ROOT / "docs" / "catalogue.md"
    if run(autoprof, "explain", "--all", "--format=markdown", "-o", page).returncode:
        fail("docs/catalogue.md could not be written")
    tests = arguments.build / "test" / "unit" / "source" / "CatalogueTests"
    if run(tests, "--gtest_brief=1").returncode:
        print("update.py: the table does not answer as measured; see above",
              file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
