// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where CPython's structures have the fields that a stack needs. From 3.13 on
// the interpreter exports these offsets itself (_Py_DebugOffsets, which
// _PyRuntime begins with); before, they are tables, taken from the headers,
// in which they are the same in every release of a minor version.
#ifndef AUTOPROF_RUNTIME_STACKS_PYTHONLAYOUT_H
#define AUTOPROF_RUNTIME_STACKS_PYTHONLAYOUT_H

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
  int16_t CFrame;       ///< _PyCFrame.current_frame; -1: there is no such step.
  uint16_t Code;        ///< Of a frame, as the next three.
  uint16_t Caller;      ///< f_back, previous
  uint16_t Instruction; ///< f_lasti (int), prev_instr, instr_ptr
  int16_t Owner;    ///< 3 or more: not a Python function's. -1: no such field.
  uint16_t First;   ///< PyCodeObject.co_firstlineno, as the next three.
  uint16_t File;    ///< co_filename
  uint16_t Name;    ///< co_qualname, before 3.11 co_name
  uint16_t Table;   ///< co_linetable, co_lnotab
  uint16_t Basic;   ///< PyCode_Type.tp_basicsize: where the bytecode begins.
  uint16_t Ascii;   ///< sizeof(PyASCIIObject)
  uint16_t Compact; ///< sizeof(PyCompactUnicodeObject)
};

/// The same in all of them.
namespace python_offset {
constexpr size_t Type = 8;          ///< PyObject.ob_type
constexpr size_t Size = 16;         ///< PyVarObject.ob_size and length
constexpr size_t UnicodeState = 32; ///< PyASCIIObject.state
constexpr size_t Bytes = 32;        ///< PyBytesObject.ob_sval
constexpr size_t BasicSize = 32;    ///< PyTypeObject.tp_basicsize
} // namespace python_offset

/// The layout of CPython 3.`Minor` before 3.13. False: it is not known.
bool findPythonLayout(unsigned Minor, PythonLayout &Layout);

/// How many words of _PyRuntime readDebugOffsets() reads at most.
constexpr size_t DebugOffsetWords = 93;

/// The layout that the interpreter of CPython 3.`Minor` exports. False: it is
/// not of that version, of a version whose export is not known, not a release,
/// free-threaded, or not what this file takes for granted.
bool readDebugOffsets(const uint64_t (&Words)[DebugOffsetWords], unsigned Minor,
                      PythonLayout &Layout);

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_STACKS_PYTHONLAYOUT_H
