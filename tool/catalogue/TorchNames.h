// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PyTorch's names for what waits, as its users write them in Python: rows of
// torch.def.
#ifndef AUTOPROF_CATALOGUE_TORCHNAMES_H
#define AUTOPROF_CATALOGUE_TORCHNAMES_H

#include "llvm/ADT/StringRef.h"

namespace autoprof::catalogue {

struct TorchName {
  llvm::StringLiteral Traced; ///< "aten::item", "cudaDeviceSynchronize"; "".
  llvm::StringLiteral Name;   ///< "Tensor.item"; "": it may be one of several.
  llvm::StringLiteral Call;   ///< Row::Name of the catalogue.
  llvm::StringLiteral Advice; ///< One clause, with what makes it safe.
};

/// Of the outermost operator that has a row, of a path of operators
/// ("aten::item > aten::_local_scalar_dense") or of the call; null: none has.
const TorchName *torchNameIn(llvm::StringRef Traced);

/// By what users write: "Tensor.item", "torch.Tensor.item", "x.item" is not
/// known, "aten::item" is. Null: there is no such row.
const TorchName *findTorchName(llvm::StringRef Asked);

} // namespace autoprof::catalogue

#endif // AUTOPROF_CATALOGUE_TORCHNAMES_H
