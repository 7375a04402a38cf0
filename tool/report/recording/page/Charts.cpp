// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page's static pictures, drawn here as SVG so that they need no script.
#include "analysis/common/Statistics.h"
#include "report/Format.h"
#include "report/Html.h"
#include "report/recording/IdleSentences.h"
#include "report/recording/Sentences.h"
#include "report/recording/page/Parts.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>

using namespace autoprof;
using namespace autoprof::report;
using analysis::Cause;

namespace {

/// A part of the GPU's time.
struct Share {
  std::string Class, Name;
  int64_t Ns;
};

std::vector<Share> sharesOf(const analysis::Result &R) {
  constexpr llvm::StringLiteral Names[analysis::NumWorks] = {
      "kernels", "copies without a concurrent kernel",
      "sets, nothing concurrent", "communication, nothing concurrent",
      "other GPU work"};
  std::vector<Share> Result;
  for (unsigned W = 0; W < analysis::NumWorks; ++W)
    Result.push_back({analysis::name(analysis::Work(W)).str(), Names[W].str(),
                      R.Used.Parts[W]});
  const auto &Gaps = R.InSteps ? R.InSteps->Gaps : R.Gaps;
  for (unsigned I = 0; I < analysis::NumCauses; ++I)
    Result.push_back({analysis::name(Cause(I)).str(), phrase(Cause(I)).str(),
                      Gaps[I].Total});
  llvm::erase_if(Result, [](const Share &S) { return S.Ns <= 0; });
  return Result;
}

/// What the bar cannot show: work that runs at the same time, and how much of
/// the device it takes.
std::string usage(const analysis::Utilization &U) {
  auto Part = [](const std::optional<double> &V) {
    return V ? percent(*V, 1) : std::string("-");
  };
  return figures(
      {{percent(double(U.Kernels), double(U.Time)), "a kernel runs",
        "of the time"},
       {Part(U.SmEfficiency), "multiprocessors in use", "mean, estimated"},
       {Part(U.Occupancy), "occupancy", "while kernels run, estimated"}});
}

} // namespace

std::string report::breakdown(llvm::StringRef Heading, const Input &Subject) {
  const analysis::Utilization &U = Subject.R.Used;
  if (U.Time <= 0)
    return "";
  constexpr double Width = 1000;
  std::string Bar, Legend;
  double X = 0;
  for (const Share &Part : sharesOf(Subject.R)) {
    const double W = Width * double(Part.Ns) / double(U.Time);
    Bar += fmt::format("<rect class=\"c-{}\" x=\"{:.2f}\" width=\"{:.2f}\" "
                       "height=\"26\"/>",
                       Part.Class, X, W);
    X += W;
    Legend += fmt::format(
        "<li><svg class=\"key\" viewBox=\"0 0 10 10\" aria-hidden=\"true\">"
        "<rect class=\"c-{}\" width=\"10\" height=\"10\" rx=\"2\"/></svg>"
        "<b>{}</b> <span>{}</span> <i>{}</i></li>\n",
        Part.Class, percent(double(Part.Ns), double(U.Time)),
        escapeHtml(Part.Name),
        Subject.R.InSteps ? perStep(Subject, Part.Ns) + " per step"
                          : duration(Part.Ns));
  }
  std::string Most;
  for (const std::string &Sentence : idleSentences(Subject))
    Most += "<p>" + escapeHtml(Sentence) + ".</p>\n";
  return "<section class=\"breakdown\">\n<h2>" + escapeHtml(Heading) +
         "</h2>\n<svg class=\"bar\" viewBox=\"0 0 1000 26\" "
         "preserveAspectRatio=\"none\" role=\"img\" aria-label=\"The GPU's "
         "time; the list below says the same\">" +
         Bar + "</svg>\n<ul>\n" + Legend + "</ul>\n" + Most + usage(U) +
         "</section>\n";
}

