// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a person should know after a run over many sources.
#ifndef AUTOPROF_DRIVER_SUMMARY_H
#define AUTOPROF_DRIVER_SUMMARY_H

#include "driver/Inputs.h"

#include "llvm/Support/raw_ostream.h"

namespace autoprof::driver {

/// How many files were read and were not, options that were dropped, each
/// once, and the notes about the inputs: lines that begin with "autoprof: ".
void printSummary(llvm::raw_ostream &OS, const Inputs &In,
                  const RunSummary &Summary);

} // namespace autoprof::driver

#endif // AUTOPROF_DRIVER_SUMMARY_H
