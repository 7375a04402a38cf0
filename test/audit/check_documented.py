# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads `autoprof audit --list-checks` from the standard input and prints what
a rule lacks: its page, its row in the table of rules, or a test that expects
it. Usage: check_documented.py ROOT
"""
import pathlib
import sys


def lacking(rule, root, table, tests):
    name = rule.removeprefix("autoprof-")
    page = root / "docs" / "audit" / f"{name}.md"
    if not page.is_file():
        yield "no page docs/audit/" + page.name
    elif not page.read_text().startswith(f"# {rule}\n"):
        yield "a page without its name as title"
    if f"[{rule}]({name}.md)" not in table:
        yield "no row in docs/audit/README.md"
    if f"// expect: {rule}" not in tests and f"; {rule}" not in tests:
        yield "no test that expects it"


def main():
    root = pathlib.Path(sys.argv[1])
    here = root / "test" / "audit"
    table = (root / "docs" / "audit" / "README.md").read_text()
    tests = "".join(p.read_text() for p in sorted(here.glob("*.cu")))
    rules = [line.strip() for line in sys.stdin
             if line.startswith("autoprof-")]
    wrong = [f"{rule}: {what}" for rule in rules
             for what in lacking(rule, root, table, tests)]
    print("\n".join(wrong or [f"{len(rules)} rules"]))
    sys.exit(bool(wrong) or not rules)


main()
