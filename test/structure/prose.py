#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that no code compares with prose: prose.py ROOT.

A sentence is made from values and read by people. Code that looks for words in
it changes what it does when somebody rewords the sentence, so whatever it
decides must be an enum, a flag or an error class (config/ErrorKind.h). Prints
each comparison with a literal that has a blank between words, except with text
that somebody else writes (FOREIGN); exit code 1 then.
"""

import pathlib
import re
import sys

PROSE = r'"(?:[^"\\\n]|\\.)*[A-Za-z0-9)\],:.;] [A-Za-z0-9(](?:[^"\\\n]|\\.)*"'
CALLS = r"\b(?:(?:starts|ends)_with|contains|r?find|consume_(?:front|back)|r?split|count|equals|substr|Cases?)(?:_insensitive)?\s*\(\s*"
COMPARISON = re.compile(rf"(?:{CALLS}|[=!]=\s*){PROSE}|{PROSE}\s*[=!]=")

# Whose words: where, and in which files.
FOREIGN = {
    "nvcc's and gcc's messages": {"tool/nvcc/Main.cpp": ["Compilation terminated."]},
    "sources and C++ names": {
        "tool/analysis/common/KernelName.cpp": ["(anonymous namespace)"],
        "tool/audit/extract/RecordSites.cpp": ["operator value_type"],
        "tool/compilation/Prelude.cpp": ["#define CUDA_VERSION "],
    },
    "files of other programs": {
        "tool/trace/import/Names.cpp": ["Memcpy ", "command buffer full"],
        "tool/trace/json/Fields.cpp": ["registers per thread", "shared memory", "autoprof "],
        "tool/trace/kineto/KinetoReader.cpp": ["Event Sync", "Stream Wait Event", "Stream Sync", "CUDA graph "],
        "tool/trace/nsys/NsysReader.cpp": ["SQLite format 3"],
    },
    "files that recordings and baselines are": {
        "tool/analysis/comparison/Baseline.cpp": ["NVTX range "],
        "tool/trace/pftrace/Metadata.cpp": ["the whole run", "the run after its first "],
    },
    "pages of docs/, of which explain prints parts": {
        "tool/report/audit/RulePages.cpp": ["In reports: "],
    },
    "what users type, or copy from a report": {"tool/cli/ExplainCommand.cpp": ["launch of "]},
    "the catalogue's third column, whose words Check.cpp verifies": {
        "tool/audit/extract/ArgumentFacts.cpp": ["the ", "what is done", "whether "],
        "tool/audit/rules/Torch.cpp": ["source=the tensor"],
    },
}



def is_allowed(file, text):
    lists = FOREIGN.values()
    return any(word in text for files in lists for word in files.get(file, []))


def comparisons(root):
    for top in ("tool", "runtime", "include"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            text = re.sub(r"//.*", "", path.read_text())
            file = str(path.relative_to(root))
            for match in COMPARISON.finditer(text):
                if not is_allowed(file, match.group()):
                    line = text.count("\n", 0, match.start()) + 1
                    yield f"{file}:{line}: compares with prose: {' '.join(match.group().split())}"


def main():
    found = list(comparisons(pathlib.Path(sys.argv[1])))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
