// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Identifies a finding elsewhere: in SARIF, whose readers distinguish old
// findings from new ones by it, and in baselines. It is the hash of the rule,
// the file, the function and the text of the line, and a counter of equals. It
// contains no line number, so that edits elsewhere do not change it; blanks in
// the line do not count. The file is relative to its project's root, so it does
// not depend on the current folder or on which other files are audited.
#ifndef AUTOPROF_REPORT_AUDIT_FINGERPRINTS_H
#define AUTOPROF_REPORT_AUDIT_FINGERPRINTS_H

#include "audit/Finding.h"

namespace autoprof::report {

/// `Findings`: all of the project, in the order of the source. `Default`: what
/// files without a marked root above them are relative to, if they are below
/// it; "": their own folder.
void addFingerprints(audit::Findings &Findings, const audit::Project &P,
                     llvm::StringRef Default);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_AUDIT_FINGERPRINTS_H
