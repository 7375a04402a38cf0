// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The questions that a replay answers: what removing, postponing, or making
// asynchronous each of the most expensive waits would save, what removing all
// of them would save, and what the changes that are worth making save together.
// Once one wait is gone, the next one may cost more, or nothing, so single
// gains do not add up.
#pragma once

#include "analysis/replay/ChangeSet.h"

namespace autoprof::analysis {

struct WhatIfRow : PlanAnswer {
  Edit Kind = Edit::None;
  /// Into Result::Sites; empty: a transfer.
  std::vector<uint32_t> Rows;
  /// Into Result::Transfers, whose copies it is about; Rows is empty then.
  uint32_t Transfer = trace::None;
};

struct WhatIfTable {
  /// By site, the most expensive first; then by transfer.
  std::vector<WhatIfRow> Answers;
  /// What is worth a change, and what it saves: the least of each change, and
  /// the most. Without members: nothing is worth it.
  ChangeSet Changes;
  std::optional<PlanAnswer> Mild, Strong;
  /// Where not all steps that count were replayed; sums are scaled to all.
  std::optional<StepSample> Sampled;
  /// What the steps that count (or the run) take when they are not recorded,
  /// ns, by replay; nullopt where the recorder's cost is not known.
  std::optional<int64_t> UnrecordedWhole;

  /// The answer for one row of Result::Sites, or null.
  const WhatIfRow *find(Edit Kind, uint32_t Row) const {
    for (const WhatIfRow &Answer : Answers)
      if (Answer.Kind == Kind && !Answer.Rows.empty() &&
          Answer.Rows.front() == Row)
        return &Answer;
    return nullptr;
  }
};

} // namespace autoprof::analysis
