// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules: why a call waits in a loop, what its value is for, what to do
// instead, and missing waits.
#pragma once

#include "audit/Finding.h"
#include "audit/walk/Flow.h"
#include "audit/walk/Trace.h"
#include "audit/walk/Waits.h"

#include <optional>
#include <string>

namespace autoprof::audit {

/// Sets the finding's rule, message, advice and notes, and lowers its severity
/// where the cause says that the wait costs little. Returns false if there is
/// nothing to report.
bool describe(const WaitOnPath &W, const Pending &Before, Finding &F);

struct ReadBack {
  llvm::StringRef Rule; ///< Without "autoprof-".
  std::string Clause;   ///< ", and its result decides what runs next".
};

/// What the value does in the loop, if it is for that: it decides what runs, or
/// is shown. Then sets the finding's advice and notes, and its certainty.
std::optional<ReadBack> readBack(const WaitOnPath &W, Finding &F);

/// Whether a copy moves a value: at most a small struct.
bool isValue(const Step &Copy);

/// Each sets the replacement and adds notes.
void adviseWait(const WaitOnPath &W, const Pending &Before, Finding &F);
void adviseCopy(const WaitOnPath &W, Finding &F);
void advisePageable(const WaitOnPath &W, Finding &F);
/// Adds what else a copy orders: later work on other streams.
void adviseOrder(const WaitOnPath &W, Finding &F);
void adviseMemory(const WaitOnPath &W, bool InObject, Finding &F);

/// "solver.cu:12".
std::string fileAndLine(const Place &Location);
/// "after the loop at solver.cu:12".
std::string afterLoop(const WaitOnPath &W);

/// The first step after the wait that is more than an error check or host code
/// that touches nothing of the GPU; null: there is none in the loop.
const Step *nextMoment(const WaitOnPath &W);
/// Whether documentation says that the work is complete when a call returns.
/// That cudaFree and the like wait is only measured.
bool promisesToWait(const LinkedSite &S);
/// Whether a clock, or the time of an event, is read there.
bool readsClock(const Step &S);

/// A finding at a call, of medium severity and confidence.
Finding findingAt(const LinkedSite &S);
/// `h`, `this->h`, `&h`, `h.data()`, `h.get()`: the whole of one buffer.
bool isWhole(llvm::StringRef Text);

void checkUnsafeEarlyRead(const Project &P, std::vector<Finding> &Out);
void checkUnsafeBufferLifetime(const Project &P, std::vector<Finding> &Out);

/// Missing waits in the loop of a trace.
void findRaces(const Trace &T, std::vector<Finding> &Out);

} // namespace autoprof::audit
