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
    {"checks", 0, "GLOBS",
     "rules to run, as clang-tidy takes them: the last glob that fits a name "
     "decides, '-' takes away; added to autoprof-*"},
    {"list-checks", 0, nullptr, "print the rules that --checks leaves"},
    {"header-filter", 0, "REGEX",
     "report in headers that match; default: the project's"},
    {"line-filter", 0, "JSON",
     "report only these lines: [{\"name\": \"a.cu\", \"lines\": [[1, 9]]}]"},
    {"fail-on", 0, "SEVERITY",
     "exit code 1 for findings of this severity or more: high, medium (the "
     "default), low, note or never",
     "high|medium|low|note|never"},
    {"warnings-as-errors", 0, "GLOBS",
     "rules whose findings fail whatever their severity"},
    {"baseline", 0, "FILE",
     "findings that this file accepts do not fail: it has a line for each, "
     "without line numbers, and room for a reason"},
    {"update", 0, nullptr, "write FILE instead of failing; reasons stay"},
    Semantics,
    {"cache", 0, "DIR",
     "keep what was read there; default: the user's cache folder"},
    {"cache-size", 0, "SIZE",
     "what was not used for the longest time is removed until the rest fits: "
     "64M, 1G; default: 256M"},
    {"no-cache", 0, nullptr, "read all files"},
    {"prices", 0, "TRACE",
     "what a recording measured, for each finding: sorted by what it would "
     "gain, and waits that are not findings. May be given several times; a "
     "folder stands for its traces, and a report in JSON is as good as its "
     "trace"},
    {"step", 0, "NAME",
     "with --prices: count steps by this range, as 'autoprof report'"},
    {"fix", 0, nullptr,
     "make the changes that are safe to make without thinking"},
    {"export-fixes", 0, "FILE", "write fixes for clang-apply-replacements"},
    {"format", 0, "FORMAT",
     "terminal (the default), json, sarif (for code scanning), html (the "
     "annotated sources), markdown (for a pull request), or github "
     "(annotations of a workflow)",
     "terminal|json|sarif|html|markdown|github"},
    {"sort", 0, "ORDER",
     "severity (the default) or file: the order of the source; json and sarif "
     "always have the latter",
     "severity|file"},
    {"max-chars", 0, "N",
     "with markdown: leave out what does not fit, and count it"},
    {"output", 'o', "FILE", "write there instead of to the terminal"},
};

constexpr OptionGroup Groups[] = {{"Options", Options}};

} // namespace

const Manual commands::Audit = {
    "audit",
    "find hidden synchronization points in the source, without a GPU",
    AUTOPROF_SOURCES_USAGE("audit"),
    "Finds calls that make the CPU wait for the GPU in loops, and says why, "
    "where the loop is, and what to use instead. Files that were not changed "
    "since the last run are not read again.",
    Groups,
    "A file .autoprof above a source may choose, too: audit: {checks: ..., "
    "header-filter: ..., warnings-as-errors: ..., fail-on: ...}; the command "
    "line wins.\n"
    "\n"
    "Comments silence a finding: // autoprof:allow(RULE): why, and "
    "clang-tidy's NOLINT(RULE), NOLINTNEXTLINE, NOLINTBEGIN and NOLINTEND.\n"
    "\n"
    "A source with errors is read in part: functions that have none are "
    "audited, the others are listed.\n"
    "\n"
    "Exit code: 0 no finding fails; 1 findings of the severity that --fail-on "
    "names, or more, which no baseline accepts; 2 wrong usage, or no source "
    "could be read.\n"
    "\n"
    "'autoprof explain RULE' says what a rule counts, and what to do.",
    "autoprof audit -p build\n"
    "autoprof audit --checks=-*,autoprof-copy-* train.cu\n"
    "autoprof audit -p build --baseline=.autoprof-audit --update\n"
    "autoprof audit -Iinclude -DUSE_DOUBLE src\n"
    "autoprof audit -p build --prices=base.pftrace\n"
    "autoprof audit --format=json -- nvcc -Iinclude -c train.cu"};
