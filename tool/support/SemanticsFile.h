// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The user's calibration, as subcommands get it.
#pragma once

#include "catalogue/Semantics.h"
#include "support/Command.h"

#include <memory>

namespace autoprof::support {

/// A file that `autoprof calibrate` wrote; an error names it.
llvm::Expected<std::unique_ptr<catalogue::Semantics>>
readSemanticsFile(const std::string &Path, llvm::StringRef NamedBy = "");

/// The calibration that --semantics or AUTOPROF_SEMANTICS names; null without
/// one.
llvm::Expected<std::unique_ptr<catalogue::Semantics>>
openSemantics(const Arguments &Args);

} // namespace autoprof::support
