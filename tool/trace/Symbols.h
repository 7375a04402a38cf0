// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions and lines of addresses, from symbol tables and debug information.
#pragma once

#include "trace/Stacks.h"

namespace autoprof::trace {

/// A resolver that reads the modules' files, and separate debug information
/// where debuggers look for it. A file that is not the recorded one (another
/// build ID; without one, another size or time) gives nothing, because its
/// lines would be wrong. Not thread-safe.
Resolver fileResolver();

} // namespace autoprof::trace
