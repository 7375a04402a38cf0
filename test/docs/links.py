# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks links between the pages: links.py ROOT. Files and headings must exist.

Every page below docs/ must be reachable from README.md or docs/README.md.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1]).resolve()
LINK = re.compile(r"(?<!!)!?\[[^\]]*\]\(([^)\s]+)\)")


def text_of(page):
    """Without code, in which brackets mean something else."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.S | re.M)
    text = re.sub(r"^(    |\t).*$", "", text, flags=re.M)
    return re.sub(r"`[^`\n]*`(?!\])", "", text)


def anchors(page):
    """Of the headings, as code hosts make them."""
    names = []
    for title in re.findall(r"^#+ +(.*)$", page.read_text(), flags=re.M):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        names.append(re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-"))
    return names


def main():
    pages = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")])
    bad, reached = [], {}
    for page in pages:
        reached[page] = set()
        for target in LINK.findall(text_of(page)):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            name = f"{page.relative_to(ROOT)}: {target}"
            if not file.exists():
                bad.append(f"{name}: no such file")
            elif anchor and file.suffix == ".md" and anchor not in anchors(file):
                bad.append(f"{name}: no such heading")
            reached[page].add(file)
    seen, waiting = set(), [ROOT / "README.md", ROOT / "docs/README.md"]
    while waiting:
        page = waiting.pop()
        if page in seen or page not in reached:
            continue
        seen.add(page)
        waiting += [file / "README.md" if file.is_dir() else file for file in reached[page]]
    bad += [f"{page.relative_to(ROOT)}: no page links to it" for page in pages
            if page not in seen and (ROOT / "docs") in page.parents]
    print("\n".join(bad) or f"{len(pages)} pages: every link leads somewhere")
    return bool(bad)


sys.exit(main())
