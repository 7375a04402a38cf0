#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scores `autoprof audit` against the labels of this folder.

Needs, for each labelled repository, a checkout SOURCES/<repository> and a
database DATABASES/<repository>/compile_commands.json; repositories without
them are left out. Prints how the audit's answers about single calls agree
with the labels, and precision and recall of the findings by rule (README.md
says how they count), for the halves dev and test.

Exit code: 0; with --check 1 when a figure of the half test misses its target;
2: wrong usage, or the audit failed.
"""
import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys

from check import COLUMNS, FILE_COLUMNS, known_rules, table, without_gone

PRECISION, RECALL = 0.95, 0.85
HALVES = ("dev", "test")


def bare(callee):
    """A callee without namespaces, template arguments and version."""
    name = re.sub(r"<.*", "", callee or "").split("::")[-1]
    return re.sub(r"(?<=\w)_v\d$", "", name)


class Repository:
    """The labels of one repository, and what the audit says of it."""

    def __init__(self, labels, files, sources, report, database):
        self.name = labels.stem
        self.root = (sources / self.name).resolve()
        faults = []
        self.labels = [without_gone(row)
                       for _, row in table(labels, COLUMNS, faults)]
        if faults:
            raise ValueError(faults[0])
        for row in self.labels:
            row["line"] = int(row["line"])
        self.labelled = {row["path"] for row in self.labels}
        self.complete = {path for (repository, path), complete in files.items()
                         if repository == self.name and complete == "yes"}
        self.sites = collections.defaultdict(list)
        self.call_of = {}
        for site in report["sites"]:
            path = self.path_of(site["file"])
            self.sites[path, site["line"]].append(site)
            self.call_of[site["id"], site["line"]] = site["call"]
        # A call has a finding for each loop; the labels judge calls.
        self.findings = list({
            (f["file"], f["line"], f["rule"]): (self.path_of(f["file"]), f)
            for f in report["findings"]}.values())
        self.left_out = self.unread(report, database)

    def path_of(self, shown):
        """A path of the report relative to the checkout."""
        path = pathlib.Path(shown)
        if path.is_absolute():
            path = path.resolve()
            return (str(path.relative_to(self.root))
                    if path.is_relative_to(self.root) else shown)
        if (self.root / path).is_file():
            return shown
        ends = [p for p in self.labelled if p.endswith("/" + shown)]
        return ends[0] if len(ends) == 1 else shown

    def unread(self, report, database):
        """Labelled files that the audit has not read, with the reason. One
        that the database names and the audit read is in, whatever was seen
        there; a header is in when a call was."""
        compiled = {self.path_of(str(pathlib.Path(entry["directory"],
                                                  entry["file"])))
                    for entry in json.loads(database.read_text())}
        failed = {self.path_of(s["file"]): s["error"]
                  for s in report["skipped"]}
        seen = {path for path, _ in self.sites}
        result = {}
        for path in self.labelled - seen:
            if path in failed:
                result[path] = failed[path]
            elif path not in compiled:
                result[path] = "no source that was read includes it"
        return result

    def labels_read(self):
        return [row for row in self.labels if row["path"] not in self.left_out]

    def label_of(self, path, finding):
        """The label that judges a finding, or None."""
        here = [row for row in self.labels
                if row["path"] == path and row["line"] == finding["line"]]
        call = bare(self.call_of.get((finding["site"], finding["line"])))
        same = [row for row in here if bare(row["callee"]) == call]
        return (same or (here if len(here) == 1 else [None]))[0]

    def waits(self, row):
        """What the audit says of a labelled call: yes, no, maybe, unseen."""
        said = {site["waits"] for site in self.sites[row["path"], row["line"]]
                if bare(site["call"]) == bare(row["callee"])}
        if row["waits"] in said or not said:
            return row["waits"] if said else "unseen"
        return sorted(said)[0]


class Score:
    """Counts of one half, by rule, with the places that went wrong."""

    def __init__(self):
        self.right = collections.Counter()  # findings, by their rule
        self.false = collections.Counter()
        self.found = collections.Counter()  # labels, by their first rule
        self.missed = collections.Counter()
        self.waits = collections.Counter()  # (label, audit)
        self.severities = collections.Counter()
        self.places = []

    def sites(self, repository, half):
        for row in repository.labels_read():
            if row["half"] != half:
                continue
            said = repository.waits(row)
            self.waits[row["waits"], said] += 1
            if said != row["waits"] and (row["waits"], said) != ("no", "unseen"):
                self.note("waits", repository, row["path"], row["line"],
                          f"{row['callee']}: {said}, not {row['waits']}: "
                          + row["reason"])

    def findings(self, repository, half, half_of):
        hit = set()
        for path, finding in repository.findings:
            if half_of.get(path) != half or path in repository.left_out:
                continue
            row = repository.label_of(path, finding)
            if row is None and path not in repository.complete:
                continue
            if row and finding["rule"] in row["rule"].split("|"):
                hit.add(id(row))
                self.right[finding["rule"]] += 1
                self.severities[finding["severity"] == row["severity"]] += 1
            else:
                self.false[finding["rule"]] += 1
                self.note("false", repository, path, finding["line"],
                          finding["rule"] + ", not "
                          + (f"{row['rule']}: {row['reason']}" if row
                             else "labelled"))
        for row in repository.labels_read():
            if row["half"] == half and row["rule"] != "-":
                rule = row["rule"].split("|")[0]
                (self.found if id(row) in hit else self.missed)[rule] += 1
                if id(row) not in hit:
                    self.note("missed", repository, row["path"], row["line"],
                              f"{row['rule']} at {row['callee']}: "
                              + row["reason"])

    def note(self, kind, repository, path, line, text):
        self.places.append((kind, f"{repository.name}/{path}", line, text))


def share(part, whole):
    return part / whole if whole else None


def percent(value):
    return "-" if value is None else f"{100 * value:.1f} %"


def figures(score, rules):
    """(right, false, found, missed) of some rules."""
    return tuple(sum(counts[rule] for rule in rules) for counts in
                 (score.right, score.false, score.found, score.missed))


def print_sites(half, score):
    count = sum(score.waits.values())
    said_yes = sum(n for (_, said), n in score.waits.items() if said == "yes")
    is_yes = sum(n for (label, _), n in score.waits.items() if label == "yes")
    right = score.waits["yes", "yes"]
    agree = (sum(score.waits[w, w] for w in ("yes", "no", "maybe"))
             + score.waits["no", "unseen"])
    print(f"calls, {half}: {agree} of {count} answers agree; waits = yes: "
          f"precision {percent(share(right, said_yes))} of {said_yes}, "
          f"recall {percent(share(right, is_yes))} of {is_yes}")
    print(f"  {'label':8}" + "".join(
        f"{said:>8}" for said in ("yes", "maybe", "no", "unseen")))
    for label in ("yes", "maybe", "no"):
        print(f"  {label:8}" + "".join(
            f"{score.waits[label, said]:8}"
            for said in ("yes", "maybe", "no", "unseen")))


def print_findings(half, score, rules):
    """One line a rule; gives the figures that miss a target."""
    print(f"findings, {half}:")
    print(f"  {'rule':40} {'right':>6} {'false':>6} {'precision':>10} "
          f"{'found':>6} {'missed':>6} {'recall':>8}")
    below = []
    for name, members in [(r, [r]) for r in rules] + [("all rules", rules)]:
        right, false, found, missed = figures(score, members)
        if not right + false + found + missed:
            continue
        precision = share(right, right + false)
        recall = share(found, found + missed)
        print(f"  {name:40} {right:6} {false:6} {percent(precision):>10} "
              f"{found:6} {missed:6} {percent(recall):>8}")
        if precision is not None and precision < PRECISION:
            below.append(f"{name}: precision {percent(precision)}")
        if recall is not None and recall < RECALL:
            below.append(f"{name}: recall {percent(recall)}")
    agree = score.severities[True]
    print(f"  severity as labelled: {agree} of "
          f"{agree + score.severities[False]} right findings")
    return below


def audit(args, repository, database):
    """The audit's JSON of one repository; kept under --results if named."""
    kept = args.results and args.results / f"{repository}.json"
    if kept and args.reuse and kept.is_file():
        return json.loads(kept.read_text())
    # From the checkout: paths are shown from the current folder.
    program = str(pathlib.Path(shutil.which(args.autoprof) or
                               args.autoprof).resolve())
    done = subprocess.run(
        [program, "audit", "--format=json", "-p",
         str(database.parent.resolve())],
        cwd=args.sources / repository, stdout=subprocess.PIPE, text=True,
        check=False)
    if done.returncode not in (0, 1):
        raise ValueError(f"autoprof audit failed on {repository}: exit code "
                         f"{done.returncode}")
    if kept:
        args.results.mkdir(parents=True, exist_ok=True)
        kept.write_text(done.stdout)
    return json.loads(done.stdout)


