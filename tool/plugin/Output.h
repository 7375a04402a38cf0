// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lists and files that the plugin writes on request.
#ifndef AUTOPROF_PLUGIN_OUTPUT_H
#define AUTOPROF_PLUGIN_OUTPUT_H

#include "source/SeparateParse.h"

#include "clang/Basic/FileManager.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace autoprof::plugin {

/// Prints one line for each probe, in the order of the source, then one for
/// each place without a probe, and one for each probe that is missing in
/// `Text`, the emitted text.
void printList(const source::Rewriting &R, const source::Rewriting &Text,
               llvm::raw_ostream &OS);

/// Writes each rewritten file to `Folder`, under its path from the project
/// root; a file outside the root under its absolute path.
llvm::Error writeFiles(const source::Rewriting &R, llvm::StringRef Folder,
                       const clang::FileManager &Files);

} // namespace autoprof::plugin

#endif // AUTOPROF_PLUGIN_OUTPUT_H
