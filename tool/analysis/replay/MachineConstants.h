// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a recording shows about its machine, by the same rules that the replay
// uses: a recording of any program, or of one that exercises copies and pauses.
#ifndef AUTOPROF_ANALYSIS_REPLAY_MACHINECONSTANTS_H
#define AUTOPROF_ANALYSIS_REPLAY_MACHINECONSTANTS_H

#include "analysis/replay/Pauses.h"

namespace autoprof::analysis {

inline catalogue::Constants measureConstants(const trace::Timeline &T) {
  return {measureCopies(T), Pauses(T).measured()};
}

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_REPLAY_MACHINECONSTANTS_H
