// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `autoprof report --annotate=OUT`.
#ifndef AUTOPROF_CLI_ANNOTATEFILE_H
#define AUTOPROF_CLI_ANNOTATEFILE_H

#include "cli/traces/Analysed.h"

namespace autoprof::cli {

/// Writes a copy of the analyzed trace with what was found in it to `Path`. An
/// error is one sentence that names a file; then there is no file at `Path`.
llvm::Error annotateFile(const Analysed &Trace, const std::string &Path);

} // namespace autoprof::cli

#endif // AUTOPROF_CLI_ANNOTATEFILE_H
