// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The summary after a run over many sources.
#pragma once

#include "source-cli/Inputs.h"

#include "llvm/Support/raw_ostream.h"

namespace autoprof::sources {

/// Prints how many files were read and how many were not, the options that were
/// dropped, each once, and the notes about the inputs: lines that begin with
/// "autoprof: ".
void printSummary(llvm::raw_ostream &OS, const Inputs &Input,
                  const RunSummary &Summary);

} // namespace autoprof::sources
