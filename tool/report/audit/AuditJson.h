// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of the audit's JSON, and the schemas of what this library writes.
#pragma once

#include "fields/Fields.h"
#include "report/audit/Audit.h"

namespace autoprof::report {

/// "prices" and "unfound_waits"; null without prices.
void pricingFields(fields::Fields &F, const Audit &A);
/// "price" of a finding.
void priceFields(fields::Fields &F, const Audit &A, const audit::Finding &Of);

/// One on each line, for scripts/json-tables.py.
void printAuditSchemas(llvm::raw_ostream &Out);

} // namespace autoprof::report
