// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recorded host stacks -> places in the source.
#pragma once

#include "trace/timeline/Timeline.h"

#include <functional>

namespace autoprof::trace {

/// A place in the source; an empty File or Function, or Line 0: not known.
struct Frame {
  std::string Function, File;
  uint32_t Line = 0;
  /// Of the expression, as Site has them; Python's only.
  uint32_t Column = 0, EndLine = 0, EndColumn = 0;
  /// "FILE:LINE" of Python, or "/path/module+0x1f3c"; "": not from a stack.
  std::string Recorded{};
};

/// "/path/train.py:88 train" or "/path/train.py:88:12-23 train", as
/// docs/trace-format.md has frames of Python.
std::optional<Frame> parsePython(llvm::StringRef Line);

/// The functions at `Offset` (its address in the file's own addresses) of the
/// module, those inlined into it first. Empty: not known.
using Resolver =
    std::function<std::vector<Frame>(const Module &M, uint64_t Offset)>;

/// Gives sites that are only a stack (Site::Frames) their place: the innermost
/// frame outside of the libraries of CUDA, C and C++, of system headers, and of
/// Python's core (PythonCode.h); if it is a framework's, also the user's line
/// that led there. Without debug information: the function, or module and
/// offset. Calls in code that torch.compile generated get the line that called
/// it, and the kernel as Site::Expression. Sites with the same place (and
/// expression, if known) and call are merged. Adds sites for the lines on the
/// stacks of samples, too (Timeline::Paths).
void placeStacks(Timeline &T, const Resolver &Resolve);

} // namespace autoprof::trace
