// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tree's compile_commands.json: the project's commands, with the tree's
// files in place of the project's. What the tree does not have (generated
// headers in a build folder) is named by its absolute path in the project, and
// what the commands write goes into the tree.
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
