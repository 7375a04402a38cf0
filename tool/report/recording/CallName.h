// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name of a row in reports: the one that users know.
#pragma once

#include "analysis/result/Result.h"
#include "catalogue/TorchNames.h"
#include "trace/timeline/Places.h"

namespace autoprof::report {

/// "Tensor.item" for the operators "aten::item > aten::_local_scalar_dense";
/// else the path. Only of operators that wait or copy: aten::index without a
/// mask is not Tensor[mask].
inline llvm::StringRef operatorName(llvm::StringRef Path) {
  const catalogue::TorchName *N = catalogue::torchNameIn(Path);
  return N ? llvm::StringRef(N->Name) : Path;
}

/// The operator's name, or SiteRow::Call.
inline llvm::StringRef callName(const analysis::SiteRow &Row) {
  return Row.Kind == trace::OperatorKind ? operatorName(Row.Call)
                                         : llvm::StringRef(Row.Call);
}

/// "cudaMemcpy at train.cu:88"; "loss.item() at train.py:12", where the
/// expression is known: users of Python do not know what it calls; the name
/// alone if the line is not known.
inline std::string nameAt(const trace::Timeline &T, uint32_t Site,
                          llvm::StringRef Name) {
  if (Site == trace::None || T.Sites[Site].File.empty())
    return Name.str();
  const trace::Site &S = T.Sites[Site];
  const bool IsPython = llvm::StringRef(S.File).ends_with(".py");
  return (IsPython && !S.Expression.empty() ? S.Expression : Name.str()) +
         " at " + place(S);
}

inline std::string callAt(const trace::Timeline &T,
                          const analysis::SiteRow &Row) {
  return nameAt(T, Row.Site, callName(Row));
}

} // namespace autoprof::report
