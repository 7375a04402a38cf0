// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times parts of the run by counting launches, and says which are changed.
#pragma once

#include "runtime/protocol/Experiment.h"

namespace autoprof::runtime {

/// To be called once; `Parts` as in ExperimentPartsVariable, or null.
void readParts(const char *Parts);

/// Creates the file of this process. To be called when the process has turned
/// out to use the GPU; once.
void openReport(const char *Path);

/// Whether calls are to be changed now. `Turn`: grows each time that begins.
/// Thread-safe.
bool isChanging(unsigned &Turn);

/// Whether the calling thread makes a call of this file's.
bool isOurs();

/// Counts a call that was changed. Thread-safe.
void countChanged();

/// To be called before each launch. At the ends of parts it waits for the GPU,
/// so that a part has all of its work and nothing else. Thread-safe.
void countLaunch();

} // namespace autoprof::runtime
