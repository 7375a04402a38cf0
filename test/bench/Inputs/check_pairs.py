# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_pairs.py FOLDER LIST: in LIST, what -fplugin-arg-autoprof-list=on said
of the sources in FOLDER, each pair of pairs.py has its sites, and the program
has no case that is no pair."""
import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(folder))
import pairs  # noqa: E402 (found through the line above)

listed = pathlib.Path(sys.argv[2]).read_text()
cases = set(re.findall(r'\{"(\w+)", \w+\}', (folder / "main.cu").read_text()))
named = {pair.name for pair in pairs.ALL if pair.program == pairs.PAIRS}
assert cases == named, cases ^ named
for pair in pairs.ALL:
    for call in pair.calls if pair.name in cases else ():
        function = pair.function or pair.step.removeprefix("function:") or pair.name
        site = rf"^\S*/{re.escape(pair.file)}:\d+:\d+: \w+ {call} in (\S+::)?{function} \["
        assert re.search(site, listed, re.M), f"{pair.name}: no {call} in {function} of {pair.file}"
