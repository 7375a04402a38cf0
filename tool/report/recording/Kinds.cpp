// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of steps: how often each occurs, and how long it takes.
#include "analysis/common/KernelName.h"
#include "report/Format.h"
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

static std::string unlikeText(const Input &Subject, const StepKind &K) {
  if (!K.Unlike)
    return "";
  return fmt::format("{} {} times per step, not {}",
                     workName(Subject, K.Unlike->Work), K.Unlike->Count,
                     K.Unlike->Usual);
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
    T.addNote(unlikeText(Subject, K));
  }
  return S.add(std::move(T));
}
