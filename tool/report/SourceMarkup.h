// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line of a source file as HTML, with comments, strings and marks.
#ifndef AUTOPROF_REPORT_SOURCEMARKUP_H
#define AUTOPROF_REPORT_SOURCEMARKUP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace autoprof::report {

/// What a byte of C++ is. A guess made line by line, for colors only: raw
/// strings and lines that end with a backslash are not followed.
enum class Ink : uint8_t { Code, Comment, String, Directive };

/// Follows comments from line to line.
class Painter {
public:
  /// One for each byte; lines have to come in their order.
  std::vector<Ink> paint(llvm::StringRef Line);

private:
  bool InComment = false;
};

/// Emphasis on a part of a line.
struct Mark {
  unsigned Column = 1; ///< In bytes, from 1.
  std::string Class;   ///< Of the <mark> element.
  std::string Title;   ///< Plain text.
  unsigned Length = 0; ///< In bytes; 0: that of the name at the column.
};

/// Lines are cut after this many bytes.
constexpr size_t LongestLine = 500;

/// A mark covers the name at its column; one beyond the shown part is left out.
/// `Inks`: of Painter, for this line.
std::string markupLine(llvm::StringRef Line, llvm::ArrayRef<Ink> Inks,
                       llvm::ArrayRef<Mark> Marks);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_SOURCEMARKUP_H
