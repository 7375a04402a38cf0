// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of `autoprof compare`.
#ifndef AUTOPROF_CLI_COMPARE_REQUEST_H
#define AUTOPROF_CLI_COMPARE_REQUEST_H

#include "cli/compare/Session.h"

namespace autoprof::cli {

using Commands = std::vector<std::vector<std::string>>;

/// What follows each "--".
Commands splitCommands(llvm::ArrayRef<llvm::StringRef> Args);

/// --runs, --min-runs and --precision. An error, here and below, is one
/// sentence about wrong usage.
llvm::Error readLimits(const support::Arguments &A, analysis::Trials &T);

struct Request {
  analysis::Trials T;
  SessionOptions Options;
};

llvm::Expected<Request> readRequest(const support::Arguments &A,
                                    const Commands &Given);

} // namespace autoprof::cli

#endif // AUTOPROF_CLI_COMPARE_REQUEST_H
