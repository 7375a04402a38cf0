// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of steps: how often each occurs, and how long it takes.
#include "analysis/common/KernelName.h"
#include "report/Format.h"
#include "report/JsonFields.h"
#include "report/recording/JsonParts.h"
#include "report/recording/Sections.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

/// "main.cu:121 cudaMemcpy", "chemicalPotential".
static std::string workName(const Input &Subject, const PlacedWork &W) {
  std::string Name = W.IsKernel ? shortName(W.Name) : W.Name;
  if (W.Site == trace::None)
    return Name;
  const trace::Site &S = Subject.T.Sites[W.Site];
  return placeAndCall(Subject.T, W.Site, S.Callee.empty() ? Name : S.Callee);
}

/// "every 9th", "88.9 % of the steps".
static std::string howOften(const StepKind &K, size_t Measured) {
  if (K.Every) {
    const size_t N = *K.Every;
    const char *Ending = N / 10 % 10 == 1 ? "th"
                         : N % 10 == 1    ? "st"
                         : N % 10 == 2    ? "nd"
                         : N % 10 == 3    ? "rd"
                                          : "th";
    return "every " + count(N) + Ending;
  }
  return (K.IsRest ? "others, " : "") +
         percent(double(K.Steps), double(Measured)) + " of the steps";
}

Section report::kindSection(const Input &Subject) {
  Section S;
  S.Heading = "Kinds of steps";
  S.Id = "kinds";
  Table T({{"how often", true},
           {"steps"},
           {"mean"},
           {"median"},
           {"of the time"},
           {"wait/step"}});
  int64_t Total = 0;
  for (const StepKind &K : Subject.R.Kinds)
    Total += K.Total;
  for (const StepKind &K : Subject.R.Kinds) {
    T.addRow(
        {howOften(K, Subject.R.Steps.measured()), count(K.Steps),
         duration(K.mean()), duration(K.Median),
         percent(double(K.Total), double(Total)),
         Subject.R.WaitsKnown ? duration(K.Waited / int64_t(K.Steps)) : "-"});
    std::string Own;
    for (const PlacedWork &W : K.Own)
      Own += (Own.empty() ? "" : ", ") + workName(Subject, W);
    T.addNote(Own, "only these steps");
  }
  return S.add(std::move(T));
}

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
         });
}
