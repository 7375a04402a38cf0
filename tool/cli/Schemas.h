// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schemas of what the subcommands write themselves, a line each.
#ifndef AUTOPROF_CLI_SCHEMAS_H
#define AUTOPROF_CLI_SCHEMAS_H

#include "llvm/Support/raw_ostream.h"

namespace autoprof::cli {

void describeAttach(llvm::raw_ostream &Out);
void describeDoctor(llvm::raw_ostream &Out);
void describeProbes(llvm::raw_ostream &Out);

} // namespace autoprof::cli

#endif // AUTOPROF_CLI_SCHEMAS_H
