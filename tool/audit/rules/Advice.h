// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What to do instead of a wait, by where the host first uses what it brings.
// Nothing is advised that would let the host, or a queued copy, see other data.
#ifndef AUTOPROF_AUDIT_RULES_ADVICE_H
#define AUTOPROF_AUDIT_RULES_ADVICE_H

#include "audit/Finding.h"

namespace autoprof::audit {

/// Of an explicit wait in a loop. Adds the places that explain it to the notes.
void adviseWait(const Project &P, Finding &F);

/// Of a copy between host and device that waits. Keeps the catalogue's words
/// where the use is not known.
void adviseCopy(const Project &P, Finding &F);

/// Of a call that frees memory: not every kind can be freed on a stream.
std::string insteadOfFree(const LinkedSite &S);

/// Where, in the loop around a wait and before more is queued, another thread,
/// process or API goes on. None: Line is 0.
Place nextHandOver(const Project &P, const LinkedSite &S);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_ADVICE_H
