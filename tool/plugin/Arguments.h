// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugin's arguments: -fplugin-arg-autoprof-<name>=<value>.
#ifndef AUTOPROF_PLUGIN_ARGUMENTS_H
#define AUTOPROF_PLUGIN_ARGUMENTS_H

#include "source/SeparateParse.h"

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace autoprof::plugin {

struct Arguments {
  source::RewriteOptions Rewrite;
  bool List = false;
  bool Help = false;
  bool Instrument = true;
  bool NvccCompat = false;   ///< Compile with autoprof/nvcc_compat.h.
  std::string Checks;        ///< Rules of the audit; empty: none.
  bool ChecksOfFile = false; ///< They are those of `.autoprof`.
  std::string EmitFolder;    ///< Empty: none.
};

/// Arguments take precedence over the project's configuration. An error is one
/// sentence with the problem and the allowed values.
llvm::Expected<Arguments> parseArguments(const std::vector<std::string> &Args,
                                         const Config &Project);

/// One line for each argument.
std::string help();

} // namespace autoprof::plugin

#endif // AUTOPROF_PLUGIN_ARGUMENTS_H
