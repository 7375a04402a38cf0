# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks JSON of autoprof against the schemas in docs/schemas.

validate.py [--complete] [FILE...]: each document names its schema. In a file
with an object on each line the first may name that of all. Without files a
filter: what is valid on the standard input goes to the standard output.

The schemas allow keys that they do not know, as a later version may add some.
Here they do not: a key that autoprof writes is described. --complete: every
object that a schema describes occurs in the documents, at one of its places.
Without the package jsonschema nothing is checked.
"""
import functools
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    jsonschema = None

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs" / "schemas"
described, seen = {}, set()  # By the keys of an object, as text.
kinds = {}  # From ids to these texts.


def forbid_others(schema, path):
    """No keys but those of `schema`, which is at `path`, and inside of it."""
    if isinstance(schema, list):
        for number, inner in enumerate(schema):
            forbid_others(inner, f"{path}/{number}")
    if not isinstance(schema, dict):
        return
    for key, inner in schema.items():
        forbid_others(inner, f"{path}/{key}")
    if "object" in schema.get("type", []) and "properties" in schema:
        keys = kinds[id(schema["properties"])] = json.dumps(schema["properties"])
        described.setdefault(keys, path)
        schema.setdefault("additionalProperties", False)


@functools.cache
def validator(name):
    """Of "autoprof-report/1"."""
    base = jsonschema.Draft202012Validator

    def properties(validator, keys, instance, schema):
        if isinstance(instance, dict):
            seen.add(kinds[id(keys)])
        yield from base.VALIDATORS["properties"](validator, keys, instance, schema)

    schema = json.loads((FOLDER / (name.replace("/", "-") + ".schema.json")).read_text("utf-8"))
    base.check_schema(schema)
    assert schema["title"] == name, schema["title"]
    forbid_others(schema, name)
    return jsonschema.validators.extend(base, {"properties": properties})(schema)


def documents(text):
    try:
        return [json.loads(text)]
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines() if line.strip() and line[0] != "#"]


def problems(text, path):
    """What is wrong with the documents in `text`, a line each."""
    if not jsonschema:
        return
    all_of_file = documents(text)
    if not all_of_file:
        yield f"{path}: no document"
    for number, document in enumerate(all_of_file, 1):
        name = document.get("schema", all_of_file[0].get("schema"))
        for error in validator(name).iter_errors(document):
            error = jsonschema.exceptions.best_match([error])
            yield f"{path}, object {number}: {error.json_path}: {error.message[:300]}"


def main():
    complete = "--complete" in sys.argv
    paths = [path for path in sys.argv[1:] if path != "--complete"]
    if paths:
        wrong = [line for path in paths for line in problems(pathlib.Path(path).read_text("utf-8"), path)]
    else:
        text = sys.stdin.read()
        wrong = list(problems(text, "<stdin>"))
        sys.stdout.write(text)
    if complete:
        # Only recordings of frameworks have called_from (test/report/frameworks.test).
        wrong += [f"{path} does not occur" for key, path in described.items()
                  if key not in seen and not path.endswith("/called_from")]
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
