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
    "what 'autoprof calibrate' measured; comes before the built-in table. "
    "Default: the file that the variable AUTOPROF_SEMANTICS names"};

constexpr Option OutputFile = {"output", 'o', "FILE",
                               "write there instead of to standard output"};

constexpr Option ReportFormat = {
    "format", 0, "FORMAT",
    "terminal (the default), markdown, json or html: a page of its own, for a "
    "browser (with -o)",
    "terminal|markdown|json|html"};

/// What is printed for people and for programs, and nothing else.
constexpr Option PlainFormat = {
    "format", 0, "FORMAT", "terminal (the default) or json", "terminal|json"};

constexpr Option MaxChars = {
    "max-chars", 0, "N",
    "with markdown: leave out what does not fit, the least important first, "
    "and say so; at least 1000 (bytes)"};

constexpr Option Step = {
    "step", 0, "NAME",
    "count steps by function:NAME, loop:FILE:LINE or range:NAME (an NVTX range "
    "of the program's own); the word before the colon may be left out. "
    "Default: the outermost hot loop"};

constexpr Option Window = {
    "window", 0, "FROM:TO",
    "only this part of the recording, as in 2s:3.5s, 10%:20% or :500ms, "
    "counted from its beginning"};

constexpr Option Pid = {
    "pid", 0, "PID",
    "of an Nsight Systems export with several processes: this one, not the one "
    "with the most GPU operations"};

constexpr Option AllSites = {"all", 0, nullptr,
                             "list sites that never waited, too"};

/// Of the subcommands that read sources.
constexpr Option Build = {
    "build", 'p', "PATH",
    "a compile_commands.json, or the folder that has one; FILEs then choose "
    "among its files; default: the nearest one at or above the FILEs, or this "
    "folder. A FILE that is a folder stands for its .cu files"};
constexpr Option Include = {
    "include", 'I', "DIR",
    "an include folder for FILEs that are in no compile_commands.json"};
constexpr Option Define = {
    "define", 'D', "NAME[=VALUE]",
    "a macro for FILEs that are in no compile_commands.json"};
constexpr Option Jobs = {"jobs", 'j', "N",
                         "files read at a time; default: one for each CPU"};
constexpr Option TimeLimit = {
    "time-limit", 0, "S",
    "seconds of CPU time for each file; default: 60; 0: none"};

#define AUTOPROF_SOURCES_USAGE(COMMAND)                                        \
  "autoprof " COMMAND " [OPTIONS] -p BUILD [FILE...]\n"                        \
  "autoprof " COMMAND " [OPTIONS] FILE...\n"                                   \
  "autoprof " COMMAND " [OPTIONS] -- COMPILER ARGUMENTS"

} // namespace autoprof::commands

#endif // AUTOPROF_COMMANDS_SHARED_H
