// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads translation units for `autoprof rewrite` and merges their edits.
#pragma once

#include "source-cli/SourceTask.h"
#include "tree/Manifest.h"
#include "tree/Merge.h"

#include <set>

namespace autoprof::sources {

class RewriteTask : public SourceTask {
public:
  /// `Options` must have the root and the probe header.
  RewriteTask(source::RewriteOptions Options, tree::Merge::Rules RuleOf);

  llvm::Expected<Reading> work(const Unit &U,
                               clang::CompilerInstance &CI) override;
  void collect(const Unit &U, Outcome O) override;

  /// Functions with errors are listed as not instrumented, except those that
  /// another unit could read.
  tree::Merged take();

  std::vector<tree::Manifest::Unread> Skipped, Partly;
  std::set<std::string> Warnings; ///< Lines for the user.
  bool LacksHeader = false; ///< A unit includes a file that does not exist.

private:
  llvm::Error checkCompiles(const source::Rewriting &R,
                            clang::CompilerInstance &CI);
  /// The name of a file in messages: relative to the root.
  std::string nameOf(llvm::StringRef Path) const;

  const source::RewriteOptions Options;
  const source::Project Project;
  clang::FileManager Files; ///< Used in the parent.
  tree::Merge Union;
  std::vector<source::Skipped> Unread; ///< Functions, reported by units.
};

} // namespace autoprof::sources
