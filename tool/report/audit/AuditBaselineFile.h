// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file `.autoprof-audit`: one JSON object per line, so that changes are
// read and merged line by line. The first line names the schema, each other one
// is an accepted finding; blank lines and those that begin with # are comments.
// docs/json.md describes the keys (autoprof-audit-baseline/1).
#pragma once

#include "audit/Baseline.h"
#include "fields/Fields.h"

#include "llvm/Support/raw_ostream.h"

namespace autoprof::report {

void writeAuditBaseline(llvm::raw_ostream &OS, const audit::Baseline &B);

/// Of the first line, and of each other one.
void auditBaselineFields(fields::Fields &F);
void acceptedFindingFields(fields::Fields &F, audit::AcceptedFinding &E);

/// Errors begin with path and line, or name the file that cannot be read.
llvm::Expected<audit::Baseline> readAuditBaseline(llvm::StringRef Path);

} // namespace autoprof::report
