// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file per subcommand; Main.cpp lists them.
#ifndef AUTOPROF_CLI_SUBCOMMANDS_H
#define AUTOPROF_CLI_SUBCOMMANDS_H

#include "support/Command.h"

namespace autoprof::cli {

extern const support::Command RunCommand, AttachCommand, ReportCommand,
    DiffCommand, CompareCommand, TryCommand, CheckCommand, ConvertCommand,
    SummarizeCommand, ExplainCommand, CalibrateCommand, AuditCommand,
    RewriteCommand, SourcesCommand, SitesCommand, DoctorCommand;

} // namespace autoprof::cli

#endif // AUTOPROF_CLI_SUBCOMMANDS_H
