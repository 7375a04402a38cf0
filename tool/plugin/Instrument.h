// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds probes to the compilation that the plugin is part of.
#ifndef AUTOPROF_PLUGIN_INSTRUMENT_H
#define AUTOPROF_PLUGIN_INSTRUMENT_H

#include "plugin/Arguments.h"

#include "clang/Frontend/CompilerInstance.h"
#include <memory>

namespace autoprof::plugin {

/// Makes a consumer that includes autoprof/probe.h before everything else and,
/// when the translation unit is parsed, adds probes to its syntax tree.
/// `Audit`, if any, gets the tree as the user wrote it. A translation unit with
/// errors does not change.
std::unique_ptr<clang::ASTConsumer>
makeInstrumenter(clang::CompilerInstance &CI, const Arguments &Args,
                 std::unique_ptr<clang::ASTConsumer> Audit);

} // namespace autoprof::plugin

#endif // AUTOPROF_PLUGIN_INSTRUMENT_H
