// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What to do instead of a wait, depending on where the host first uses the
// result. Never advises a change that would let the host, or a queued copy, see
// other data.
#ifndef AUTOPROF_AUDIT_RULES_ADVICE_H
#define AUTOPROF_AUDIT_RULES_ADVICE_H

#include "audit/Finding.h"

namespace autoprof::audit {

/// For an explicit wait in a loop. Adds the places that explain it to the
/// notes. Returns false, and changes nothing, if the wait must stay.
bool adviseWait(const Project &P, Finding &F);

/// Whether nothing can replace an explicit wait: another thread, process, or
/// API then uses the result, or the host needs it, and no stream orders the
/// work.
bool mustStay(const Project &P, const LinkedSite &S);

/// Whether more than the order of the work on its streams needs an explicit
/// wait in its loop: the host uses results, frees or changes memory, or another
/// stream or device continues.
bool isNeededInLoop(const Project &P, const LinkedSite &S);

/// For a copy between host and device that waits. Keeps the catalogue's advice
/// if the use is not known.
void adviseCopy(const Project &P, Finding &F);

/// For a call that frees memory: not every kind can be freed on a stream.
std::string insteadOfFree(const LinkedSite &S);

/// The same for a call in a destructor or deleter, which has no stream.
/// `Streams`: objects may be used on several streams.
std::string insteadOfFreeInObject(const LinkedSite &S, bool Streams);

/// Where, in the loop around a wait and before more work is queued, another
/// thread, process, or API continues. Line is 0 if nowhere.
Place nextHandOver(const Project &P, const LinkedSite &S);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_ADVICE_H
