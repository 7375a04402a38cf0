// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps an instruction of Python's bytecode to its place in the source, with the
// tables of code objects.
#pragma once

#include "runtime/stacks/CarefulMemory.h"
#include "runtime/stacks/PythonLayout.h"

namespace autoprof::runtime {

/// The expression that an instruction belongs to. From CPython 3.11 on tables
/// have columns, unless they were omitted (-X no_debug_ranges).
struct SourcePosition {
  int Line = 0; ///< 0: there is none, and the other fields are unset.
  int EndLine = 0;
  int Column = 0;    ///< Of the first byte, counted from 1; 0: not known.
  int EndColumn = 0; ///< Of the last byte.
};

/// The position of the instruction at byte `Offset`. The table of `Format`
/// begins at `Table` and has `Size` bytes, any of which may be wrong.
/// `FirstLine` is the code object's.
SourcePosition findPosition(LineTable Format, const CarefulMemory &Memory,
                            const void *Table, size_t Size, long Offset,
                            int FirstLine);

} // namespace autoprof::runtime
