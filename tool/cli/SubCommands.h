// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file per subcommand; Main.cpp lists them.
#pragma once

#include "support/Command.h"

namespace autoprof::cli {

extern const support::Command RunCommand, AttachCommand, ReportCommand,
    DiffCommand, CompareCommand, TryCommand, CheckCommand, ConvertCommand,
    SummarizeCommand, ExplainCommand, CalibrateCommand, AuditCommand,
    RewriteCommand, SourcesCommand, SitesCommand, DoctorCommand;

/// The schemas of what the subcommands write themselves, a line each.
void describeAttach(llvm::raw_ostream &Out);
void describeDoctor(llvm::raw_ostream &Out);
void describeProbes(llvm::raw_ostream &Out);

/// `autoprof --version`: two lines.
void printVersion(llvm::raw_ostream &OS);

/// "13.0" of CUDA's and CUPTI's 13000.
std::string cudaVersionText(int Version);

/// For `try --patch`: bin/autoprof-source writes the patch of what try.json
/// has, and adds to try.json what is in it. `Tried`: its path; "": only sees
/// whether there are sources. Returns the exit code; what failed was printed.
int makePatch(const support::Arguments &A, const std::string &Tried);

} // namespace autoprof::cli
