// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads translation units for `autoprof rewrite` and unites what they want.
#ifndef AUTOPROF_DRIVER_REWRITETASK_H
#define AUTOPROF_DRIVER_REWRITETASK_H

#include "driver/SourceTask.h"
#include "rewrite/Manifest.h"
#include "rewrite/Merge.h"

namespace autoprof::driver {

class RewriteTask : public SourceTask {
public:
  /// `Options` holds the root and the probe header.
  RewriteTask(source::RewriteOptions Options, rewrite::Merge::Rules RuleOf);

  llvm::Expected<Reading> work(const Unit &U,
                               clang::CompilerInstance &CI) override;
  void collect(const Unit &U, Outcome O) override;

  /// Functions with errors are among what got no probes, but for those that
  /// another unit could read.
  rewrite::Merged take();

  std::vector<rewrite::Manifest::Unread> Skipped, Partly;
  std::vector<source::Skipped> Experiments; ///< Of all units, each once.

private:
  llvm::Error checkCompiles(const source::Rewriting &R,
                            clang::CompilerInstance &CI);
  /// As messages call a file: relative to the root.
  std::string nameOf(llvm::StringRef Path) const;

  const source::RewriteOptions Options;
  const source::Project Project;
  clang::FileManager Files; ///< Of the parent.
  rewrite::Merge Union;
  std::vector<source::Skipped> Unread; ///< Functions, by units.
};

} // namespace autoprof::driver

#endif // AUTOPROF_DRIVER_REWRITETASK_H