def options():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    folder = pathlib.Path
    parser.add_argument("--labels", type=folder,
                        default=pathlib.Path(__file__).parent,
                        help="the folder with the labels (default: this one)")
    parser.add_argument("--sources", type=folder, required=True,
                        help="a folder with the repositories")
    parser.add_argument("--databases", type=folder, required=True,
                        help="a folder with a compile database for each")
    parser.add_argument("--autoprof", default="autoprof",
                        help="the program (default: that of the PATH)")
    parser.add_argument("--results", type=folder,
                        help="keep the audits' JSON in this folder")
    parser.add_argument("--reuse", action="store_true",
                        help="take what --results holds instead of running")
    parser.add_argument("--rule", help="only rules that match this expression")
    parser.add_argument("--list", action="store_true",
                        help="list misses, false alarms and wrong answers")
    parser.add_argument("--check", action="store_true",
                        help=f"exit with 1 unless precision >= "
                        f"{PRECISION:.0%} and recall >= {RECALL:.0%}, in all "
                        "and of each rule, in the half test")
    args = parser.parse_args()
    for needed in (args.labels, args.sources, args.databases):
        if not needed.is_dir():
            parser.error(f"there is no folder {needed}")
    if args.reuse and not args.results:
        parser.error("--reuse needs --results")
    return parser, args


