// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/JsonFields.h"
#include "report/recording/JsonParts.h"
#include "report/recording/Sentences.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

llvm::StringRef stringAt(const trace::Timeline &T, uint32_t String) {
  return String == trace::None ? "" : T.Strings[String];
}

void callPlaceFields(Fields &F, const trace::Timeline &T, const CallPlace &P) {
  const trace::Site *S = siteAt(T, P.Site);
  F.text("file", "relative to the project's root; null without a source line",
         S ? S->File : "");
  F.unlessZero("line", "line, counted from 1; null without a source line",
               S ? S->Line : 0);
  F.text("name",
         "the call or operator; where the call has no place of its own, the "
         "kernel that it launched, or its name",
         P.isOwn() ? llvm::StringRef(S->Callee) : stringAt(T, P.Name));
  F.text("range",
         "the innermost range around the call, `loop` for a loop, where `file` "
         "and `line` are that range's; null: they are the call's own, or "
         "nothing is known",
         S && !P.isOwn() ? rangeNameOf(*S) : "");
  const trace::Site Unknown;
  callDetailFields(F, S ? *S : Unknown);
}

const CallPlace *known(const CallPlace &P) {
  return P.isKnown() ? &P : nullptr;
}

struct CauseRow {
  Cause Kind = Cause::Unknown;
  CauseTotal Total;
};

} // namespace

void report::idleFields(Fields &F, const Input &Subject, bool OfSteps,
                        bool Known) {
  const trace::Timeline &T = Subject.T;
  const Result &R = Subject.R;
  std::vector<CauseRow> Causes;
  if (Known)
    for (const auto &[I, Total] :
         llvm::enumerate(OfSteps ? R.InSteps->Gaps : R.Gaps))
      if (Total.Count)
        Causes.push_back({Cause(I), Total});
  F.list(
      "gaps",
      "why the GPU was idle in the steps that count, or outside of `steps` in "
      "the whole run; together with the time in which operations ran they add "
      "up to the span",
      Causes, [&](const CauseRow &Row) {
        F.choice(
            "cause",
            "see "
            "[reports-reference.md](reports-reference.md#causes-of-idle-time)",
            Row.Kind, Cause::Unknown);
        F.field("count", "number of gaps", Row.Total.Count);
        F.field("total_ns", "sum of their durations", Row.Total.Total);
      });
  std::vector<const BusyRow *> Rows;
  if (Known && OfSteps == R.InSteps.has_value())
    Rows = byIdle(R);
  F.list("cpu_busy",
         "where the CPU was meanwhile, of the gaps that it caused "
         "(`host_busy`, `launch_bound`), by `idle_ns`; outside of `steps` "
         "only where no steps count",
         Rows, [&](const BusyRow &Row) {
           auto Place = [&](const CallPlace &P) { callPlaceFields(F, T, P); };
           F.object("before",
                    "the last call before; of another thread where that one "
                    "handed over; null: the thread had made none",
                    known(Row.Before), Place);
           F.object("after", "the first call after", known(Row.After), Place);
           F.text("call",
                  "the thread was inside this call, which is both `before` and "
                  "`after`; null: outside of calls",
                  stringAt(T, Row.Call));
           F.field("count", "times that it left a GPU idle", Row.Count);
           F.field("cpu_ns",
                   "sum of the times from the end of the call before to the "
                   "start of the call after; inside a call: as `idle_ns`",
                   Row.Cpu);
           F.field("idle_ns",
                   "how much of that GPUs were idle, summed over GPUs",
                   Row.Idle);
         });
}
