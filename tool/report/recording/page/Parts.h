// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the pages of report and diff are made of. All give HTML, and escape
// what comes from the trace.
#ifndef AUTOPROF_REPORT_RECORDING_PAGE_PARTS_H
#define AUTOPROF_REPORT_RECORDING_PAGE_PARTS_H

#include "report/TextTable.h"
#include "report/recording/page/TimelineData.h"

#include "llvm/ADT/ArrayRef.h"

namespace autoprof::report {

/// A number and what it is: "152 us", "step time", "p95 153 us".
struct Figure {
  std::string Value, Name, More;
};
std::string figures(llvm::ArrayRef<Figure> All);

/// A section that a reader may sort and filter; "" for an empty table.
std::string tableSection(llvm::StringRef Heading, const TextTable &Table);

/// The steps that count as one bar: GPU busy, and idle by cause. "" without
/// steps.
std::string breakdown(llvm::StringRef Heading, const Input &In);

/// A bar for each step of both sides; `New` may be null. "" without steps.
std::string stepChart(const Input &Base, const Input *New);

/// The place where the script draws, with its data. `Id`: of the element.
std::string timelineSection(llvm::StringRef Id, llvm::StringRef Heading,
                            const Input &In);

/// What the trace lacks; "" when the recording is whole.
std::string caveatSection(llvm::ArrayRef<std::string> Caveats);

/// Name and value of each line.
std::string
summarySection(llvm::StringRef Heading,
               llvm::ArrayRef<std::pair<std::string, std::string>> Lines);

/// The whole page, with the style and script that all share.
std::string recordingPage(llvm::StringRef Title, llvm::StringRef Body);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_PAGE_PARTS_H
