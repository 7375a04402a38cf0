// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The limits of a series of runs, as options give them: an option that is
// absent changes nothing, an error is one sentence about wrong usage. And the
// files that the series leaves.
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

/// For the files: exists afterwards.
llvm::Error makeFolder(const std::string &Path);
llvm::Error writeFile(const std::string &Path,
                      llvm::function_ref<void(llvm::raw_ostream &)> Write);

/// The exit code after signal n is this plus n, as in shells.
constexpr int AfterSignal = 128;

} // namespace autoprof::cli
