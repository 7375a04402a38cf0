# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""jq_paths.py AUTOPROF SCHEMAS: checks the paths of jq in the examples of the
help texts against the schemas of what the commands print."""
import json
import re
import subprocess
import sys

AUTOPROF, SCHEMAS = sys.argv[1:]
SCHEMA_OF = {"doctor": "doctor", "explain": "call", "report": "report", "sites": "probes"}


def help_of(*command):
    return subprocess.run([AUTOPROF, *command, "--help"], capture_output=True, text=True).stdout


def step(nodes, name):
    """The schemas of a member, or with "" of the items of an array."""
    found = []
    for node in nodes:
        if not name and isinstance(node.get("items"), dict):
            found.append(node["items"])
        if name in node.get("properties", {}):
            found.append(node["properties"][name])
    return found


def follow(nodes, path):
    for name in re.findall(r"\.(\w+)|\[\d*\]", path):
        nodes = step(nodes, name)
        assert nodes, f"{path}: the schema has no '{name or '[]'}' there"
    return nodes


checked = 0
for command in re.findall(r"^  (\w+)  ", help_of(), re.M):
    for path in re.findall(r"jq '([^']*)'", help_of(command)):
        with open(f"{SCHEMAS}/autoprof-{SCHEMA_OF[command]}-1.schema.json", encoding="utf-8") as file:
            nodes = [json.load(file)]
        for part in path.split(" | "):
            inner = re.fullmatch(r"select\((\S+) .*\)", part)
            nodes = nodes if inner and follow(nodes, inner[1]) else follow(nodes, part)
        checked += 1
print(checked, "paths")
