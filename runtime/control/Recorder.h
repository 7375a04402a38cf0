// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recording of a process, from its start to its end; Recorder.cpp has the
// overview.
#pragma once

#include "runtime/control/Environment.h"

namespace autoprof::runtime {

/// Reads the environment. Returns false if the runtime is to do nothing in this
/// process. Must be the first call here; it opens and starts nothing.
bool prepareRecorder();

/// The settings from the environment. They do not change once the library is
/// loaded.
Settings &settings();

/// Records that a module had probes when the library was loaded.
void setInstrumented();

/// Reports, once, the values of the environment that could not be parsed.
void sayProblems();

/// The first call opens the file and starts the flush thread; the first call
/// `WithCupti` starts CUPTI. Does nothing once the process ends. Thread-safe.
void startRecording(bool WithCupti);

/// Makes the recording end when the process does.
void finishAtExit();
bool isFinished();

/// To be called in the child of a fork: a recording that has begun stays with
/// the parent. `IsWhole`: no other thread was changing what a recording needs;
/// otherwise the child records nothing.
void leaveRecordingToParent(bool IsWhole);

/// Wakes the flush thread. Async-signal-safe.
void wakeRecorder();

} // namespace autoprof::runtime
