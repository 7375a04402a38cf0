// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Format.h"
#include "report/TextTable.h"
#include "report/catalogue/Calls.h"
#include "report/catalogue/Formats.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

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

void printConditions(llvm::raw_ostream &Out, const Row &General,
                     const TextStyle &Style) {
  llvm::ArrayRef<Row> Conditional = conditional(General);
  if (Conditional.empty())
    return;
  Out << '\n';
  printWrapped(Out, "By " + whatDecides(General) + ", the first that fits:", 0,
               Style.Width);
  for (const Row &R : Conditional) {
    std::string Line = describe(R.Condition) + ": " + outcome(R.Wait, R.Target);
    if (!R.Reason.empty())
      Line += "; " + R.Reason.str();
    printWrapped(Out, "- " + Line, 2, Style.Width);
  }
}

/// "Measured here (...): ..." of the user's calibration, "Measured on ..." of
/// one that ships.
std::string heading(const Semantics &Machine, bool IsUsers) {
  return (IsUsers ? "Measured here, " : "Measured on ") + machine(Machine) +
         ": host time in the call with an idle GPU, and after " +
         duration(Machine.QueuedNs) +
         " of queued work: on the call's own stream, or on another one that is "
         "non-blocking, blocking, or the legacy default stream";
}

/// The table of one calibration; false: it has nothing on the call.
bool printMeasurements(llvm::raw_ostream &Out, const Row &General,
                       const Semantics &Machine, bool IsUsers,
                       const TextStyle &Style) {
  TextTable Table({{"measured", true},
                   {"idle"},
                   {"own"},
                   {"non-blocking"},
                   {"blocking"},
                   {"legacy"}});
  constexpr size_t MostRows = 6;
  size_t Hidden = 0;
  ObservationIndex Measured(&Machine);
  const llvm::ArrayRef<Seen> Known = Measured.of(General);
  std::vector<Seen> Rows(Known.begin(), Known.end());
  // The short table begins with the cases that were measured first, the usual
  // ones.
  if (Style.All)
    llvm::stable_sort(Rows, [](const Seen &A, const Seen &B) {
      return arguments(*A.O).compare_numeric(arguments(*B.O)) < 0;
    });
  for (const Seen &S : Rows) {
    if (!Style.All && Table.size() >= MostRows) {
      ++Hidden;
      continue;
    }
    std::vector<std::string> Cells = {arguments(*S.O).str(),
                                      hostTime(S.O->IdleNs)};
    for (std::optional<int64_t> Ns : S.O->BehindNs)
      Cells.push_back(hostTime(Ns));
    Table.addRow(std::move(Cells));
    if (!S.O->Error.empty())
      Table.addNote("not measured: " + S.O->Error);
  }
  if (Table.empty())
    return false;
  Out << '\n';
  printWrapped(Out, heading(Machine, IsUsers), 0, Style.Width);
  // Whole labels, where all are asked for.
  constexpr unsigned WholeLabels = 130;
  Table.printAligned(
      Out, Style.All ? std::max(Style.Width, WholeLabels) : Style.Width,
      Style.Color);
  if (Hidden)
    Out << "  " << Hidden << " more (--details lists them)\n";
  return true;
}

void printAllMeasurements(llvm::raw_ostream &Out, const CallInput &Call,
                          const TextStyle &Style) {
  bool Any = false, HasShipped = false;
  std::vector<std::string> Others;
  for (const Semantics *Machine : calibrations(Call.Calibration)) {
    bool IsUsers = Machine == Call.Calibration;
    // The user's machine, and the first other one.
    if (HasShipped && !IsUsers && !Style.All) {
      if (!ObservationIndex(Machine).of(Call.General).empty())
        if (std::string Name = machine(*Machine);
            !llvm::is_contained(Others, Name))
          Others.push_back(std::move(Name));
      continue;
    }
    bool Found = printMeasurements(Out, Call.General, *Machine, IsUsers, Style);
    if (IsUsers && !Found)
      Out << "\nNot measured here.\n";
    Any |= Found;
    HasShipped |= Found && !IsUsers;
  }
  if (!Any && !Call.Calibration)
    Out << "\nNot measured.\n";
  if (!Others.empty()) {
    Out << '\n';
    printWrapped(Out,
                 "Also measured on " + llvm::join(Others, "; ") +
                     " (--details shows it).",
                 0, Style.Width);
  }
}

void printDifferences(llvm::raw_ostream &Out, const CallInput &Call,
                      const TextStyle &Style) {
  for (const Difference &D : differencesOf(Call)) {
    Out << "\nWhat was measured here and the built-in table differ.\n";
    printWrapped(Out, callAndArguments(*D.O) + ": " + contrast(D) + ".", 0,
                 Style.Width);
  }
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
  for (const std::string &Note : callNotes(Call)) {
    Out << '\n';
    printWrapped(Out, Note, 0, Style.Width);
  }
  if (std::string Instead = insteadText(Call); !Instead.empty()) {
    Out << '\n';
    printWrapped(Out, Instead, 0, Style.Width);
  }
  printWrapped(Out, ("Source: " + R.Source + ".").str(), 0, Style.Width);
  printAllMeasurements(Out, Call, Style);
  printDifferences(Out, Call, Style);
  for (const Disagreement &D : disagreementsOf(R.Name)) {
    Out << "\nDocumentation and measurement differ:\n";
    printWrapped(Out, ("- documented: " + D.Documented).str(), 2, Style.Width);
    printWrapped(Out, ("- measured: " + D.Measured).str(), 2, Style.Width);
  }
}

void report::writeCatalogueTerminal(llvm::raw_ostream &Out,
                                    const CatalogueInput &About,
                                    const TextStyle &Style) {
  const Semantics *Calibration = About.Calibration;
  std::vector<TextTable::Column> Columns = {
      {"call", true}, {"library", true}, {"waits", true}, {"for", true}};
  if (Calibration)
    Columns.push_back({"here", true});
  TextTable Table(Columns);
  ObservationIndex Measured =
      Calibration ? ObservationIndex({Calibration}) : ObservationIndex({});
  for (const Row &R : rows()) {
    if (!R.General)
      continue;
    std::vector<std::string> Cells = {
        R.Name.str(), libraryTitle(R.Library).str(),
        catalogue::name(R.Wait).str(), phrase(R.Target).str()};
    if (Calibration)
      Cells.push_back(waitedOf(Measured.of(R)));
    Table.addRow(std::move(Cells));
  }
  Table.printAligned(Out, Style.Width, Style.Color);
}
