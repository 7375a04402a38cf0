// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The limits of a series of runs, as options give them. An option that is
// absent changes nothing; an error is one sentence about wrong usage.
#pragma once

#include "support/Command.h"

#include <optional>

namespace autoprof::cli {

/// From 1 to `Most`.
llvm::Error readCount(const support::Arguments &A, llvm::StringRef Name,
                      size_t Most, size_t &Out);
/// "1%" or "1" -> 0.01.
llvm::Error readShare(const support::Arguments &A, llvm::StringRef Name,
                      double &Out);
/// --time, ns; the grammar of `run --duration`.
llvm::Error readTime(const support::Arguments &A, std::optional<int64_t> &Out);

} // namespace autoprof::cli
