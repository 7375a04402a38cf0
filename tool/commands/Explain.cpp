// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    Semantics,
    {"all", 0, nullptr, "all calls instead of one"},
    {"details", 0, nullptr,
     "terminal: all measurements of the call, of all machines"},
    {"format", 0, "FORMAT",
     "one of " AUTOPROF_FORMAT_NAMES "|json; default: terminal. Rules and "
     "terms: terminal or markdown",
     AUTOPROF_FORMAT_NAMES "|json"},
    OutputFile,
    Color,
};

} // namespace

const Manual commands::Explain = {
    "explain",
    "explain whether a call makes the CPU wait, an audit rule, or a term",
    "autoprof explain [OPTIONS] CALL\n"
    "autoprof explain [OPTIONS] RULE\n"
    "autoprof explain [OPTIONS] TERM\n"
    "autoprof explain [OPTIONS] --all",
    "Explains whether the CPU waits inside a call for GPU work queued earlier: "
    "when, for which work, how that is known, what was measured on which GPU, "
    "and what to use instead. CALL is a function of CUDA or of a library "
    "around it, with its namespaces, or its PyTorch name (Tensor.item, "
    "torch.cuda.synchronize, aten::item); arguments and template arguments are "
    "ignored. No GPU is needed.\n"
    "\n"
    "RULE is a rule of 'autoprof audit', with or without its prefix: "
    "autoprof-sync-in-loop or sync-in-loop. Prints what the rule finds, what "
    "to do about it, and when it reports nothing.\n"
    "\n"
    "TERM is a word of reports: probe, 'exposed stall', gain, interval, "
    "run-ahead, idle, starved, limit, CPU-bound (docs/terms.md).",
    Options,
    nullptr,
    "autoprof explain cudaMemcpyAsync\n"
    "autoprof explain thrust::reduce\n"
    "autoprof explain Tensor.item\n"
    "autoprof explain autoprof-sync-in-loop\n"
    "autoprof explain exposed-stall\n"
    "autoprof explain --format=json cudaFree | jq '.rows[].waits'\n"
    "autoprof explain --all | grep maybe"};
