// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose code a file of Python is.
//
// A wait belongs to the line that decides to wait. Below that line are Python's
// standard library and the array library, which does what it is asked to do:
// the package that owns the arrays and the operations on them. A framework is
// built on an array library and calls it, as the user does; its lines decide.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace autoprof::trace {

enum class CodeOwner : uint8_t {
  User,
  Framework, ///< An installed package that calls array libraries.
  Core,      ///< Python, an array library, or code that one generated.
};

/// `File`: an absolute path, or relative to where Python finds packages.
CodeOwner ownerOf(llvm::StringRef File);

/// A file of torch.compile's cache, which is named by a hash.
bool isCompiledByTorch(llvm::StringRef File);

/// Where PyTorch calls a module's forward().
bool isModuleCall(llvm::StringRef File);

} // namespace autoprof::trace
