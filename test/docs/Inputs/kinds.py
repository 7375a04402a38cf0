# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the kinds of calls in docs/reports-reference.md with those of the schema."""
import json
import pathlib
import re
import sys

docs = pathlib.Path(sys.argv[1]) / "docs"
schema = json.loads((docs / "schemas/autoprof-report-1.schema.json").read_text())
kinds = schema["properties"]["sites"]["items"]["properties"]["kind"]["enum"]
row = next(line for line in (docs / "reports-reference.md").read_text().splitlines() if line.startswith("| `kind` |"))
assert re.findall(r"`(\w+)`", row)[1:] == kinds, (row, kinds)
