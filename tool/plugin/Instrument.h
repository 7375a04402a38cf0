// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds probes to the compilation that the plugin is part of.
#ifndef AUTOPROF_PLUGIN_INSTRUMENT_H
#define AUTOPROF_PLUGIN_INSTRUMENT_H

#include "source/project/Options.h"

#include "clang/Frontend/CompilerInstance.h"
#include <memory>

namespace autoprof::plugin {

/// -fplugin-arg-autoprof-<name>=<value>.
struct Arguments {
  source::RewriteOptions Rewrite;
  bool List = false;
  bool NvccCompat = false; ///< Compile with autoprof/nvcc_compat.h.
  std::string EmitFolder;  ///< Empty: none.
};

/// Makes a consumer that includes autoprof/probe.h before everything else and,
/// when the translation unit is parsed, adds probes to its syntax tree.
/// A translation unit with errors does not change.
std::unique_ptr<clang::ASTConsumer>
makeInstrumenter(clang::CompilerInstance &CI, const Arguments &Args);

} // namespace autoprof::plugin

#endif // AUTOPROF_PLUGIN_INSTRUMENT_H
