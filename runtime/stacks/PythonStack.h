// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The place in a Python program where the calling thread is.
#ifndef AUTOPROF_RUNTIME_STACKS_PYTHONSTACK_H
#define AUTOPROF_RUNTIME_STACKS_PYTHONSTACK_H

#include <cstddef>
#include <cstdint>

namespace autoprof::runtime {

/// Writes the Python frames of the calling thread to `Text`, innermost first,
/// as "file:line:column-column function" and a line feed each (the full format
/// is in docs/trace-format.md), as many as fit. Returns the number of bytes; 0
/// if the thread runs no Python code, or an unknown version of Python.
/// Thread-safe; takes no lock, allocates nothing, and does not need the GIL.
size_t pythonStack(char *Text, size_t Size);

/// A number for the instruction that the calling thread's innermost frame is
/// at; 0: not known. It must not be used to find objects, which may be gone.
/// Thread-safe like pythonStack(), and takes some ten nanoseconds.
uint64_t pythonPlace();

/// Finds the interpreter of this process, if it has one by now. Stacks are
/// taken wherever a call may wait, including signal handlers, where dlsym must
/// not be called; so this is called beforehand, and repeatedly by the thread
/// that drains.
void lookForPython();

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_STACKS_PYTHONSTACK_H
