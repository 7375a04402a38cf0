// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The place in a Python program where a thread is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

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

/// Python's state of the calling thread, for pythonStackOf(); null: it runs no
/// Python code, or that of an unknown version. Thread-safe like pythonStack().
void *pythonThread();

/// The frames of a thread that goes on meanwhile, in the format of
/// pythonStack(). `State`: that thread's pythonThread(); the thread may have
/// ended. The frames may be of moments some microseconds apart. "": they could
/// not be read. Only for one thread, which keeps what it has seen of the
/// program's code; takes no lock.
std::string pythonStackOf(void *State);

/// Finds the interpreter of this process, if it has one by now. Stacks are
/// taken wherever a call may wait, including signal handlers, where dlsym must
/// not be called; so this is called beforehand, and repeatedly by the thread
/// that drains.
void lookForPython();

/// Whether lookForPython() has found one.
bool hasPython();

} // namespace autoprof::runtime
