// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The user's request to `autoprof rewrite`.
#ifndef AUTOPROF_SOURCE_CLI_REWRITEREQUEST_H
#define AUTOPROF_SOURCE_CLI_REWRITEREQUEST_H

#include "source-cli/Inputs.h"
#include "source/text/Rewriting.h"

namespace autoprof::sources {

struct RewriteRequest {
  enum { Tree, Diff, InPlace } Mode = Tree;
  Inputs Input;
  /// Includes the root: absolute, without links.
  source::RewriteOptions Options;
  std::string Output;   ///< For Tree: absolute, without links.
  std::string Database; ///< compile_commands.json, or "".
  bool Force = false, Symlinks = false, Json = false;
};

/// Reads the arguments after `autoprof rewrite`. An error is one sentence with
/// the remedy.
llvm::Expected<RewriteRequest>
readRequest(llvm::ArrayRef<llvm::StringRef> Args);

} // namespace autoprof::sources

#endif // AUTOPROF_SOURCE_CLI_REWRITEREQUEST_H
