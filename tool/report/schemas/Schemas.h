// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schemas of the JSON that this library writes, one on each line: what
// scripts/json-tables.py makes docs/schemas from.
#ifndef AUTOPROF_REPORT_SCHEMAS_SCHEMAS_H
#define AUTOPROF_REPORT_SCHEMAS_SCHEMAS_H

#include "llvm/Support/raw_ostream.h"

namespace autoprof::report {

void printSchemas(llvm::raw_ostream &Out);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_SCHEMAS_SCHEMAS_H
