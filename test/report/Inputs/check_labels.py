# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the names of sites in reports: no two read the same, and at any width
each has its place and its call. Usage: check_labels.py AUTOPROF TRACE...
"""
import json
import os
import re
import subprocess
import sys

KINDS = "launch|copy|set|sync|alloc|free|query|other|operator"


def report(trace, *options, width=100):
    return subprocess.run(
        [sys.argv[1], "report", *options, trace], check=True, text=True,
        stdout=subprocess.PIPE, env=dict(os.environ, COLUMNS=str(width))).stdout


def distinct(names, about):
    assert names, about
    for name in names:
        assert names.count(name) == 1, (about, name)


def rows(text):
    """The labels of the table of all sites."""
    table = text.split("All sites: sums over the run\n")[1].split("\n\n")[0]
    labels, whole = [], ""
    for line in table.split("\n")[1:]:
        row = re.match(rf"(.*?)\s+({KINDS})\s+\d", line)
        whole = (whole + " " + (row[1] if row else line).strip()).strip()
        if row:
            labels.append(whole)
            whole = ""
    return labels


for trace in sys.argv[2:]:
    sites = json.loads(report(trace, "--format=json"))["sites"]
    keys = [(s["file"], s["line"], s["column"], str(s["called_from"]),
             s["expression"], s["call"]) for s in sites]
    distinct(keys, trace)
    for width in (60, 80, 100, 132, 250):
        labels = rows(report(trace, "--all", width=width))
        assert len(labels) == len(sites), (trace, width, labels)
        distinct(labels, (trace, width))
        for site, label in zip(sites, labels):
            if site["file"] and site["line"]:
                place = "%s:%d" % (os.path.basename(site["file"]), site["line"])
                assert place in label, (trace, width, site, label)
            if site["kind"] != "operator":
                assert label.endswith(site["call"]), (trace, width, label)
    for table in report(trace, "--format=markdown").split("\n\n"):
        if table.startswith("| site |"):
            distinct([row.split(" | ")[0] for row in table.split("\n")[2:]], table)
