// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory over time and who holds it, where it was recorded.
#include "report/Format.h"
#include "report/recording/Sections.h"

#include <fmt/format.h>

#include <algorithm>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

uint64_t memoryOf(const trace::Timeline &T, uint32_t Device) {
  for (const trace::Device &D : T.Devices)
    if (D.Id == Device)
      return D.MemoryBytes;
  return 0;
}

std::string summary(const Input &Subject, const DeviceMemory &M) {
  uint64_t Whole = memoryOf(Subject.T, M.Device);
  std::string Text = fmt::format(
      "Peak {}{} at {}{}; {} allocated, {} freed.", bytes(M.PeakBytes),
      Whole ? fmt::format(" ({} of the device's {})",
                          percent(double(M.PeakBytes), double(Whole)),
                          bytes(Whole))
            : "",
      duration(M.PeakTime),
      M.PeakStep ? fmt::format(" (step {})", *M.PeakStep) : "",
      count(M.Allocations) + (M.Allocations == 1 ? " block" : " blocks"),
      count(M.Releases));
  if (M.Unmatched)
    Text += fmt::format(" {} releases are of memory whose allocation is not in "
                        "the trace, so actual use was higher.",
                        count(M.Unmatched));
  return Text;
}

Table holders(const Input &Subject, const DeviceMemory &M) {
  Table T({{"allocated at, live at the peak", true},
           {"count"},
           {"bytes"},
           {"share"}});
  T.Limit = 8;
  for (const MemoryHolder &H : M.AtPeak)
    T.addRow({place(Subject.T, H.Site) + " " + H.Call, count(H.Count),
              bytes(H.Bytes), percent(double(H.Bytes), double(M.PeakBytes))});
  return T;
}

std::string atTheEnd(const Input &Subject, const DeviceMemory &M) {
  MemoryHolder Sum;
  for (const MemoryHolder &H : M.NotFreed) {
    Sum.Count += H.Count;
    Sum.Bytes += H.Bytes;
  }
  if (!Sum.Count)
    return "";
  const MemoryHolder &Most = M.NotFreed.front();
  return fmt::format("Not freed when the recording ended: {} in {} {}, most of "
                     "it ({}) from {}{}{}.",
                     bytes(Sum.Bytes), count(Sum.Count),
                     Sum.Count == 1 ? "allocation" : "allocations",
                     bytes(Most.Bytes), place(Subject.T, Most.Site),
                     Most.Call.empty() ? "" : " ", Most.Call);
}

constexpr double Width = 1000, Height = 120;

/// Bytes in use from the recording's beginning to its end; the chart's height
/// is the peak.
std::string chart(const Input &Subject, const analysis::DeviceMemory &M) {
  const int64_t Start = Subject.T.begin(), End = Subject.T.end();
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
      "<svg class=\"chart\" viewBox=\"0 0 {0} {1}\" "
      "preserveAspectRatio=\"none\" role=\"img\" "
      "aria-label=\"Memory in use over time\">\n<path d=\"{2}\"/>\n"
      "<line class=\"median\" x1=\"{3:.1f}\" x2=\"{3:.1f}\" y1=\"0\" "
      "y2=\"{1}\"/>\n</svg>\n<p class=\"what\">From the recording's beginning "
      "to its end, {4}; the chart's height is the peak, {5}, at the broken "
      "line.</p>\n",
      Width, Height, Path, X(M.PeakTime), duration(End - Start),
      bytes(M.PeakBytes));
}

} // namespace

std::vector<Section> report::memorySections(const Input &Subject) {
  std::vector<Section> Sections;
  for (const DeviceMemory &M : Subject.R.Memories) {
    Section S;
    S.Heading = fmt::format("Memory of GPU {}", M.Device);
    if (Sections.empty()) {
      S.Id = "memory";
      S.Link = "Memory";
    }
    S.say(summary(Subject, M));
    if (Subject.T.begin() < Subject.T.end() && M.PeakBytes)
      S.add(Picture{[&Subject, &M] { return chart(Subject, M); }},
            Shown::OnPages);
    S.add(holders(Subject, M)).say(atTheEnd(Subject, M));
    Sections.push_back(std::move(S));
  }
  return Sections;
}
