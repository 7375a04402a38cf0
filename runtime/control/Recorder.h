// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recording of a process, from its start to its end; the essay is in
// Recorder.cpp.
#ifndef AUTOPROF_RUNTIME_CONTROL_RECORDER_H
#define AUTOPROF_RUNTIME_CONTROL_RECORDER_H

#include "runtime/control/Environment.h"

namespace autoprof::runtime {

/// Reads the environment. False: the runtime shall do nothing in this process.
/// The first call here; it opens and starts nothing.
bool prepareRecorder();

/// What the environment asks for. It does not change once the library is
/// loaded.
Settings &settings();

/// Whether a module had probes when the library was loaded.
void setInstrumented();

/// Says the values of the environment that were not understood, once.
void sayProblems();

/// Opens the file and starts the flush thread at the first call; starts CUPTI
/// at the first call `WithCupti`. Nothing once the process ends. Thread-safe.
void startRecording(bool WithCupti);

/// Has the recording end when the process does.
void finishAtExit();
bool isFinished();

/// In the child of a fork: a recording that has begun is its parent's alone.
/// `IsWhole`: no other thread was changing what a recording needs; if one was,
/// the child records nothing.
void leaveRecordingToParent(bool IsWhole);

/// Has the flush thread copy what the ring holds. False: there is none.
bool requestDump();

/// Wakes the flush thread. Async-signal-safe.
void wakeRecorder();

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_CONTROL_RECORDER_H