def repositories(args):
    """Audits each labelled repository that is there."""
    files = {(row["repository"], row["path"]): row["complete"] for _, row in
             table(args.labels / "files.tsv", FILE_COLUMNS, [])}
    for labels in sorted(args.labels.glob("*.tsv")):
        if labels.name == "files.tsv":
            continue
        database = args.databases / labels.stem / "compile_commands.json"
        if (args.sources / labels.stem).is_dir() and database.is_file():
            yield Repository(labels, files, args.sources,
                             audit(args, labels.stem, database), database)
        else:
            print(f"{labels.stem} is left out: it needs a checkout in "
                  f"{args.sources} and a compile database in {args.databases}")


def main():
    parser, args = options()
    try:
        all_of_them = list(repositories(args))
    except (OSError, ValueError) as why:
        parser.error(str(why))
    if not all_of_them:
        parser.error("no labelled repository was found")
    rules = [rule for rule in known_rules()
             if not args.rule or re.search(args.rule, rule)]
    left_out = [(r.name, path, why) for r in all_of_them
                for path, why in sorted(r.left_out.items())]
    labelled = sum(len(r.labelled) for r in all_of_them)
    print(f"{labelled - len(left_out)} of {labelled} labelled files were read; "
          f"{len(left_out)} are left out")
    if args.list:
        for name, path, why in left_out:
            print(f"  {name}/{path}: {why}")
    below = []
    for half in HALVES:
        score = Score()
        for repository in all_of_them:
            half_of = {row["path"]: row["half"] for row in repository.labels}
            score.sites(repository, half)
            score.findings(repository, half, half_of)
        print_sites(half, score)
        below = print_findings(half, score, rules)  # the last half is test
        if args.list:
            for kind, path, line, text in sorted(score.places):
                if not args.rule or re.search(args.rule, text):
                    print(f"  {kind}: {path}:{line}: {text}")
    for text in below:
        print(f"below the target: {text}")
    return 1 if args.check and below else 0


if __name__ == "__main__":
    sys.exit(main())
