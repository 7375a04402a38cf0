// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the audit's advice builds on: the parts of a copy's replacement.
#pragma once

#include "catalogue/Catalogue.h"

namespace autoprof::catalogue {

struct Remedy {
  /// The call that replaces a synchronous copy: "cudaMemcpyAsync"; or "".
  llvm::StringRef AsyncForm;
  bool OrArgument = false; ///< A kernel argument can replace the copy, too.
  /// The memory that an asynchronous copy needs so as not to wait; or "".
  llvm::StringRef Memory;
};

/// Of the call of this general row.
Remedy remedyOf(const Row &General);

} // namespace autoprof::catalogue
