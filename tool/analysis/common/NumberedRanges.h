// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges of the user's that carry a number, such as "ProfilerStep#1",
// "ProfilerStep#2" and so on: runs of one range, for tables.
#ifndef AUTOPROF_ANALYSIS_COMMON_NUMBEREDRANGES_H
#define AUTOPROF_ANALYSIS_COMMON_NUMBEREDRANGES_H

#include "trace/timeline/Timeline.h"

namespace autoprof::analysis {

/// By site of a timeline.
class NumberedRanges {
  std::vector<uint32_t> First;

public:
  explicit NumberedRanges(const std::vector<trace::Site> &Sites);

  /// The first site of the same name but for the number after its last '#', if
  /// there are several; else the site itself.
  uint32_t first(uint32_t Site) const { return First[Site]; }

  /// Whether the site is one of several.
  bool isNumbered(uint32_t Site) const { return IsOneOfSeveral[Site]; }

private:
  std::vector<bool> IsOneOfSeveral;
};

/// "ProfilerStep#n" for "ProfilerStep#12".
std::string withoutNumber(llvm::StringRef Name);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_COMMON_NUMBEREDRANGES_H
