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


def resolve(node, root):
    while "$ref" in node:
        keys = node["$ref"].removeprefix("#/").split("/")
        node = root
        for key in keys:
            node = node[key]
    return node


def step(nodes, name, root):
    """The schemas of a member, or with "" of the items of an array."""
    found = []
    for node in (resolve(n, root) for n in nodes):
        for key in ("oneOf", "anyOf", "allOf"):
            found += step(node.get(key, []), name, root)
        if not name and isinstance(node.get("items"), dict):
            found.append(node["items"])
        if name in node.get("properties", {}):
            found.append(node["properties"][name])
    return found


def follow(nodes, path, root):
    for name in re.findall(r"\.(\w+)|\[\d*\]", path):
        nodes = step(nodes, name, root)
        assert nodes, f"{path}: the schema has no '{name or '[]'}' there"
    return nodes


checked = 0
for command in re.findall(r"^  (\w+)  ", help_of(), re.M):
    for path in re.findall(r"jq '([^']*)'", help_of(command)):
        with open(f"{SCHEMAS}/autoprof-{SCHEMA_OF[command]}-1.schema.json", encoding="utf-8") as file:
            root = json.load(file)
        nodes = [root]
        for part in path.split(" | "):
            inner = re.fullmatch(r"select\((\S+) .*\)", part)
            nodes = nodes if inner and follow(nodes, inner[1], root) else follow(nodes, part, root)
        checked += 1
print(checked, "paths")
