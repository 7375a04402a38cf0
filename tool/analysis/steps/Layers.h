// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether what repeats are the layers of one step: a forward pass that is
// recorded alone, or most of it, repeats as regularly as a loop does.
#ifndef AUTOPROF_ANALYSIS_STEPS_LAYERS_H
#define AUTOPROF_ANALYSIS_STEPS_LAYERS_H

#include "trace/timeline/Timeline.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace autoprof::analysis {

/// The names that ranges or operators in the parts differ by, if they number
/// layers: "encoder.block.16 to encoder.block.23"; "": none do. These are
/// numbers in the path of a module ("block.16"), or of what is called a layer
/// or block, that change by a constant from one part to the next. Numbers of
/// steps, batches and the like are not.
std::string findLayers(const trace::Timeline &T,
                       llvm::ArrayRef<trace::Window> Parts);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_STEPS_LAYERS_H
