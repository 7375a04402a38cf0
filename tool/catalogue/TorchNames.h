// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Python names of PyTorch operations that wait: the rows of torch.def.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace autoprof::catalogue {

struct TorchName {
  llvm::StringLiteral Traced; ///< "aten::item", "cudaDeviceSynchronize"; "".
  llvm::StringLiteral Name; ///< "Tensor.item"; "" if it may be one of several.
  llvm::StringLiteral Call; ///< Row::Name of the catalogue.
  llvm::StringLiteral Advice; ///< One clause, with the condition for safety.
};

/// The row of a call, or of the outermost operator with a row in a path of
/// operators ("aten::item > aten::_local_scalar_dense"); null if there is none.
const TorchName *torchNameIn(llvm::StringRef Traced);

/// By the name users write: "Tensor.item", "torch.Tensor.item", or
/// "aten::item", but not "x.item". Null if there is no such row.
const TorchName *findTorchName(llvm::StringRef Asked);

} // namespace autoprof::catalogue
