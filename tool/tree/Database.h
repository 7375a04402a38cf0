// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tree's compile_commands.json: the project's commands, with the tree's
// files in place of the project's. Files that the tree does not have (generated
// headers in a build folder) are named by their absolute paths in the project,
// and outputs of the commands go into the tree.
#ifndef AUTOPROF_TREE_DATABASE_H
#define AUTOPROF_TREE_DATABASE_H

#include "tree/Mirror.h"

#include <set>

namespace autoprof::tree {

/// The text of the tree's compile_commands.json, from the project's at `Path`.
/// `Folders` gets the folders that its commands write to.
llvm::Expected<std::string> databaseOf(const Mirror &Project,
                                       llvm::StringRef Path,
                                       std::set<std::string> &Folders);

} // namespace autoprof::tree

#endif // AUTOPROF_TREE_DATABASE_H
