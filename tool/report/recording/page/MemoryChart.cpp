// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Format.h"
#include "report/Html.h"
#include "report/recording/MemoryPart.h"
#include "report/recording/page/Parts.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;

namespace {

constexpr double Width = 1000, Height = 120;

/// Bytes in use from the recording's beginning to its end; the chart's height
/// is the peak.
std::string chart(const Input &Subject, const analysis::DeviceMemory &M) {
  const int64_t Start = Subject.T.begin(), End = Subject.T.end();
  if (Start >= End || !M.PeakBytes)
    return "";
  auto X = [&](int64_t Time) {
    return Width * double(std::clamp(Time, Start, End) - Start) /
           double(End - Start);
  };
  auto Y = [&](uint64_t Bytes) {
    return Height * (1 - double(Bytes) / double(M.PeakBytes));
  };
  std::string Path = fmt::format("M0 {}", Height);
  for (const auto &[Time, Bytes] : M.Curve)
    Path += fmt::format("H{:.1f}V{:.1f}", X(Time), Y(Bytes));
  Path += fmt::format("H{}V{}Z", Width, Height);
  return fmt::format(
      "<svg viewBox=\"0 0 {0} {1}\" preserveAspectRatio=\"none\" role=\"img\" "
      "aria-label=\"Memory in use over time\">\n<path d=\"{2}\"/>\n"
      "<line class=\"median\" x1=\"{3:.1f}\" x2=\"{3:.1f}\" y1=\"0\" "
      "y2=\"{1}\"/>\n</svg>\n<p class=\"what\">From the recording's beginning "
      "to its end, {4}; the chart's height is the peak, {5}, at the broken "
      "line.</p>\n",
      Width, Height, Path, X(M.PeakTime), duration(End - Start),
      bytes(M.PeakBytes));
}

} // namespace

std::string report::memorySection(llvm::StringRef Owner, const Input &Subject) {
  std::string Result;
  const std::vector<MemoryPart> Parts = memoryParts(Subject, /*All=*/true);
  for (size_t I = 0; I < Parts.size(); ++I) {
    const MemoryPart &Part = Parts[I];
    const std::string Heading = Part.Heading + Owner.str();
    Result +=
        "<section class=\"memory\">\n<h2>" + escapeHtml(Heading) +
        "</h2>\n<p>" + escapeHtml(Part.Summary) + "</p>\n" +
        chart(Subject, Subject.R.Memories[I]) +
        (Part.AtTheEnd.empty() ? ""
                               : "<p>" + escapeHtml(Part.AtTheEnd) + "</p>\n") +
        "</section>\n" +
        tableSection("Who held it at the peak: " + Heading, Part.Holders,
                     Part.AtTheEnd);
  }
  return Result;
}
