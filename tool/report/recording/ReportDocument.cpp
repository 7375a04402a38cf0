// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report about one recording: its sections in order.
#include "report/recording/Sections.h"

#include "analysis/common/Statistics.h"
#include "analysis/comparison/Experiments.h"
#include "report/Format.h"
#include "report/recording/Sentences.h"

#include "llvm/ADT/STLExtras.h"

using namespace autoprof;
using namespace autoprof::report;

namespace {

// clang-format off: the order matters.
constexpr llvm::StringRef Style =
#include "report/recording.css.inc"
    ;
constexpr llvm::StringRef Script =
#include "report/timeline_model.js.inc"
#include "report/timeline_draw.js.inc"
#include "report/timeline.js.inc"
    ;
// clang-format on

/// Bytes of the command line that are shown.
constexpr size_t MaxCommand = 2000;

Figures figuresOf(const Input &Subject) {
  const analysis::Result &R = Subject.R;
  Figures F;
  if (const std::vector<int64_t> Times = R.Steps.times(); !Times.empty()) {
    const std::string Median = duration(analysis::median(Times)),
                      P95 = "p95 " + duration(analysis::quantile(Times, 0.95));
    // A median shows nothing of unlike steps.
    if (R.InSteps && !R.Kinds.empty())
      F.All.push_back({perStep(Subject, R.InSteps->Span), "mean step",
                       "median " + Median + ", " + P95});
    else
      F.All.push_back({Median, "step time", P95});
  }
  if (const auto &S = R.InSteps) {
    const double Span = double(S->Span);
    F.All.push_back({percent(double(S->Busy), Span), "GPU busy",
                     perStep(Subject, S->Busy) + " per step"});
    F.All.push_back({percent(double(S->exposed()), Span), "exposed stall",
                     perStep(Subject, S->exposed()) + " per step"});
    F.All.push_back({percent(double(S->Waited), double(S->HostTime)),
                     "CPU waiting", perStep(Subject, S->Waited) + " per step"});
  } else if (R.WaitsKnown) {
    int64_t Busy = 0, Span = 0;
    for (const analysis::DeviceActivity &D : R.Devices) {
      Busy += D.Busy;
      Span += D.span();
    }
    F.All.push_back({percent(double(Busy), double(Span)), "GPU busy",
                     "of " + duration(Span)});
    F.All.push_back({duration(R.Waited), "CPU waited", "in the whole run"});
  }
  if (R.Steps.FromGpu && !R.Steps.List.empty())
    F.All.push_back({duration(analysis::median(R.Steps.leads())),
                     "lead at step end", "GPU work queued, median"});
  return F;
}

} // namespace

PageParts report::recordingParts() { return {Style, Script}; }

Section report::findingSection(const Input &Subject) {
  Table T({{"", true}});
  T.IsCards = true;
  T.Limit = 4;
  for (const analysis::Finding &F : Subject.R.Findings) {
    Table::Row &Row = T.addRow({F.Rule.str()});
    Row.Badge = analysis::name(F.Severity).str();
    Row.Class = Row.Badge;
    T.addNote(F.Message);
    T.addNote(F.Advice);
    T.addNote(F.Doubt, "Caveat");
  }
  Section S;
  S.Heading = "Findings";
  S.Id = "findings";
  return S.add(std::move(T));
}

/// What was measured of what the answer promises, or how to do that; "": it
/// promises nothing, or the program is not known, or has too few steps.
static std::string proofSentence(const Input &Subject) {
  if (Subject.Measured && !Subject.Measured->Answer.empty())
    return "Measured by autoprof try: " + Subject.Measured->Answer;
  const analysis::Decision &D = Subject.R.Decided;
  const trace::Process &P = Subject.T.Info;
  if ((!D.Mild && !D.Strong) || !P.Source.Producer.empty() ||
      P.CommandLine.empty() ||
      Subject.R.Steps.List.size() < analysis::FewestSteps)
    return "";
  constexpr size_t Short = 100;
  return "To measure it without editing the program: autoprof try -- " +
         (P.CommandLine.size() > Short ? "PROGRAM ..." : P.CommandLine);
}

Document report::reportDocument(const Input &Subject, const TextStyle &Style) {
  Document D;
  D.Title = "autoprof: " + code(runName(Subject));
  D.File = Subject.Path;
  D.Origin = cut(Subject.T.Info.CommandLine, MaxCommand, /*AtEnd=*/true);
  D.Answer.say(headline(Subject) + ".", Paragraph::Answer);
  if (Subject.R.InSteps)
    D.Answer.say(regimeSentence(Subject));
  D.Answer.say(elsewhereSentence(Subject));
  D.Answer.say(proofSentence(Subject), Paragraph::Note);
  D.Answer.add(figuresOf(Subject), Shown::OnPages);
  D.Page = recordingParts();

  D.Sections = {answerSection(Subject),      waitSection(Subject),
                outsideSection(Subject),     kindSection(Subject),
                timeSection(Subject, Style), hostLineSection(Subject),
                busyCpuSection(Subject),     transferSection(Subject),
                findingSection(Subject),     stepSection(Subject, nullptr),
                timelineSection(Subject)};
  llvm::append_range(D.Sections, memorySections(Subject));
  llvm::append_range(D.Sections, profileSections(Subject, Style));
  D.Sections.push_back(allSitesSection(Subject));
  D.Sections.push_back(summarySection(Subject));
  D.LimitsHeading = "Limitations of this recording";
  D.Limits = caveats(Subject);
  return D;
}