namespace {

/// With more steps than this, several share a bar, which shows the longest.
constexpr size_t MaxBars = 300;

constexpr double ChartWidth = 1000, ChartHeight = 120;

/// Bars of one side in its own half, or all, of the chart.
std::string bars(const Input &Subject, const char *Class, int64_t Top,
                 double Left, double Width) {
  const std::vector<analysis::Step> &List = Subject.R.Steps.List;
  const size_t Together = (List.size() + MaxBars - 1) / MaxBars;
  const size_t Count = (List.size() + Together - 1) / Together;
  const double Each = Width / double(Count);
  std::string Result;
  for (size_t B = 0; B < Count; ++B) {
    const size_t First = B * Together,
                 Last = std::min(First + Together, List.size()) - 1;
    int64_t Time = 0;
    for (size_t I = First; I <= Last; ++I)
      Time = std::max(Time, List[I].Time);
    const double H = ChartHeight * double(std::min(Time, Top)) / double(Top);
    Result += fmt::format(
        "<rect class=\"{}{}{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" "
        "height=\"{:.2f}\"><title>step {}{}: {}{}</title></rect>\n",
        Class, Last < Subject.R.Steps.WarmUp ? " warm" : "",
        Time > Top ? " over" : "", Left + Each * double(B), ChartHeight - H,
        std::max(Each * 0.8, 0.5), H, count(First + 1),
        Together > 1 ? fmt::format(" to {}, the longest", count(Last + 1)) : "",
        duration(Time),
        Last < Subject.R.Steps.WarmUp ? " (warm-up, not counted)" : "");
  }
  return Result;
}

std::string medianLine(int64_t Median, int64_t Top, double Left, double Width) {
  const double Y = ChartHeight * (1 - double(Median) / double(Top));
  return fmt::format("<line class=\"median\" x1=\"{:.2f}\" x2=\"{:.2f}\" "
                     "y1=\"{:.2f}\" y2=\"{:.2f}\"/>\n",
                     Left, Left + Width, Y, Y);
}

std::string medianText(const Input &Subject) {
  const std::vector<int64_t> Times = Subject.R.Steps.times();
  return fmt::format(
      "median {} of {} steps{}", duration(analysis::median(Times)),
      count(Subject.R.Steps.measured()),
      Subject.R.Steps.WarmUp ? fmt::format(" (after {} of warm-up, paler)",
                                           count(Subject.R.Steps.WarmUp))
                             : "");
}

} // namespace

std::string report::stepChart(const Input &Base, const Input *New) {
  std::vector<const Input *> Sides{&Base};
  if (New)
    Sides.push_back(New);
  int64_t Top = 0;
  for (const Input *Side : Sides) {
    const std::vector<int64_t> Times = Side->R.Steps.times();
    if (Times.empty())
      return "";
    // Start-up and outliers may be a thousand times as long.
    Top = std::max({Top, analysis::quantile(Times, 0.95) * 5 / 4,
                    analysis::median(Times) * 5 / 4});
  }
  const double Gap = New ? 20 : 0,
               Width = (ChartWidth - Gap) / double(Sides.size());
  std::string Drawn, Said;
  for (size_t I = 0; I < Sides.size(); ++I) {
    const double Left = double(I) * (Width + Gap);
    Drawn += bars(*Sides[I], I ? "step new" : "step", Top, Left, Width) +
             medianLine(analysis::median(Sides[I]->R.Steps.times()), Top, Left,
                        Width);
    if (New)
      Said += I ? "; new, right: " : "base, left: ";
    Said += medianText(*Sides[I]);
  }
  return fmt::format(
      "<section class=\"steps\">\n<h2>Step time</h2>\n<svg viewBox=\"0 0 {} "
      "{}\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"Time of "
      "each step\">\n{}</svg>\n<p class=\"what\">{}. The chart's height is "
      "{}{}.</p>\n</section>\n",
      ChartWidth, ChartHeight, Drawn, escapeHtml(Said), duration(Top),
      llvm::StringRef(Drawn).contains(" over\"")
          ? "; longer bars are cut off and darker"
          : "");
}
