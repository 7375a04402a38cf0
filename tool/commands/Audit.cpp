// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    Build,
    Include,
    Define,
    Jobs,
    TimeLimit,
    {"exclude-dir", 0, "DIR",
     "do not read the sources in DIR, even if they are named as FILEs. May be "
     "repeated"},
    {"require-all", 0, nullptr,
     "exit with 2 if a source could not be read completely"},
    {"checks", 0, "GLOBS",
     "rules to run, in clang-tidy's syntax: the last glob that matches a name "
     "decides, and '-' disables; appended to autoprof-*"},
    {"list-checks", 0, nullptr, "print the enabled rules"},
    {"header-filter", 0, "REGEX",
     "report in headers that match; default: the project's"},
    {"fail-on", 0, "SEVERITY",
     "exit with 1 for findings of this severity or higher: high, medium (the "
     "default), low, note or never; with --baseline for each finding that it "
     "does not accept, unless never",
     "high|medium|low|note|never"},
    {"warnings-as-errors", 0, "GLOBS",
     "rules whose findings fail regardless of severity, unless --fail-on is "
     "never"},
    {"baseline", 0, "FILE",
     "accept the findings listed in FILE: one per line, without line numbers, "
     "with an optional reason"},
    {"update", 0, nullptr,
     "write FILE instead of failing; reasons in it are kept"},
    Semantics,
    {"cache", 0, "DIR",
     "folder for cached results; default: the user's cache folder"},
    {"cache-size", 0, "SIZE",
     "size limit of the cache: 64M, 1G; the least recently used entries are "
     "removed; default: 256M"},
    {"no-cache", 0, nullptr, "do not use the cache; read all files"},
    {"prices", 0, "TRACE",
     "show for each finding what a recording measured, sort by gain, and list "
     "waits that are not findings. May be repeated; a folder selects its "
     "traces, and a report in JSON can replace its trace"},
    {"step", 0, "NAME",
     "with --prices: count steps by this range, as 'autoprof report'"},
    {"format", 0, "FORMAT",
     "one of " AUTOPROF_FORMAT_NAMES "|json|sarif|github; default: terminal. "
     "markdown is for pull requests, sarif for code scanning, github for "
     "annotations of a workflow",
     AUTOPROF_FORMAT_NAMES "|json|sarif|github"},
    {"max-chars", 0, "N",
     "with markdown: limit the output to N characters, and count what is "
     "omitted"},
    {"output", 'o', "FILE", "write to FILE instead of the terminal"},
};

} // namespace

const Manual commands::Audit = {
    "audit",
    "find hidden synchronization points in the source, without a GPU",
    AUTOPROF_SOURCES_USAGE("audit"),
    "Finds calls in loops that make the CPU wait for the GPU, and prints why, "
    "where the loop is, and what to use instead. Files that have not changed "
    "since the last run are not read again.",
    Options,
    "A file .autoprof above a source may set these options, too: audit: "
    "{checks: ..., header-filter: ..., warnings-as-errors: ..., fail-on: ...}. "
    "The command line takes precedence.\n"
    "\n"
    "A comment suppresses a finding: // autoprof:allow(RULE): why\n"
    "\n"
    "A source with errors is read in part: functions without errors are "
    "audited; the others are listed.\n"
    "\n"
    "'autoprof explain RULE' describes what a rule finds and what to do.",
    "autoprof audit -p build\n"
    "autoprof audit --checks='-*,autoprof-copy-*' train.cu\n"
    "autoprof audit -p build --baseline=.autoprof-audit --update\n"
    "autoprof audit -Iinclude -DUSE_DOUBLE src\n"
    "autoprof audit -p build --prices=base.pftrace\n"
    "autoprof audit --format=json -- nvcc -Iinclude -c train.cu",
    "0 no failing finding; 1 findings of the severity given by --fail-on or "
    "higher that no baseline accepts; 2 wrong usage, no source could be read "
    "(with --require-all: not all of them completely), a FILE does not exist, "
    "or nothing could be checked."};
