// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formats of a report: rows of a table, one table per subject, in the
// Formats.cpp of the subject's folder. A new format is a file with its writer,
// a row there, and a line in CMakeLists.txt. --format then accepts it, and the
// message about an unknown format lists it.
#ifndef AUTOPROF_REPORT_FORMATS_H
#define AUTOPROF_REPORT_FORMATS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace autoprof::report {

/// The reader's wishes; a writer uses those that concern its format.
struct TextStyle {
  unsigned Width = 100; ///< Columns; 60 to 400.
  bool Color = false;
  bool All = false;         ///< Also the sites that did not wait.
  bool Profile = false;     ///< Also kernels, calls, ranges, memory operations.
  size_t LongestName = 160; ///< Of a kernel in a table, bytes.
  size_t MaxBytes = 0;      ///< Leave out what does not fit; 0: no limit.
};

struct FormatName {
  llvm::StringLiteral Name; ///< As --format takes it.
  bool IsPage = false;      ///< For a browser, not for a terminal.
};

template <typename Subject> struct Format : FormatName {
  using Writer = void (*)(llvm::raw_ostream &Out, const Subject &About,
                          const TextStyle &Style);
  Writer Write;

  constexpr Format(llvm::StringLiteral Name, Writer Write, bool IsPage = false)
      : FormatName{Name, IsPage}, Write(Write) {}
};

using FormatNames = llvm::SmallVector<FormatName, 6>;

/// `Table`: an array of Format.
template <typename Table> FormatNames namesOf(const Table &Known) {
  return FormatNames(std::begin(Known), std::end(Known));
}

/// The format that --format=`Given` names. An error lists the available ones.
llvm::Expected<FormatName> findFormat(llvm::ArrayRef<FormatName> Known,
                                      llvm::StringRef Given);

/// Writes in the format of that name, which must be one of `Known`.
template <typename Table, typename Subject>
void write(const Table &Known, llvm::StringRef Name, llvm::raw_ostream &Out,
           const Subject &About, const TextStyle &Style) {
  const auto *Found = llvm::find_if(
      Known, [Name](const FormatName &F) { return F.Name == Name; });
  assert(Found != std::end(Known) && "not checked by findFormat");
  Found->Write(Out, About, Style);
}

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_FORMATS_H
