// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The offsets of the fields of CPython's structures that a stack needs. From
// 3.13 on the interpreter exports these offsets itself (_Py_DebugOffsets, at
// the start of _PyRuntime); for earlier versions there are tables, taken from
// the headers, in which the offsets are the same in all releases of a minor
// version.
#pragma once

#include <cstddef>
#include <cstdint>

namespace autoprof::runtime {

enum class LineTable : uint8_t {
  Lnotab,   ///< 3.9
  Ranges,   ///< 3.10, PEP 626
  Locations ///< From 3.11 on
};

/// Offsets in bytes.
struct PythonLayout {
  unsigned Minor;
  LineTable Lines;
  uint16_t Frame;       ///< PyThreadState: frame, current_frame or cframe.
  int16_t CFrame;       ///< _PyCFrame.current_frame; -1: no such structure.
  uint16_t Code;        ///< In a frame, as the next three.
  uint16_t Caller;      ///< f_back, previous
  uint16_t Instruction; ///< f_lasti (int), prev_instr, instr_ptr
  int16_t Owner;    ///< 3 or more: not a Python function. -1: no such field.
  uint16_t First;   ///< PyCodeObject.co_firstlineno, as the next three.
  uint16_t File;    ///< co_filename
  uint16_t Name;    ///< co_qualname, before 3.11 co_name
  uint16_t Table;   ///< co_linetable, co_lnotab
  uint16_t Basic;   ///< PyCode_Type.tp_basicsize: where the bytecode begins.
  uint16_t Ascii;   ///< sizeof(PyASCIIObject)
  uint16_t Compact; ///< sizeof(PyCompactUnicodeObject)
};

/// Offsets that are the same in all versions.
namespace python_offset {
constexpr size_t Type = 8;          ///< PyObject.ob_type
constexpr size_t Size = 16;         ///< PyVarObject.ob_size and length
constexpr size_t UnicodeState = 32; ///< PyASCIIObject.state
constexpr size_t Bytes = 32;        ///< PyBytesObject.ob_sval
constexpr size_t BasicSize = 32;    ///< PyTypeObject.tp_basicsize
} // namespace python_offset

/// Finds the layout of CPython 3.`Minor` before 3.13. Returns false if it is
/// unknown.
bool findPythonLayout(unsigned Minor, PythonLayout &Layout);

/// The largest number of words of _PyRuntime that readDebugOffsets() reads.
constexpr size_t DebugOffsetWords = 93;

/// Reads the layout that the interpreter of CPython 3.`Minor` exports. Returns
/// false if the export is of another version, or of a version whose export is
/// unknown, or the interpreter is not a release, is free-threaded, or does not
/// have what this file takes for granted.
bool readDebugOffsets(const uint64_t (&Words)[DebugOffsetWords], unsigned Minor,
                      PythonLayout &Layout);

} // namespace autoprof::runtime
