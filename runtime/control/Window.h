// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the program is being recorded at the moment. Window.cpp has the
// overview.
#pragma once

#include "runtime/probes/Probes.h"
#include "runtime/protocol/WindowPlan.h"
#include "runtime/support/ForkLock.h"

#include <vector>

namespace autoprof::runtime {

/// The window opened or closed. From an edge that opens to the next edge,
/// everything that the mode asks for is recorded.
struct WindowEdge {
  uint64_t Time; ///< CLOCK_MONOTONIC ns.
  bool Opens;
};

/// Must be called before the other functions here. `Plan` must outlive the
/// process, which began at `Start` (CLOCK_MONOTONIC ns). `EdgesOnly`: nothing
/// is recorded between edges, and the GPU's queues are empty at each of them.
void prepareWindow(const WindowPlan &Plan, uint64_t Start,
                   bool EdgesOnly = false);

bool isWindowOpen();

/// Switches CUPTI's recording on or off to match the window, once CUPTI is set
/// up.
void refreshWindow();

/// On behalf of the program or the user. Thread-safe; no effect if the window
/// is already in that state.
void openWindow();
void closeWindow();

/// Opens and closes the window by the clock. Returns when it needs to be called
/// next (CLOCK_MONOTONIC ns), or UINT64_MAX. To be called by the flush thread.
uint64_t turnWindow(uint64_t Now);

/// The program reports that a step ends and the next begins. Thread-safe.
void nextStep();

/// The callbacks for ranges; null if the window does not depend on ranges.
const RangeWatcher *windowWatcher();

/// The edges since the last call, in order.
std::vector<WindowEdge> takeWindowEdges();

/// Steps begun so far, and those recorded from beginning to end. Counted only
/// if the plan is one of steps.
struct StepCount {
  uint64_t Seen = 0, Recorded = 0;
};
StepCount countedSteps();

/// Cost of a launch in this process, ns, once known, else 0; only with
/// EdgesOnly.
uint64_t launchCost();

/// To be called when the process ends, and in the child of a fork: the window
/// stays as it is, because CUPTI must not be called from here on (Cupti.cpp).
void endWindow();

/// To be called at the end of the process: a clause that explains why nothing
/// was recorded, or "" if the window was open at some time.
std::string explainClosedWindow(bool HasCupti);

/// For fork handlers: another thread may be opening the window.
ForkMutex &windowMutex();

} // namespace autoprof::runtime
