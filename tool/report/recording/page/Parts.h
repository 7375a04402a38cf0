// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of the pages of report and diff. All return HTML, and escape text
// from the trace.
#ifndef AUTOPROF_REPORT_RECORDING_PAGE_PARTS_H
#define AUTOPROF_REPORT_RECORDING_PAGE_PARTS_H

#include "report/TextTable.h"
#include "report/recording/page/TimelineData.h"

#include "llvm/ADT/ArrayRef.h"

namespace autoprof::report {

/// A number and its meaning: "152 us", "step time", "p95 153 us".
struct Figure {
  std::string Value, Name, More;
};
std::string figures(llvm::ArrayRef<Figure> All);

/// The largest number of rows in a table, and of bytes in a cell: a trace may
/// have thousands of kernels whose names are thousands of bytes long.
constexpr size_t MaxTableRows = 500, MaxCellBytes = 240;

/// A section that a reader may sort and filter; "" for an empty table. `Note`:
/// a sentence below the heading, or "".
std::string tableSection(llvm::StringRef Heading, const TextTable &Table,
                         llvm::StringRef Note = "");

/// The GPU's time in the steps that count, or in the run, as one bar: its
/// work, and idle by cause; and how full it was. "" where it is not known.
std::string breakdown(llvm::StringRef Heading, const Input &Subject);

/// What removing, postponing, ... the waits would gain; "" where nothing was
/// replayed.
std::string changesSection(llvm::StringRef Heading, const Input &Subject);

/// What else an expert would point out; "" for nothing.
std::string findingsSection(llvm::StringRef Heading, const Input &Subject);

/// Device memory over time, and who holds it, of each device; "" where it was
/// not recorded. `Owner` ends the headings: ", base".
std::string memorySection(llvm::StringRef Owner, const Input &Subject);

/// A bar for each step of both sides; `New` may be null. "" without steps.
std::string stepChart(const Input &Base, const Input *New);

/// The element in which the script draws, with its data. `Id`: its id.
std::string timelineSection(llvm::StringRef Id, llvm::StringRef Heading,
                            const Input &Subject);

/// What the reader has to know about the figures; "" without caveats.
std::string caveatSection(llvm::StringRef Heading,
                          llvm::ArrayRef<std::string> Caveats);

/// Name and value of each line.
std::string
summarySection(llvm::StringRef Heading,
               llvm::ArrayRef<std::pair<std::string, std::string>> Lines);

/// A part of a page, and its name among the links on top.
struct Part {
  std::string Id, Name, Html;
};
/// Those that are not empty, below links to them.
std::string pageParts(llvm::ArrayRef<Part> Parts);

/// The whole page, with the style and script that all share.
std::string recordingPage(llvm::StringRef Title, llvm::StringRef Body);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_PAGE_PARTS_H
