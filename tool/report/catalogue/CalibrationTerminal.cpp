// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Five times per line leave little of 80 columns: a call is on a line of its
// own, its arguments below it, and a long text pushes its times to the next
// line.
#include "report/Format.h"
#include "report/TextTable.h"
#include "report/catalogue/Calibration.h"
#include "report/catalogue/Calls.h"
#include "report/catalogue/Formats.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::catalogue;
using llvm::StringRef;

namespace {

constexpr unsigned TimeWidth = 8, NumTimes = 1 + NumBehind, WordWidth = 10;

class Printer {
  llvm::raw_ostream &Out;
  const TextStyle &Style;
  unsigned labelWidth() const {
    return Style.Width - NumTimes * TimeWidth - WordWidth;
  }

public:
  Printer(llvm::raw_ostream &Out, const TextStyle &Style)
      : Out(Out), Style(Style) {}

  void heading(StringRef Text) {
    Out << '\n';
    if (Style.Color)
      Out << "\033[1m" << Text << "\033[0m\n";
    else
      Out << Text << '\n';
  }
  void sentence(StringRef Text) { printWrapped(Out, Text, 0, Style.Width); }
  void list(llvm::ArrayRef<std::string> Lines) {
    for (const std::string &Line : Lines)
      printWrapped(Out, "- " + Line, 2, Style.Width);
  }
  void line(StringRef Label, llvm::ArrayRef<std::string> Times,
            StringRef Word) {
    std::string Cells;
    for (const std::string &Time : Times)
      Cells += fmt::format("{:>{}}", Time, TimeWidth);
    if (Label.size() > labelWidth())
      Out << Label << '\n' << std::string(labelWidth(), ' ');
    else
      Out << fmt::format("{:<{}}", Label.str(), labelWidth());
    Out << Cells << "  " << Word << '\n';
  }
  void group(const CalibrationGroup &G);
};

void Printer::group(const CalibrationGroup &G) {
  heading(G.Library.empty() ? "Not in the catalogue" : G.Library);
  line("  call", {"idle", "own", "nonbl.", "block.", "legacy"}, "waits");
  StringRef Last;
  for (const CalibrationRow &R : G.Rows) {
    if (R.O->Call != Last && !R.O->Arguments.empty())
      Out << "  " << R.O->Call << '\n';
    Last = R.O->Call;
    std::vector<std::string> Times = {hostTime(R.O->IdleNs)};
    for (std::optional<int64_t> Ns : R.O->BehindNs)
      Times.push_back(hostTime(Ns));
    std::string Word = verdictWord(R.Says).str();
    line(R.O->Arguments.empty() ? "  " + R.O->Call : "    " + R.O->Arguments,
         Times, R.Differs ? Word + " *" : Word);
  }
}

void explainColumns(Printer &P, const Semantics &S) {
  P.sentence(
      "Host time in the call, best of several, with an idle GPU (idle) and "
      "after " +
      duration(S.QueuedNs) +
      " of queued work: on the call's own stream, a non-blocking one (own), on "
      "another non-blocking stream (nonbl.), another blocking stream "
      "(block.), and the legacy default stream (legacy). waits: for a "
      "stream, for the whole device, or no; slow: not for the GPU, but long "
      "on the CPU. *: differs from the built-in table.");
}

} // namespace

void report::writeCalibrationTerminal(llvm::raw_ostream &Out,
                                      const Semantics &S,
                                      const TextStyle &Style) {
  Printer P(Out, Style);
  for (const std::string &Sentence : aboutCalibration(S))
    P.sentence(Sentence);
  Out << '\n';
  explainColumns(P, S);
  for (const CalibrationGroup &G : byLibrary(S))
    P.group(G);

  std::vector<Difference> Different = differences(S);
  P.heading("Differences from the built-in table");
  if (Different.empty())
    P.sentence("None.");
  for (const Difference &D : Different)
    P.list({callAndArguments(*D.O) + ": " + contrast(D)});
  if (std::vector<std::string> Lines = machineConstants(S); !Lines.empty()) {
    P.heading("Copies and pauses");
    P.list(Lines);
  }
  if (std::vector<std::string> Lines = notMeasured(S); !Lines.empty()) {
    P.heading("Not measured");
    P.list(Lines);
  }
  if (std::vector<std::string> Lines = skippedLibraries(S); !Lines.empty()) {
    P.heading("Skipped libraries");
    P.list(Lines);
  }
}
