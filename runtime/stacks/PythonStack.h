// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where in a Python program the calling thread is.
#ifndef AUTOPROF_RUNTIME_STACKS_PYTHONSTACK_H
#define AUTOPROF_RUNTIME_STACKS_PYTHONSTACK_H

#include <cstddef>
#include <cstdint>

namespace autoprof::runtime {

/// Writes the Python frames of the calling thread to `Text`, innermost first,
/// as "file:line:column-column function" and a line feed each (in full in
/// docs/trace-format.md), as many as fit. Returns the number of bytes; 0: the
/// thread runs no Python code, or no Python whose insides are known.
/// Thread-safe; takes no lock, allocates nothing, and needs no GIL.
size_t pythonStack(char *Text, size_t Size);

/// A number for the instruction that the calling thread's innermost frame is
/// at; 0: not known. It names no object: what it stood for may be gone. As
/// pythonStack(), and some ten nanoseconds.
uint64_t pythonPlace();

/// Finds the interpreter of this process, if it has one by now. Stacks are
/// taken wherever a call may wait, in signal handlers, too, where dlsym must
/// not be called; so this is asked beforehand, and again by the thread that
/// drains.
void lookForPython();

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_STACKS_PYTHONSTACK_H
