// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How reports call a row: as its user does.
#ifndef AUTOPROF_REPORT_RECORDING_CALLNAME_H
#define AUTOPROF_REPORT_RECORDING_CALLNAME_H

#include "analysis/result/Result.h"
#include "catalogue/TorchNames.h"

namespace autoprof::report {

/// "Tensor.item" for the operators "aten::item > aten::_local_scalar_dense";
/// else SiteRow::Call.
inline llvm::StringRef callName(const analysis::SiteRow &Row) {
  if (Row.Kind == trace::OperatorKind)
    if (const catalogue::TorchName *N = catalogue::torchNameIn(Row.Call))
      return N->Name;
  return Row.Call;
}

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_CALLNAME_H
