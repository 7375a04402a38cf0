// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time of each step as a chart, drawn here as SVG so that it needs no
// script.
#include "analysis/common/Statistics.h"
#include "report/Format.h"
#include "report/Html.h"
#include "report/recording/Sections.h"

#include <fmt/format.h>

#include <algorithm>

using namespace autoprof;
using namespace autoprof::report;

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

static std::string chart(const Input &Base, const Input *New) {
  std::vector<const Input *> Sides{&Base};
  if (New)
    Sides.push_back(New);
  int64_t Top = 0;
  for (const Input *Side : Sides) {
    const std::vector<int64_t> Times = Side->R.Steps.times();
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
      "<svg class=\"chart\" viewBox=\"0 0 {} {}\" preserveAspectRatio=\"none\" "
      "role=\"img\" aria-label=\"Time of each step\">\n{}</svg>\n<p "
      "class=\"what\">{}. The chart's height is {}{}.</p>\n",
      ChartWidth, ChartHeight, Drawn, escapeHtml(Said), duration(Top),
      llvm::StringRef(Drawn).contains(" over\"")
          ? "; longer bars are cut off and darker"
          : "");
}

Section report::stepSection(const Input &Base, const Input *New) {
  Section S;
  S.Heading = "Step time";
  S.Id = "steps";
  S.Link = "Steps";
  if (Base.R.Steps.times().empty() || (New && New->R.Steps.times().empty()))
    return S;
  return S.add(Picture{[&Base, New] { return chart(Base, New); }},
               Shown::OnPages);
}
