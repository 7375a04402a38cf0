// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What advice about waits and about copies has in common.
#ifndef AUTOPROF_AUDIT_RULES_ADVICEPARTS_H
#define AUTOPROF_AUDIT_RULES_ADVICEPARTS_H

#include "audit/Finding.h"

namespace autoprof::audit {

/// What to do instead of a wait.
struct Advice {
  std::string Text;   ///< A clause.
  bool Keeps = false; ///< First of all to keep it.
};

/// Adds a note where the host uses the result, if that is known.
void noteUse(Finding &F);

/// What to do if the function returns the value: it must be complete by then.
/// Only where callers get the memory instead can they wait later.
std::string byReturn(const FirstUse &Use, const char *ToKeep,
                     const char *Other);

/// "after the loop at solve.cu:12": the launching loop of the finding.
std::string afterLoop(const Finding &F);

/// "cudaStreamWaitEvent", or the driver API's form.
std::string waitEvent(const LinkedSite &S);

/// Advice to remove or postpone a wait for the device, unless another thread
/// queues work that the loop uses.
Advice unlessForThread(const Project &P, Finding &F, Advice Instead);

/// Adds to the advice of a wait what becomes of a call that reads an event's
/// time, and fails without the wait. `Keeps`: Advice::Keeps.
void addElapsedTime(Finding &F, bool Keeps, const LinkedSite &Times);

/// Whether the loop that a site is in, or a function that it calls there, may
/// block until another thread or process has something to do. What an iteration
/// leaves to the next one may then have to wait as long.
bool mayBlockForInput(const Project &P, const LinkedSite &S);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_ADVICEPARTS_H
