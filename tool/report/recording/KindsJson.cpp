// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/JsonFields.h"
#include "report/recording/JsonParts.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

static void workFields(Fields &F, const Input &Subject, const PlacedWork &W) {
  const trace::Site *S = siteAt(Subject.T, W.Site);
  F.text("file", "relative to the project's root; null without a source line",
         S ? S->File : "");
  F.unlessZero("line", "line, counted from 1; null without a source line",
               S ? S->Line : 0);
  F.text("name",
         "the kernel, the direction of the copy, or the call that waits",
         W.Name);
}

void report::kindFields(Fields &F, const Input &Subject) {
  F.list("kinds",
         "steps by what they launch, the kind with the most time first; empty "
         "if all are alike "
         "([reports-reference.md](reports-reference.md#kinds-of-steps))",
         Subject.R.Kinds, [&](const StepKind &K) {
           F.field("count", "steps of this kind, of those that count", K.Steps);
           F.field("first", "number of the first, counted from 0", K.First);
           F.field("every", "regularly one step in so many; null: not regular",
                   K.Every);
           F.field("rest", "true: all steps that are of none of the kinds",
                   K.IsRest);
           F.field("time_ns",
                   "sum of their times; of all kinds together the time of the "
                   "steps that count. A step ends when both the host and the "
                   "GPU are done with it",
                   K.Total);
           F.field("median_ns", "median of their times", K.Median);
           F.field("wait_ns", "sum of their waits",
                   onlyIf(Subject.R.WaitsKnown, K.Waited));
           F.list("own",
                  "what is in most steps of this kind and in no other, at most "
                  "three: those in whose calls most time is spent",
                  K.Own,
                  [&](const PlacedWork &W) { workFields(F, Subject, W); });
           F.object("unlike",
                    "what they do more or less often than most steps, where "
                    "nothing is their own; null: nothing",
                    K.Unlike, [&](const UnlikeCount &U) {
                      workFields(F, Subject, U.Work);
                      F.field("count", "times per step", U.Count);
                      F.field("usual_count", "times per step of most steps",
                              U.Usual);
                    });
         });
}
