// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line on a terminal that says how far a long job is.
#ifndef AUTOPROF_CLI_PROGRESS_H
#define AUTOPROF_CLI_PROGRESS_H

#include "llvm/ADT/StringRef.h"

namespace autoprof::cli {

/// Writes to standard error; does nothing where that is no terminal.
class Progress {
public:
  Progress(llvm::StringRef Verb, unsigned Total);
  ~Progress() { clear(); }

  /// "[3/80] Reading main.cu"
  void show(unsigned Done, llvm::StringRef Name);

  /// Before anything else is printed.
  void clear();

private:
  llvm::StringRef Verb;
  unsigned Total;
  unsigned Width = 0; ///< Of the terminal; 0: there is none.
  bool Shown = false;
};

} // namespace autoprof::cli

#endif // AUTOPROF_CLI_PROGRESS_H
