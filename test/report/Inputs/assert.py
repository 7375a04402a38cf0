# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""assert.py FILE... EXPRESSION: of the JSON files, as d, e, f."""
import json
import sys

names = dict(zip("def", (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:-1])))
assert eval(sys.argv[-1], names), sys.argv[-1]
