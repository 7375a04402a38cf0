# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the audit on a file and compares its findings with what the file says.

A line with a finding ends with a comment:
    call();  // expect: autoprof-sync-in-loop medium
The severity may be left out. Several findings: separated by ';'. A line without
such a comment must have none. Behind a finding, what its advice must or must
not hold: '; advice: TEXT', '; no advice: TEXT'; the same for its message, which
ends with its confidence ("[medium confidence]"): '; message: TEXT', '; no
message: TEXT'. 'same' instead of a rule: the finding of an adjacent call is about
this one, too. Usage: check_rules.py AUDIT-COMMAND... -- FILE...
Every finding says what to do instead. Every file is checked for itself.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).parents[1] / "Inputs"))
import validate


def expected(path):
    """{(line, rule): severity or None}"""
    result = {}
    with open(path, encoding="utf-8") as lines:
        for number, text in enumerate(lines, 1):
            found = re.search(r"// expect: (.*)", text)
            for part in found.group(1).split(";") if found else []:
                if "advice: " in part or "message: " in part:
                    continue
                rule, _, severity = part.strip().partition(" ")
                result[number, rule] = severity or None
    return result


def advised(path):
    """(line, must hold, "advice" or "message", text)"""
    with open(path, encoding="utf-8") as lines:
        for number, text in enumerate(lines, 1):
            for no, kind, words in re.findall(
                    r"; (no )?(advice|message): ([^;\n]*)", text):
                yield number, not no, kind, words.strip()


def check(command, path):
    # Below a folder of tests, all loops would be those of tests.
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(command + [shutil.copy(path, folder)],
                             capture_output=True, text=True)
    if run.returncode not in (0, 1):
        print(run.stderr)
        return [f"{path}: exit code {run.returncode}"]
    report = json.loads(run.stdout)
    wrong = list(validate.problems(run.stdout, path))
    wrong += [f"{path}: not read: {s['error']}" for s in report["skipped"]]
    want = expected(path)
    if not want:
        wrong.append(f"{path}: expects nothing; a test must be able to fail")
    got = {(f["line"], f["rule"]): f for f in report["findings"]}
    also = {(note["line"], "same") for f in report["findings"]
            for note in f["notes"] if note["what"].startswith("the same")}
    wrong += [f"{path}:{line}: unexpected same" for line, rule in sorted(also)
              if (line, rule) not in want]
    for (line, rule), severity in sorted(want.items()):
        if (line, rule) in also:
            continue
        finding = got.get((line, rule))
        if not finding:
            wrong.append(f"{path}:{line}: no {rule}")
        elif severity and finding["severity"] != severity:
            wrong.append(f"{path}:{line}: {rule} is {finding['severity']}, "
                         f"not {severity}")
    for (line, rule), finding in sorted(got.items()):
        if not finding["replacement"]:
            wrong.append(f"{path}:{line}: {rule} says nothing to do instead")
        if (line, rule) not in want:
            wrong.append(f"{path}:{line}: unexpected {rule}: "
                         f"{finding['message']}")
    for line, must, kind, text in advised(path):
        says = " / ".join(
            f["replacement"] if kind == "advice" else
            f"{f['message']} [{f['confidence']} confidence]"
            for f in report["findings"] if f["line"] == line)
        if (text in says) != must:
            wrong.append(f"{path}:{line}: {kind} is '{says}'")
    return wrong


def main():
    split = len(sys.argv) - 1 - sys.argv[::-1].index("--")
    wrong = []
    for path in sys.argv[split + 1:]:
        wrong += check(sys.argv[1:split], path)
    print("\n".join(wrong))
    sys.exit(bool(wrong))


main()
