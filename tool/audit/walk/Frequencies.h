// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often a step runs in the loops around it, by the conditions on the way.
#pragma once

#include "audit/Finding.h"
#include "audit/walk/Trace.h"

namespace autoprof::audit {

/// How often what is under a guard runs in a loop around it. `Conditions`: gets
/// those between the two, the outermost first.
Frequency frequencyOf(const Trace &T, int Guard, int Loop,
                      std::vector<const audit::Guard *> *Conditions = nullptr);

/// The launching loop to which a step belongs: the innermost one of those in
/// which it runs most often; -1: none.
int loopOf(const Trace &T, const Step &S);

/// Whether the path goes through a destructor that is called only if nobody
/// else owns the object.
bool isUncertain(const Trace &T, int Guard, int Loop);

/// Whether a condition around it is false unless somebody sets an option.
bool isOff(const Trace &T, int Guard);

/// See Finding::IsLatched.
bool isLatched(const Trace &T, int Guard, int Loop);

/// How often the loop runs in the ones around it, and under which conditions,
/// the nearest first. Where it launches most of what another one does, it is no
/// part of the other, which reads commands, or is a retry.
Frequency frequencyOfLoop(const Trace &T, int Loop,
                          std::vector<const Guard *> &Conditions);

} // namespace autoprof::audit
