// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a finding is known by elsewhere: in SARIF, whose readers tell old
// findings from new ones by it, and in baselines. It is the hash of the rule,
// the file, the function and the text of the line, and a counter of equals. It
// holds no line number, so that edits elsewhere leave it as it is; blanks in
// the line do not count. The file is named from its project's root on, which
// does not depend on the current folder or on what else is audited.
#ifndef AUTOPROF_REPORT_AUDIT_FINGERPRINTS_H
#define AUTOPROF_REPORT_AUDIT_FINGERPRINTS_H

#include "audit/Finding.h"

namespace autoprof::report {

/// `Findings`: all of the project, in the order of the source.
void addFingerprints(std::vector<audit::Finding> &Findings,
                     const audit::Project &P);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_AUDIT_FINGERPRINTS_H
