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

} // namespace autoprof::cli
