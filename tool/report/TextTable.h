// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For reports that are not documents yet.
#ifndef AUTOPROF_REPORT_TEXTTABLE_H
#define AUTOPROF_REPORT_TEXTTABLE_H

#include "report/document/Table.h"

namespace autoprof::report {
using TextTable = Table;
} // namespace autoprof::report

#endif // AUTOPROF_REPORT_TEXTTABLE_H
