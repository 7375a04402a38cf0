// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace autoprof::runtime {

/// What takes the place of one of the driver's functions, by its symbol, or
/// that function; null: there is none, or no driver. Thread-safe.
void *changedInDriver(const char *Symbol);

} // namespace autoprof::runtime
