// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats describe themselves on empty subjects. Where these name rows of each
// other by number, there is one row, the first.
#include "catalogue/SemanticsJson.h"
#include "report/JsonFields.h"
#include "report/catalogue/Formats.h"
#include "report/check/BaselineFile.h"
#include "report/check/Check.h"
#include "report/compare/TrialsFile.h"
#include "report/recording/Experiments.h"
#include "report/recording/JsonParts.h"
#include "report/recording/Summary.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
using fields::Fields;

void report::printSchemas(llvm::raw_ostream &Out) {
  trace::Timeline T;
  T.Sites.emplace_back();
  Result R;
  R.Sites.emplace_back();
  Difference D;
  D.Base.emplace_back();
  D.New.emplace_back();
  Ranks Job;
  Job.All.emplace_back();
  RankSummary Summary;
  Trials Compared;
  Baseline B;
  BaselineSite Site;
  const CheckResult Checked;
  const Input One{"", T, R};
  Fields::describe(Out, [&](Fields &F) { reportFields(F, One); });
  Fields::describe(Out, [&](Fields &F) { diffFields(F, {D, One, One}); });
  Fields::describe(Out, [&](Fields &F) { ranksFields(F, {Job, {}}); });
  Fields::describe(Out, [&](Fields &F) { summaryFields(F, Summary); });
  Fields::describe(
      Out, [&](Fields &F) { checkFields(F, {"", B, D.New, Checked, {}}); });
  Fields::describe(
      Out, [&](Fields &F) { baselineFields(F, B); },
      [&](Fields &F) { baselineSiteFields(F, Site); });
  Fields::describe(Out, [&](Fields &F) { trialsFields(F, Compared, nullptr); });
  const ExperimentSeries Series;
  Fields::describe(Out,
                   [&](Fields &F) { experimentsFields(F, {Series, T, R}); });
  Fields::describe(Out,
                   [&](Fields &F) { callFields(F, "", nullptr, nullptr); });
  catalogue::Semantics Measured;
  Fields::describe(Out,
                   [&](Fields &F) { catalogue::semanticsFields(F, Measured); });
}
