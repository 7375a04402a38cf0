// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What other profilers record only in names.
#pragma once

#include "trace/timeline/Timeline.h"

namespace autoprof::trace {

/// A call without the version of its interface: "cudaMalloc_v3020" is
/// cudaMalloc. Other names stay unchanged.
llvm::StringRef apiName(llvm::StringRef Name);

/// Direction and memory of "Memcpy DtoH (Device -> Pageable)" or "Memset
/// (Device)"; unknown if the name does not contain it.
Stage transferStage(llvm::StringRef Name);

/// The name that such a copy or set has there; "" where the direction is not
/// known.
std::string transferName(const Stage &S);

/// Of CUPTI's names for them, as Kineto and Nsight Systems print them.
OverheadKind overheadKind(llvm::StringRef Name);

/// A range by which PyTorch marks an operator on request (emit_nvtx, 'nsys
/// --pytorch'): "aten::add, op_id = 3, sizes = [[2, 3], []]".
struct MarkedOperator {
  llvm::StringRef Name, Shapes;
};
std::optional<MarkedOperator> markedOperator(llvm::StringRef Range);

// For sentences about what a file holds.
/// "1,204 slices", "1 slice", "no slice".
std::string counted(uint64_t Count, llvm::StringRef Thing);

/// What is weaker without them; a clause, to which the remedy is added.
llvm::StringRef noSyncRecords(bool SeveralStreams);
/// A sentence.
llvm::StringRef noStreamFlags();

} // namespace autoprof::trace
