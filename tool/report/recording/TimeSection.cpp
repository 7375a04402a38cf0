// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the GPU's time goes, in the steps or in the run: its work, and idle by
// cause.
#include "report/Format.h"
#include "report/Html.h"
#include "report/recording/Sections.h"
#include "report/recording/Sentences.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

/// A part of the GPU's time.
struct Share {
  std::string Class; ///< Of the page's style.
  std::string Name;
  int64_t Ns;
  std::optional<uint64_t> Gaps = std::nullopt; ///< None if it is work.
};

/// Work, then idle time, the largest first.
std::vector<Share> sharesOf(const Result &R) {
  constexpr llvm::StringLiteral Names[NumWorks] = {
      "kernels", "copies without a concurrent kernel",
      "sets, nothing concurrent", "communication, nothing concurrent",
      "other GPU work"};
  std::vector<Share> Idle, Result;
  const auto &Gaps = R.InSteps ? R.InSteps->Gaps : R.Gaps;
  for (unsigned I = 0; I < NumCauses; ++I)
    Idle.push_back({analysis::name(Cause(I)).str(), phrase(Cause(I)).str(),
                    Gaps[I].Total, Gaps[I].Count});
  llvm::stable_sort(Idle,
                    [](const Share &A, const Share &B) { return A.Ns > B.Ns; });
  for (unsigned W = 0; W < NumWorks; ++W)
    Result.push_back(
        {analysis::name(Work(W)).str(), Names[W].str(), R.Used.Parts[W]});
  llvm::append_range(Result, Idle);
  llvm::erase_if(Result, [](const Share &S) { return S.Ns <= 0; });
  return Result;
}

/// One bar, and what its colors mean.
std::string bar(const Input &Subject) {
  constexpr double Width = 1000;
  const double Whole = double(Subject.R.Used.Time);
  std::string Bar, Legend;
  double X = 0;
  for (const Share &Part : sharesOf(Subject.R)) {
    const double W = Width * double(Part.Ns) / Whole;
    Bar += fmt::format("<rect class=\"c-{}\" x=\"{:.2f}\" width=\"{:.2f}\" "
                       "height=\"26\"/>",
                       Part.Class, X, W);
    X += W;
    Legend += fmt::format(
        "<li><svg class=\"key\" viewBox=\"0 0 10 10\" aria-hidden=\"true\">"
        "<rect class=\"c-{}\" width=\"10\" height=\"10\" rx=\"2\"/></svg>"
        "<b>{}</b> <span>{}</span> <i>{}</i></li>\n",
        Part.Class, percent(double(Part.Ns), Whole), escapeHtml(Part.Name),
        each(Subject, Part.Ns) + (Subject.R.InSteps ? " per step" : ""));
  }
  return "<svg class=\"bar\" viewBox=\"0 0 1000 26\" "
         "preserveAspectRatio=\"none\" role=\"img\" aria-label=\"The GPU's "
         "time; the list below says the same\">" +
         Bar + "</svg>\n<ul class=\"breakdown\">\n" + Legend + "</ul>\n";
}

Table timeTable(const Input &Subject) {
  const bool Steps = Subject.R.InSteps.has_value();
  Table T({{"the GPU's time", true},
           {Steps ? "gaps/step" : "gaps"},
           {Steps ? "time/step" : "total"},
           {Steps ? "of the step" : "of the GPU's span"}});
  const int64_t Whole = idleBasis(Subject.R);
  auto Add = [&](const std::string &Name, std::string Gaps, int64_t Ns) {
    T.addRow({Name, std::move(Gaps), each(Subject, Ns),
              percent(double(Ns), double(Whole))});
  };
  Add("busy", "-", Steps ? Subject.R.InSteps->Busy : busyTime(Subject.R));
  for (const Share &Part : sharesOf(Subject.R))
    if (Part.Gaps)
      Add("idle: " + Part.Name,
          Steps ? timesPerStep(Subject, *Part.Gaps) : count(*Part.Gaps),
          Part.Ns);
    else
      Add("busy: " + Part.Name, "-", Part.Ns);
  return T;
}

/// What the bar cannot show: work that runs at the same time, and how much of
/// the device it takes.
Figures usage(const Utilization &U) {
  return {{{percent(double(U.Kernels), double(U.Time)), "a kernel runs",
            "of the time"},
           {U.SmEfficiency ? percent(*U.SmEfficiency, 1) : "-",
            "multiprocessors in use", "mean, estimated"}}};
}

} // namespace

Section report::timeSection(const Input &Subject, const TextStyle &Style) {
  Section S;
  S.Heading = Subject.R.InSteps ? "Where the GPU's time goes in the steps"
                                : "Where the GPU's time goes";
  S.Id = "time";
  S.Link = "Time";
  if (Subject.R.Used.Time <= 0)
    return S;
  S.add(Picture{[&Subject] { return bar(Subject); }}, Shown::OnPages)
      .add(timeTable(Subject));
  List Idle;
  if (const std::string Outside = idleOutside(Subject); !Outside.empty())
    Idle.Items.push_back(Outside + ".");
  return S.add(std::move(Idle))
      .add(usage(Subject.R.Used),
           Style.Profile ? Shown::Everywhere : Shown::OnPages);
}
