// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Identifies a finding elsewhere: in SARIF, whose readers distinguish old
// findings from new ones by it, and in baselines. It is a hash and a counter of
// equals, without line numbers, so that edits elsewhere do not change it.
//
// For a wait in a loop, the names of the functions from the loop down to the
// call are hashed, and those of the call and of adjacent ones: code that is
// moved, and lines that are written otherwise, stay the same. For other
// findings, the rule, the file, the function and the text of the line, without
// blanks. The file is relative to its project's root, so it does not depend on
// the current folder or on which other files are audited.
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
