// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file `.autoprof-baseline`: one JSON object per line, so that changes are
// read and merged line by line. The first line describes the steps, each other
// line is a site; blank lines and those that begin with # are comments.
// docs/json.md describes the keys (autoprof-baseline/1).
#pragma once

#include "analysis/comparison/Baseline.h"
#include "fields/Fields.h"

#include "llvm/Support/raw_ostream.h"

namespace autoprof::report {

void writeBaseline(llvm::raw_ostream &Out, const analysis::Baseline &B);

/// Of the first line, and of each other one.
void baselineFields(fields::Fields &F, analysis::Baseline &B);
void baselineSiteFields(fields::Fields &F, analysis::BaselineSite &S);

/// Errors begin with path and line, or report that there is no such file.
llvm::Expected<analysis::Baseline> readBaseline(llvm::StringRef Path);

} // namespace autoprof::report
