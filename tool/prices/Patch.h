// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The patch of `autoprof try --patch`: of what try.json has, and as try.json
// has it.
#pragma once

#include "fields/Fields.h"
#include "prices/Places.h"

namespace autoprof::prices {

/// A change that `try` measured.
struct TriedChange {
  Place At;           ///< Of the pools: empty.
  bool IsOne = false; ///< It is about the calls of one place, or the pools.
  std::string How;    ///< As in try.json: "left_out", "pool_kept".
  std::string NotMeasured, Verdict, Output;
  std::optional<double> SavedLow, SavedHigh; ///< ns per step.

  explicit TriedChange(const llvm::json::Object &Experiment);
  TriedChange() = default;

  bool isPool() const { return How == "pool_kept"; }
  /// "train.cu:88 cudaDeviceSynchronize", "default memory pool".
  std::string name() const;
  /// Why it does not get into a patch, whatever the source is: a clause; "":
  /// it gains time, and the output is equal.
  std::string whyNot() const;
};

struct Patch {
  /// A change, in the patch or not, and why: a clause.
  struct Entry {
    TriedChange Change;
    std::string Why;
  };
  std::string Path; ///< "": none was written.
  std::vector<Entry> Changes, Declined;

  void listFields(fields::Fields &F) const;
};

} // namespace autoprof::prices
