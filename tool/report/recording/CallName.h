// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name of a row in reports: the one that users know.
#ifndef AUTOPROF_REPORT_RECORDING_CALLNAME_H
#define AUTOPROF_REPORT_RECORDING_CALLNAME_H

#include "analysis/common/Words.h"
#include "analysis/result/Result.h"
#include "catalogue/TorchNames.h"

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

/// "cudaMemcpy at train.cu:88"; the name alone if the line is not known.
inline std::string callAt(const trace::Timeline &T,
                          const analysis::SiteRow &Row) {
  const bool IsPlaced =
      Row.Site != trace::None && !T.Sites[Row.Site].File.empty();
  return callName(Row).str() +
         (IsPlaced ? " at " + analysis::place(T, Row.Site) : "");
}

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_CALLNAME_H
