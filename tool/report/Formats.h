// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formats of a report: rows of a table, one table per subject, in the
// Formats.h of the subject's folder. --format takes what the subcommand's table
// in tool/commands lists; a unit test compares the two.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

namespace autoprof::report {

/// The reader's wishes; a writer uses those that concern its format.
struct TextStyle {
  unsigned Width = 100; ///< Columns; 60 to 400.
  bool Color = false;
  bool All = false;     ///< Also the sites that did not wait.
  bool Profile = false; ///< Also kernels, calls, ranges, memory operations.
  bool ByShape = false; ///< Operators by the shapes of their inputs.
  size_t MaxBytes = SIZE_MAX; ///< Markdown leaves out what does not fit.
};

template <typename Subject> struct Format {
  using Writer = void (*)(llvm::raw_ostream &Out, const Subject &About,
                          const TextStyle &Style);
  llvm::StringLiteral Name; ///< As --format takes it.
  Writer Write;
};

/// Writes in the format of that name, which must be one of `Known`, an array of
/// Format<Subject>.
template <typename Table, typename Subject>
void write(const Table &Known, llvm::StringRef Name, llvm::raw_ostream &Out,
           const Subject &About, const TextStyle &Style) {
  for (const auto &F : Known)
    if (F.Name == Name)
      return F.Write(Out, About, Style);
  llvm_unreachable("a format that tool/commands lists and the table lacks");
}

} // namespace autoprof::report
