// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the program is being recorded at the moment. The essay is in
// Window.cpp.
#ifndef AUTOPROF_RUNTIME_CONTROL_WINDOW_H
#define AUTOPROF_RUNTIME_CONTROL_WINDOW_H

#include "runtime/control/UnrecordedSteps.h"
#include "runtime/cupti/LaunchCost.h"
#include "runtime/probes/Probes.h"
#include "runtime/protocol/WindowPlan.h"
#include "runtime/support/ForkLock.h"

#include <vector>

namespace autoprof::runtime {

/// The window opened or closed. Between an edge that opens and the next, all
/// that the mode asks for is recorded.
struct WindowEdge {
  uint64_t Time; ///< CLOCK_MONOTONIC ns.
  bool Opens;
};

/// Before anything else here; `Plan` must live as long as the process, which
/// began at `Start` (CLOCK_MONOTONIC ns). `EdgesOnly`: nothing is recorded
/// between edges, and the GPU's queues are empty at each of them.
void prepareWindow(const WindowPlan &Plan, uint64_t Start,
                   bool EdgesOnly = false);

/// Once the sites of the program are known, and before anything else runs: a
/// plan that holds only if the program has its range may become one of the
/// whole run, whose window is open. Returns whether it did.
bool settleWindow(WindowPlan &Plan);

bool isWindowOpen();

/// Has CUPTI do what the window says, once it is there.
void refreshWindow();

/// On behalf of the program or the user. Thread-safe; nothing if it is so.
void openWindow();
void closeWindow();

/// Opens and closes by the clock. Returns when it wants to be called next
/// (CLOCK_MONOTONIC ns), or UINT64_MAX. The flush thread's.
uint64_t turnWindow(uint64_t Now);

/// A step of the program ends and the next begins, as the program says itself.
/// Thread-safe.
void nextStep();

/// What must be told of ranges; null: nothing.
const RangeWatcher *windowWatcher();

/// The edges since the last call, in order.
std::vector<WindowEdge> takeWindowEdges();

/// Steps begun so far, and those recorded from their begin to their end; they
/// are counted if the plan is one of steps.
struct StepCount {
  uint64_t Seen = 0, Recorded = 0;
};
StepCount countedSteps();

/// Steps that were timed before the window opened for the first time; what is
/// known so far.
TimedSteps timedSteps();

/// What a launch costs in this process, once known; only with EdgesOnly.
LaunchCost launchCost();

/// The process ends: the window stays as it is, because CUPTI must be left
/// alone from here on (Cupti.cpp).
void endWindow();

/// In the child of a fork: nothing opens or closes any more.
void abandonWindow();

/// At the end of the process: why nothing was recorded, as a clause; "" when
/// the window was open at some time.
std::string explainClosedWindow(bool HasCupti);

/// Around fork: another thread may be opening the window.
ForkMutex &windowMutex();

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_CONTROL_WINDOW_H
