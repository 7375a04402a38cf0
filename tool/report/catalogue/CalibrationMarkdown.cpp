// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Format.h"
#include "report/TextTable.h"
#include "report/catalogue/Calibration.h"
#include "report/catalogue/Calls.h"
#include "report/catalogue/Formats.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::catalogue;

namespace {

void printGroup(llvm::raw_ostream &Out, const CalibrationGroup &G) {
  Out << "\n## " << (G.Library.empty() ? "Not in the catalogue" : G.Library)
      << "\n\n";
  TextTable Table({{"call", true},
                   {"arguments", true},
                   {"first call"},
                   {"idle"},
                   {"own stream"},
                   {"other non-blocking"},
                   {"other blocking"},
                   {"legacy"},
                   {"waits", true},
                   {"built in", true}});
  for (const CalibrationRow &R : G.Rows) {
    std::vector<std::string> Cells = {R.O->Call, R.O->Arguments,
                                      hostTime(R.O->FirstNs),
                                      hostTime(R.O->IdleNs)};
    for (std::optional<int64_t> Ns : R.O->BehindNs)
      Cells.push_back(hostTime(Ns));
    Cells.push_back(verdictWord(R.Says).str());
    Cells.push_back(R.Differs ? "differs" : "");
    Table.addRow(std::move(Cells));
  }
  Table.printMarkdown(Out);
}

void printList(llvm::raw_ostream &Out, llvm::StringRef Heading,
               llvm::ArrayRef<std::string> Lines) {
  if (Lines.empty())
    return;
  Out << "\n## " << Heading << "\n\n";
  for (const std::string &Line : Lines)
    Out << "- " << escapeMarkdown(Line) << '\n';
}

} // namespace

void report::writeCalibrationMarkdown(llvm::raw_ostream &Out,
                                      const Semantics &S, const TextStyle &) {
  Out << "# What calls wait for on this machine\n\n";
  for (const std::string &Sentence : aboutCalibration(S))
    Out << escapeMarkdown(Sentence) << '\n';
  Out << "\nHost time in the call, best of several: with an idle GPU, and "
         "after "
      << duration(S.QueuedNs)
      << " of queued work on the call's own stream, a non-blocking one, and on "
         "other "
         "streams.\n";
  for (const CalibrationGroup &G : byLibrary(S))
    printGroup(Out, G);
  std::vector<std::string> Lines;
  for (const Difference &D : differences(S))
    Lines.push_back(callAndArguments(*D.O) + ": " + contrast(D));
  if (Lines.empty())
    Lines.push_back("None.");
  printList(Out, "Differences from the built-in table", Lines);
  printList(Out, "Copies and pauses", machineConstants(S));
  printList(Out, "Not measured", notMeasured(S));
  printList(Out, "Skipped libraries", skippedLibraries(S));
}
