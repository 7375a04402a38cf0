// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The input of every format; Formats.h has the formats.
#ifndef AUTOPROF_REPORT_RECORDING_REPORT_H
#define AUTOPROF_REPORT_RECORDING_REPORT_H

#include "analysis/comparison/Diff.h"
#include "prices/AuditRules.h"
#include "report/Formats.h"

#include "llvm/Support/raw_ostream.h"

namespace autoprof::report {

/// One analyzed trace.
struct Input {
  std::string Path; ///< As the user gave it.
  const trace::Timeline &T;
  const analysis::Result &R;
  /// What an audit of the program found; null: the user gave none.
  const prices::AuditRules *Audit = nullptr;
};

/// Two recordings, or several of each side.
struct DiffInput {
  const analysis::Difference &D;
  Input Base, New; ///< The first runs of the two sides, for timelines.
};

/// Whether a site is worth a change: an element of findings[].
inline bool isFinding(const analysis::SiteRow &Row) {
  return analysis::isChange(Row.Judged.Kind);
}

/// The rule of the audit that finds a site: "autoprof-sync-in-loop"; "": none.
llvm::StringRef ruleOf(const Input &Subject, const analysis::SiteRow &Row);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_REPORT_H
