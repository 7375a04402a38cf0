// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The input of every format; Formats.h has the formats.
#pragma once

#include "analysis/comparison/Diff.h"
#include "report/Formats.h"
#include "report/recording/Tried.h"

#include "llvm/Support/raw_ostream.h"

namespace autoprof::report {

/// One analyzed trace.
struct Input {
  std::string Path; ///< As the user gave it.
  const trace::Timeline &T;
  const analysis::Result &R;
  const Tried *Measured = nullptr; ///< Null: nothing was tried.

  /// What was tried at a row, one of R.Sites.
  std::vector<TriedChange> triedAt(const analysis::SiteRow &Row) const {
    std::vector<TriedChange> Found;
    if (Measured)
      llvm::copy_if(
          Measured->Changes, std::back_inserter(Found),
          [&](const TriedChange &C) { return &R.Sites[C.Row] == &Row; });
    return Found;
  }
};

/// Two recordings, or several of each side.
struct DiffInput {
  const analysis::Difference &D;
  Input Base, New; ///< The first runs of the two sides, for timelines.
};

} // namespace autoprof::report
