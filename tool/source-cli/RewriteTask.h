// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads translation units for `autoprof rewrite` and merges their edits.
#ifndef AUTOPROF_SOURCE_CLI_REWRITETASK_H
#define AUTOPROF_SOURCE_CLI_REWRITETASK_H

#include "source-cli/SourceTask.h"
#include "tree/Manifest.h"
#include "tree/Merge.h"

namespace autoprof::sources {

class RewriteTask : public SourceTask {
public:
  /// `Options` holds the root and the probe header.
  RewriteTask(source::RewriteOptions Options, tree::Merge::Rules RuleOf);

  llvm::Expected<Reading> work(const Unit &U,
                               clang::CompilerInstance &CI) override;
  void collect(const Unit &U, Outcome O) override;

  /// Functions with errors are listed as not instrumented, except those that
  /// another unit could read.
  tree::Merged take();

  std::vector<tree::Manifest::Unread> Skipped, Partly;
  std::vector<source::Skipped> Experiments; ///< Of all units, each once.

private:
  llvm::Error checkCompiles(const source::Rewriting &R,
                            clang::CompilerInstance &CI);
  /// As messages call a file: relative to the root.
  std::string nameOf(llvm::StringRef Path) const;

  const source::RewriteOptions Options;
  const source::Project Project;
  clang::FileManager Files; ///< Of the parent.
  tree::Merge Union;
  std::vector<source::Skipped> Unread; ///< Functions, by units.
};

} // namespace autoprof::sources

#endif // AUTOPROF_SOURCE_CLI_REWRITETASK_H
