// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators of a framework in the catalogue. If a profiler recorded operators
// (trace::OperatorKind), a wait is named by their path.
#ifndef AUTOPROF_ANALYSIS_WAITS_OPERATORS_H
#define AUTOPROF_ANALYSIS_WAITS_OPERATORS_H

#include "catalogue/Catalogue.h"
#include "trace/timeline/Timeline.h"

namespace autoprof::analysis {

/// The catalogue's row of the outermost operator of a path that may wait:
/// "aten::item > aten::_local_scalar_dense" is at::Tensor::item of libtorch.
/// Null: the catalogue has none.
const catalogue::Row *operatorRow(llvm::StringRef Path);

/// Whether the program uses PyTorch, by the names of its kernels.
bool usesTorch(const trace::Timeline &T);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_WAITS_OPERATORS_H
