// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Calls.h"
#include "report/TextTable.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::catalogue;

namespace {

void bold(llvm::raw_ostream &Out, llvm::StringRef Text, bool Color) {
  if (Color)
    Out << "\033[1m" << Text << "\033[0m";
  else
    Out << Text;
}

/// What the streams of a wait are, where that is not plain.
llvm::StringRef footnote(const Row &General) {
  bool Stream = General.Target == WaitsFor::Stream;
  for (const Row &R : conditional(General))
    Stream |= R.Target == WaitsFor::Stream;
  return Stream ? "Its stream is the one it is given, or else the default "
                  "stream. The legacy default stream comes after the work of "
                  "all blocking streams, not of non-blocking ones."
                : "";
}

void printConditions(llvm::raw_ostream &Out, const Row &General,
                     const TextStyle &Style) {
  llvm::ArrayRef<Row> When = conditional(General);
  if (When.empty())
    return;
  Out << '\n';
  printWrapped(Out, "By " + whatDecides(General) + ", the first that fits:", 0,
               Style.Width);
  for (const Row &R : When) {
    std::string Line = describe(R.When) + ": " + outcome(R);
    if (!R.Why.empty())
      Line += "; " + R.Why.str();
    printWrapped(Out, "- " + Line, 2, Style.Width);
  }
}

void printMeasurements(llvm::raw_ostream &Out, const Row &General,
                       const TextStyle &Style) {
  TextTable Table({{"measured", true},
                   {"idle"},
                   {"own stream"},
                   {"other non-blocking"},
                   {"other blocking"},
                   {"legacy"}});
  for (const Measurement &M : measurements())
    if (M.Name == General.Name)
      Table.addRow({arguments(M).str(), hostTime(M.Idle), hostTime(M.OwnStream),
                    hostTime(M.OtherNonBlocking), hostTime(M.OtherBlocking),
                    hostTime(M.LegacyStream)});
  Out << '\n';
  if (Table.empty()) {
    Out << "Not measured.\n";
    return;
  }
  printWrapped(Out,
               "Measured on " + machine() +
                   ": host time in the call with an idle GPU, and behind 20 ms "
                   "of work on the call's own stream, a non-blocking one, and "
                   "on other streams",
               0, Style.Width);
  Table.printAligned(Out, Style.Width, Style.Color);
}

} // namespace

void report::writeCallTerminal(llvm::raw_ostream &Out, const CallInput &Call,
                               const TextStyle &Style) {
  const Row &R = Call.General;
  bold(Out, Call.Asked, Style.Color);
  Out << " (" << libraryTitle(R.Library) << ", " << name(R.Class);
  if (R.Name.ends_with("*"))
    Out << "; as all of " << R.Name;
  Out << ")\n\n";
  printWrapped(Out, summary(R), 0, Style.Width);
  printConditions(Out, R, Style);
  if (llvm::StringRef Note = footnote(R); !Note.empty()) {
    Out << '\n';
    printWrapped(Out, Note, 0, Style.Width);
  }
  if (!R.Replacement.empty()) {
    Out << '\n';
    printWrapped(Out, ("Instead: " + R.Replacement + ".").str(), 0,
                 Style.Width);
  }
  printWrapped(Out, ("Source: " + R.Source + ".").str(), 0, Style.Width);
  printMeasurements(Out, R, Style);
  for (const std::string &Sentence : differences(R.Name)) {
    Out << "\nDocumentation and measurement differ.\n";
    printWrapped(Out, Sentence, 0, Style.Width);
  }
}

void report::writeCatalogueTerminal(llvm::raw_ostream &Out,
                                    const TextStyle &Style) {
  TextTable Table(
      {{"call", true}, {"library", true}, {"waits", true}, {"for", true}});
  for (const Row &R : rows())
    if (R.General)
      Table.addRow({R.Name.str(), libraryTitle(R.Library).str(),
                    catalogue::name(R.Wait).str(), phrase(R.Target).str()});
  Table.printAligned(Out, Style.Width, Style.Color);
}
