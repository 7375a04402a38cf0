#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/schemas: for each JSON format its schema, and a page with its keys.

Usage: scripts/json-tables.py [--check] [BUILD]

The programs in BUILD/bin (build/release) describe the formats, from the same
lists of fields by which they write them. --check writes nothing; the exit code
is 1 if a file is not up to date.
"""
import json
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "schemas"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
PLURALS = {"object": "objects", "array": "lists"}


def schemas(build):
    for program in ("autoprof", "autoprof-source"):
        text = subprocess.run([build / "bin" / program, "--print-schemas"], check=True, stdout=subprocess.PIPE).stdout
        for line in text.decode().splitlines():
            schema = json.loads(line)
            yield {"$schema": DIALECT, **{key: schema.pop(key) for key in ("title", "description")}, **schema}


def layout(value, indent=""):
    """JSON with what fits on a line, the rest indented."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent + flat) <= 110 or not isinstance(value, (dict, list)):
        return flat
    if isinstance(value, list) and not isinstance(value[0], dict):
        return "[\n" + textwrap.fill(flat[1:-1], 110, initial_indent=indent + "  ", subsequent_indent=indent + "  ",
                                     break_on_hyphens=False) + "\n" + indent + "]"
    inner = indent + "  "
    if isinstance(value, list):
        return "[\n" + ",\n".join(inner + layout(item, inner) for item in value) + "\n" + indent + "]"
    rows = [f"{inner}{json.dumps(key)}: {layout(item, inner)}" for key, item in value.items()]
    return "{\n" + ",\n".join(rows) + "\n" + indent + "}"


def types(schema):
    """The schema's types, without null, and whether null is one of them."""
    names = schema.get("type", [])
    names = [names] if isinstance(names, str) else names
    values = [schema["const"]] if "const" in schema else schema.get("enum", [])
    names = names or ["null" if value is None else "string" for value in values]
    return list(dict.fromkeys(name for name in names if name != "null")), "null" in names


def type_of(schema):
    names, null = types(schema)
    if names == ["array"]:
        first, comma, rest = type_of(schema["items"]).partition(",")
        text = "list of " + PLURALS.get(first, first + "s") + comma + rest
    else:
        text = " or ".join(names)
    if "x-unit" in schema:
        text += ", " + schema["x-unit"]
    if "maximum" in schema:
        text += f", {schema['minimum']} to {schema['maximum']}"
    return text + (", or null" if null and "," in text else " or null" if null else "")


def meaning(schema):
    text = schema.get("description", "")
    if "const" in schema:
        return f"`{schema['const']}`"
    values = [f"`{value}`" for value in schema.get("items", schema).get("enum", []) if value]
    if all(value in text for value in values):
        return text
    return f"{text}. Values: {', '.join(values)}"


def rows(schema, described, parent=""):
    """The rows of a table. Keys of an object that was described before are not repeated."""
    for key, inner in schema["properties"].items():
        path = f"{parent}.{key}" if parent else key
        item = inner
        while types(item)[0] == ["array"]:
            item, path = item["items"], path + "[]"
        text = meaning(inner)
        keys = item.get("properties")
        known = described.setdefault(json.dumps(keys), path) if keys else path
        if known != path:
            text += f"{'; ' if text else ''}keys as in `{known}`"
        yield f"| `{path}` | {type_of(inner)} | {text} |"
        if keys and known == path:
            yield from rows(item, described, path)


def page(schema):
    parts = [f"# {schema['title']}\n\n<!-- Made by scripts/json-tables.py. -->\n"]
    parts.append(textwrap.fill(schema["description"], 100, break_long_words=False, break_on_hyphens=False) + "\n")
    for part in schema.get("oneOf", [schema]):
        if part is not schema:
            parts.append(part["description"].capitalize() + ":\n")
        parts.append("\n".join(["| key | type | meaning |", "|---|---|---|", *rows(part, {})]) + "\n")
    return re.sub(r"\]\((?=[\w/-]+\.md)", "](../", "\n".join(parts))


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        sys.exit(__doc__)
    files = {}
    for schema in schemas(pathlib.Path(arguments[0] if arguments else ROOT / "build" / "release")):
        name = schema["title"].replace("/", "-")
        files[name + ".schema.json"] = layout(schema) + "\n"
        files[name + ".md"] = page(schema)
    old = {path.name: path.read_text("utf-8") for path in FOLDER.iterdir()}
    if "--check" not in sys.argv:
        for name in old.keys() - files.keys():
            (FOLDER / name).unlink()
        for name, text in files.items():
            (FOLDER / name).write_text(text, "utf-8")
    elif old != files:
        wrong = sorted(name for name in old.keys() | files.keys() if old.get(name) != files.get(name))
        sys.exit(f"docs/schemas is not up to date ({', '.join(wrong)}): run scripts/json-tables.py")


main()
