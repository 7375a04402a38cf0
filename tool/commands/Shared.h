// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that several subcommands take.
#ifndef AUTOPROF_COMMANDS_SHARED_H
#define AUTOPROF_COMMANDS_SHARED_H

#include "commands/Commands.h"

namespace autoprof::commands {

using support::Manual;
using support::Option;
using support::OptionGroup;

constexpr Option Color = {"color", 0, "WHEN",
                          "auto (the default: on a terminal, unless NO_COLOR "
                          "is set), always or never",
                          "auto|always|never"};

constexpr Option Semantics = {
    "semantics", 0, "FILE",
    "results of 'autoprof calibrate', which override the built-in table; "
    "default: the file that the variable AUTOPROF_SEMANTICS names"};

constexpr Option OutputFile = {"output", 'o', "FILE",
                               "write to FILE instead of standard output"};

constexpr Option ReportFormat = {
    "format", 0, "FORMAT",
    "terminal (the default), markdown, json or html (a self-contained page, "
    "for use with -o)",
    "terminal|markdown|json|html"};

/// The options for output to people and to programs, and nothing else.
constexpr Option PlainFormat = {
    "format", 0, "FORMAT", "terminal (the default) or json", "terminal|json"};

constexpr Option MaxChars = {
    "max-chars", 0, "N",
    "with markdown: limit the output to N bytes (at least 1000); the least "
    "important parts are omitted first, and the omission is noted"};

constexpr Option Step = {
    "step", 0, "NAME",
    "count steps by function:NAME, loop:FILE:LINE or range:NAME (an NVTX range "
    "of the program); the prefix may be omitted. Default: the outermost hot "
    "loop"};

constexpr Option BaseStep = {
    "base-step", 0, "NAME",
    "the steps of the base that --step, or the default, is compared with, as "
    "after the loop was moved or renamed; NAME as for --step"};

constexpr Option Window = {"window", 0, "FROM:TO",
                           "use only this part of the recording, counted from "
                           "its start: 2s:3.5s, 10%:20% or :500ms"};

constexpr Option Pid = {
    "pid", 0, "PID",
    "the process to use of an Nsight Systems export with several; default: the "
    "one with the most GPU operations"};

constexpr Option AllSites = {"all", 0, nullptr,
                             "also list sites that never waited"};

/// Of the subcommands that read sources.
constexpr Option Build = {
    "build", 'p', "PATH",
    "a compile_commands.json, or the folder that contains it; FILEs then "
    "select among its files; default: the nearest one at or above the FILEs or "
    "the current folder. A FILE that is a folder selects the .cu and .hip "
    "files in it, without those of build tools"};
constexpr Option Include = {
    "include", 'I', "DIR",
    "include folder for FILEs that are not in a compile_commands.json"};
constexpr Option Define = {
    "define", 'D', "NAME[=VALUE]",
    "macro for FILEs that are not in a compile_commands.json"};
constexpr Option Jobs = {
    "jobs", 'j', "N", "number of files read in parallel; default: one per CPU"};
constexpr Option TimeLimit = {
    "time-limit", 0, "S",
    "limit of CPU time per file, in seconds; default: 60; 0: unlimited"};

#define AUTOPROF_SOURCES_USAGE(COMMAND)                                        \
  "autoprof " COMMAND " [OPTIONS] -p BUILD [FILE...]\n"                        \
  "autoprof " COMMAND " [OPTIONS] FILE...\n"                                   \
  "autoprof " COMMAND " [OPTIONS] -- COMPILER ARGUMENTS"

} // namespace autoprof::commands

#endif // AUTOPROF_COMMANDS_SHARED_H
