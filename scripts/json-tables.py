#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of the JSON formats into the pages of docs/.

Usage: scripts/json-tables.py [--check]

A page marks the place of a table; the text between these lines is replaced:

    <!-- autoprof-report/1: made by scripts/json-tables.py -->
    <!-- end -->

This is the table of docs/schemas/autoprof-report-1.schema.json. --check writes
nothing; the exit code is 1 if a page is not up to date, if no page has the table
of a schema, or if schemas define the same name in different ways.
"""
import json
import pathlib
import re
import sys
import textwrap

DOCS = pathlib.Path(__file__).resolve().parents[1] / "docs"
BLOCK = re.compile(r"(<!-- (\S+): made by scripts/json-tables\.py -->\n).*?(<!-- end -->\n)", re.S)
PLURALS = {"object": "objects", "array": "lists"}


def types(schema):
    """The schema's types, without null, and whether null is one of them."""
    names = schema.get("type", [])
    names = [names] if isinstance(names, str) else names
    values = [schema["const"]] if "const" in schema else schema.get("enum", [])
    names = names or ["null" if value is None else "string" for value in values]
    return list(dict.fromkeys(name for name in names if name != "null")), "null" in names


class Table:
    """The rows of one schema: (key, type, meaning, where it was described)."""

    def __init__(self, root):
        self.definitions = root.get("$defs", {})
        self.described = {}
        self.rows = []

    def resolve(self, schema):
        """Follows a reference: the schema, its name, and whether null is possible."""
        nullable = "anyOf" in schema
        target = schema["anyOf"][0] if nullable else schema
        if "$ref" not in target:
            return schema, None, False
        name = target["$ref"].rpartition("/")[2]
        definition = self.definitions[name]
        return {**definition, **{key: schema[key] for key in ("description",) if key in schema}}, name, nullable

    def type_of(self, schema, nullable):
        names, null = types(schema)
        if names == ["array"]:
            item, _, _ = self.resolve(schema["items"])
            inner = self.type_of(item, False)
            first, comma, rest = inner.partition(",")
            text = "list of " + PLURALS.get(first, first + "s") + comma + rest
        else:
            text = " or ".join(name for name in names if name != "integer" or "number" not in names)
        if "x-unit" in schema:
            text += ", " + schema["x-unit"]
        if "maximum" in schema:
            text += f", {schema['minimum']} to {schema['maximum']}"
        return text + (", or null" if (null or nullable) and ("," in text) else " or null" if null or nullable else "")

    @staticmethod
    def meaning(schema):
        text = schema.get("description", "")
        if "const" in schema:
            return f"`{schema['const']}`"
        item = schema.get("items", schema)
        item = schema.get("items", schema)
        values = [f"`{value}`" for value in item.get("enum", []) if value]
        if all(value in text for value in values):
            return text
        return f"{text}. Values: {', '.join(values)}"

    def add(self, path, parent, schema):
        schema, name, nullable = self.resolve(schema)
        inner, inner_name = schema, name
        marks = ""
        while types(inner)[0] == ["array"]:
            inner, inner_name, _ = self.resolve(inner["items"])
            marks += "[]"
        row_type, text = self.type_of(schema, nullable), self.meaning(schema)
        before = self.described.get(inner_name)
        has_keys = "properties" in inner
        if inner_name and before is None:
            self.described[inner_name] = path + marks if has_keys else parent
        if has_keys and before is not None:
            text += f"{'; ' if text else ''}keys as in `{before}`"
        is_repeated = not has_keys and before is not None and "description" not in self.own
        self.rows.append((path + marks, row_type, text, before if is_repeated else None))
        if has_keys and before is None:
            self.keys(inner, path + marks)

    def keys(self, schema, parent=""):
        for key, inner in schema["properties"].items():
            self.own = inner
            self.add(f"{parent}.{key}" if parent else key, parent, inner)

    def text(self):
        """The table as Markdown. Keys that are described elsewhere share a row."""
        lines = ["| key | type | meaning |", "|---|---|---|"]
        group = []
        for key, row_type, meaning, before in self.rows + [("", "", "", None)]:
            parent, _, last = key.rpartition(".")
            if group and (before is None or group[0] != (parent, before)):
                names = [f"`{group[0][0]}{'.' if group[0][0] else ''}{group[1]}`"]
                names += [f"`.{name}`" if group[0][0] else f"`{name}`" for name in group[2:]]
                place = f"in `{group[0][1]}`" if group[0][1] else "above"
                lines.append(f"| {', '.join(names)} | | as {place} |")
                group = []
            if before is None:
                if key:
                    lines.append(f"| `{key}` | {row_type} | {meaning} |")
            else:
                group = group or [(parent, before)]
                group.append(last)
        return "\n".join(lines) + "\n"


def section(schema):
    """The part of a page about a format: its description and its keys."""
    parts = [textwrap.fill(schema["description"], 100, break_long_words=False, break_on_hyphens=False) + "\n"]
    if "oneOf" in schema:
        for choice in schema["oneOf"]:
            table = Table(schema)
            part, _, _ = table.resolve(choice)
            table.keys(part)
            title = part["description"]
            parts.append(f"{title[0].upper()}{title[1:]}:\n\n{table.text()}")
    else:
        table = Table(schema)
        table.keys(schema)
        parts.append(table.text())
    return "\n".join(parts)


def contradictions(schemas):
    """Finds names that two schemas define in different ways."""
    known = {}
    for title, schema in schemas.items():
        for name, definition in schema.get("$defs", {}).items():
            other, first = known.setdefault(name, (title, definition))
            if first != definition:
                yield f"$defs/{name} of {title} is not that of {other}"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    schemas = {}
    for path in sorted((DOCS / "schemas").glob("*.schema.json")):
        schema = json.loads(path.read_text("utf-8"))
        schemas[schema["title"]] = schema
    wrong, placed = list(contradictions(schemas)), set()
    for path in sorted(DOCS.rglob("*.md")):
        old = path.read_text("utf-8")
        placed.update(match.group(2) for match in BLOCK.finditer(old))
        new = BLOCK.sub(lambda m: m.group(1) + "\n" + section(schemas[m.group(2)]) + "\n" + m.group(3), old)
        if new != old and sys.argv[1:]:
            wrong.append(f"{path.name} is not up to date: run scripts/json-tables.py")
        elif new != old:
            path.write_text(new, "utf-8")
    wrong += [f"no page has a table of {title}" for title in schemas.keys() - placed]
    sys.exit("\n".join(sorted(wrong)) or 0)


main()
