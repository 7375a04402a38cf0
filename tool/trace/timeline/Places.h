// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places as people read them.
#pragma once

#include "trace/timeline/Timeline.h"

#include <string>

namespace autoprof::trace {

/// "train.cu:88", "(no source line)"; of a framework, with the function and the
/// user's line: "trainer.py:2175 _maybe_log_save_evaluate (hf_trainer.py:18)".
std::string place(const Timeline &T, uint32_t Site);
std::string place(const Site &S);
/// What tells places apart that would read the same.
struct PlaceDetails {
  unsigned Folders = 0; ///< Of the file's path.
  bool Column = false, Function = false;
};
std::string place(const Site &S, const PlaceDetails &More);
/// "train.cu:88 cudaMemcpy". An operator without a source line is its own name.
std::string placeAndCall(const Timeline &T, uint32_t Site,
                         llvm::StringRef Call);
std::string placeAndCall(const Site &S, llvm::StringRef Call);

/// As the source has it: `reduce` of "void thrust::reduce<int>(int*)".
llvm::StringRef plainName(llvm::StringRef Function);

} // namespace autoprof::trace
