// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events of other profilers whose times cannot be. One of them is enough to
// make a trace of a second one of fifty years. An event is judged by the bulk
// of the others:
//
//   - A stream runs one operation after the other, in the order of their
//     launches, and a thread is in one call at a time. What ends after two that
//     came later is not in that order. Where more than one in a hundred are
//     not, the trace has another order (that of several processes, for
//     example), and the rule says nothing.
//   - A trace is of one time: nothing lies a day, and ten times its length,
//     away from the rest; and no call or operation lies ten seconds and ten
//     times its length away from everything else, or without the ten seconds,
//     if what it launched or was launched by is among the rest.
#ifndef AUTOPROF_TRACE_IMPORT_PLAUSIBLE_H
#define AUTOPROF_TRACE_IMPORT_PLAUSIBLE_H

#include "trace/import/Collected.h"

namespace autoprof::trace {

/// Removes them; how many there were.
uint64_t leaveOutImpossible(Collected &C);

} // namespace autoprof::trace

#endif // AUTOPROF_TRACE_IMPORT_PLAUSIBLE_H
