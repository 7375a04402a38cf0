// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges and marks of the API are recorded like the program's own NVTX calls,
// and are also passed to an NVTX tool if one other than autoprof is loaded.
#include "runtime/control/Control.h"

#include "runtime/control/Recorder.h"
#include "runtime/control/Window.h"
#include "runtime/probes/Modules.h"
#include "runtime/probes/Nvtx.h"
#include "runtime/probes/UserNvtx.h"

#include <atomic>
#include <cerrno>

namespace autoprof::runtime {

static constexpr const char *StepName = "step";

// As AP_TABLE's rows: which range is the program's step.
static constexpr const char *StepRow =
    "0x6175746f70726f66|step|0|0||autoprof_step|range:step;";

static std::atomic<bool> IsRecorder{false};

void startControl() { IsRecorder.store(true); }

// A range that any thread may end: a step lasts from one call to the next.
static void step() {
  static std::atomic<uint64_t> Current{0};
  static std::atomic<bool> IsMarked{false};
  if (!IsMarked.exchange(true))
    addTable(StepRow);
  const uint64_t Next = newNvtxRangeId();
  if (uint64_t Last = Current.exchange(Next))
    recordNvtxEnd(Last);
  nextStep();
  recordNvtxText(NvtxKind::Start, StepName, Next);
  stepNvtx(StepName);
}

int control(autoprof_request Request, const char *Name) {
  const int ErrnoBefore = errno;
  const char *Text = Name ? Name : "";
  const bool Records = IsRecorder.load(std::memory_order_relaxed);
  bool IsActive = Records;
  switch (Request) {
  case AUTOPROF_START:
    if (Records)
      openWindow();
    break;
  case AUTOPROF_STOP:
    if (Records)
      closeWindow();
    break;
  case AUTOPROF_STEP:
    step();
    break;
  case AUTOPROF_RANGE_PUSH:
    recordNvtxText(NvtxKind::Push, Text, 0);
    pushNvtx(Text);
    break;
  case AUTOPROF_RANGE_POP:
    popNvtx();
    recordNvtxPop();
    break;
  case AUTOPROF_MARK:
    recordNvtxText(NvtxKind::Mark, Text, 0);
    markNvtx(Text);
    break;
  case AUTOPROF_DUMP:
    IsActive = Records && requestDump();
    break;
  }
  errno = ErrnoBefore;
  return IsActive;
}

} // namespace autoprof::runtime
