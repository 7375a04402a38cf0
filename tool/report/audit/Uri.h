// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_REPORT_AUDIT_URI_H
#define AUTOPROF_REPORT_AUDIT_URI_H

#include "llvm/ADT/StringExtras.h"

namespace autoprof::report {

/// A relative or absolute path as a URI.
inline std::string uri(llvm::StringRef Path) {
  std::string Result = Path.starts_with("/") ? "file://" : "";
  for (char C : Path)
    if (llvm::isAlnum(C) || llvm::StringRef("-._~/+").contains(C))
      Result += C;
    else
      Result += "%" + llvm::toHex(llvm::StringRef(&C, 1));
  return Result;
}

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_AUDIT_URI_H
