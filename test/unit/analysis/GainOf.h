// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "analysis/replay/JointReplay.h"

namespace autoprof::test {

/// What a plan saves in the recorded run of one process.
inline analysis::Gain gainOf(const analysis::Replay &R,
                             const analysis::Plan &P) {
  return analysis::JointReplay({&R}, /*KnowsCost=*/false).gain(P).Saved;
}

} // namespace autoprof::test
