// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/MemoryPart.h"

#include "report/Format.h"

#include <fmt/format.h>

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

TextTable table(const Input &Subject, const DeviceMemory &M, bool All) {
  const size_t MostRows = All ? SIZE_MAX : 8;
  TextTable Table({{"allocated at, live at the peak", true},
                   {"count"},
                   {"bytes"},
                   {"share"}});
  for (const MemoryHolder &H : llvm::ArrayRef(M.AtPeak).take_front(MostRows))
    Table.addRow({place(Subject.T, H.Site) + " " + H.Call, count(H.Count),
                  bytes(H.Bytes),
                  percent(double(H.Bytes), double(M.PeakBytes))});
  return Table;
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

} // namespace

std::vector<MemoryPart> report::memoryParts(const Input &Subject, bool All) {
  std::vector<MemoryPart> Parts;
  for (const DeviceMemory &M : Subject.R.Memories)
    Parts.push_back({fmt::format("Memory of GPU {}", M.Device),
                     summary(Subject, M), table(Subject, M, All),
                     atTheEnd(Subject, M)});
  return Parts;
}
