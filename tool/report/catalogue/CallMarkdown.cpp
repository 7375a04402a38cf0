// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One call, and docs/catalogue.md: all of them by library. Calls that never
// wait need no table and are listed, by source.
#include "report/Format.h"
#include "report/TextTable.h"
#include "report/catalogue/Calls.h"
#include "report/catalogue/Formats.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::catalogue;
using llvm::StringRef;

namespace {

bool isSilent(const Row &General) {
  return General.Wait == Waits::No && conditional(General).empty();
}

/// A line of a table; the cells are Markdown.
void printLine(llvm::raw_ostream &Out, llvm::ArrayRef<std::string> Cells) {
  for (const std::string &Cell : Cells)
    Out << "| " << Cell << ' ';
  Out << "|\n";
}

void printHead(llvm::raw_ostream &Out, llvm::ArrayRef<std::string> Titles) {
  printLine(Out, Titles);
  for (size_t I = 0; I < Titles.size(); ++I)
    Out << "|---";
  Out << "|\n";
}

std::string code(StringRef Name) { return ("`" + Name + "`").str(); }

using Line = std::vector<std::string>;

Line callTitles() {
  return {"call", "when",    "waits",  "for",
          "why",  "instead", "source", "measured"};
}

/// All cells of a row but the first.
Line cellsOf(const Row &R, const Row &General,
             const ObservationIndex &Observations, bool WithInstead) {
  std::string Condition = describe(R.Condition);
  if (R.General)
    Condition =
        conditional(R).empty() ? "any arguments" : "arguments not known";
  StringRef Instead =
      R.Wait == Waits::No || !WithInstead ? "" : General.Replacement;
  return {Condition,
          catalogue::name(R.Wait).str(),
          phrase(R.Target).str(),
          escapeMarkdown(R.Reason),
          escapeMarkdown(Instead),
          escapeMarkdown(R.Source),
          waitedOf(Observations.under(R))};
}

/// The rows of a call without its name.
std::vector<Line> linesOf(const Row &General,
                          const ObservationIndex &Observations,
                          bool WithInstead) {
  std::vector<Line> Result;
  for (const Row &R : conditional(General))
    Result.push_back(cellsOf(R, General, Observations, WithInstead));
  Result.push_back(cellsOf(General, General, Observations, WithInstead));
  return Result;
}

/// Calls with equal lines share them. `WithInstead`: the column has the advice
/// for C++.
void printCalls(llvm::raw_ostream &Out, llvm::ArrayRef<const Row *> Calls,
                const ObservationIndex &Observations, bool WithInstead = true) {
  std::vector<std::pair<std::string, std::vector<Line>>> Groups;
  for (const Row *R : Calls) {
    std::vector<Line> Lines = linesOf(*R, Observations, WithInstead);
    auto Match = llvm::find_if(
        Groups, [&](const auto &Group) { return Group.second == Lines; });
    if (Match == Groups.end())
      Groups.push_back({code(R->Name), std::move(Lines)});
    else
      Match->first += ", " + code(R->Name);
  }
  printHead(Out, callTitles());
  for (auto &[Names, Lines] : Groups)
    for (size_t I = 0; I < Lines.size(); ++I) {
      Lines[I].insert(Lines[I].begin(), I ? "" : Names);
      printLine(Out, Lines[I]);
    }
}

Line measuredTitles() {
  return {"call",       "measured",           "idle",
          "own stream", "other non-blocking", "other blocking",
          "legacy",     "waited for"};
}

Line measuredLine(const Seen &S) {
  Line Result = {code(S.O->Call), escapeMarkdown(arguments(*S.O)),
                 hostTime(S.O->IdleNs)};
  for (std::optional<int64_t> Ns : S.O->BehindNs)
    Result.push_back(hostTime(Ns));
  Result.push_back(!S.O->Error.empty() ? escapeMarkdown(S.O->Error)
                   : S.Says            ? phrase(S.Says->Target).str()
                                       : "unknown");
  return Result;
}

/// "#cuda-runtime"; as GitHub makes it of a heading.
std::string anchor(StringRef Heading) {
  std::string Result = "#";
  for (char C : Heading)
    if (llvm::isAlnum(C) || C == '-')
      Result += llvm::toLower(C);
    else if (C == ' ')
      Result += '-';
  return Result;
}

using CallsByLibrary =
    llvm::MapVector<StringRef, llvm::SmallVector<const Row *, 0>>;

CallsByLibrary callsByLibrary() {
  CallsByLibrary Result;
  for (const Row &R : rows())
    if (R.General)
      Result[libraryTitle(R.Library)].push_back(&R);
  return Result;
}

void printSilent(llvm::raw_ostream &Out, llvm::ArrayRef<const Row *> Calls) {
  llvm::MapVector<StringRef, std::string> BySource;
  for (const Row *R : Calls)
    if (isSilent(*R)) {
      std::string &List = BySource[R->Source];
      List += (List.empty() ? "`" : ", `") + R->Name.str() + "`";
    }
  for (const auto &[Source, List] : BySource)
    Out << "\nNever wait (" << escapeMarkdown(Source) << "): " << List << ".\n";
}

void printIntroduction(llvm::raw_ostream &Out,
                       const CallsByLibrary &Libraries) {
  Out << "# What calls do to the CPU\n"
         "\n"
         "For each call that a CUDA C++ program may make: does the CPU wait in "
         "it for GPU work\n"
         "queued earlier, for which work, and what to use instead. `autoprof "
         "explain CALL` prints one\n"
         "call. This page is printed by `autoprof explain --all "
         "--format=markdown` from\n"
         "`tool/catalogue/*.def`; change it there.\n"
         "\n"
         "- **waits**: *yes*, *no*, *maybe* (the column why names what it "
         "depends on), or *slow* (it does\n"
         "  not wait for the GPU, but takes long on the CPU).\n"
         "- **for**: *its stream* is the one the call is given, or else the "
         "default stream. The legacy default\n"
         "  stream comes after the work of all blocking streams, not of "
         "non-blocking ones. *The whole device* is\n"
         "  every stream, non-blocking ones included.\n"
         "- **when**: of the rows of a call the first that fits holds. The "
         "last one holds when nothing\n"
         "  is known of its arguments.\n"
         "- **source**: *documented*, *measured*, or *assumed* with the "
         "reason. "
         "What was measured wins.\n"
         "- **measured**: how many kinds of arguments made the call wait; the "
         "times are under [Measurements](#measurements).\n"
         "- A name that ends with `*` matches all calls whose names begin "
         "so.\n"
         "\n"
         "| library | calls |\n|---|--:|\n";
  for (const auto &[Title, Calls] : Libraries)
    Out << "| [" << Title << "](" << anchor(Title) << ") | " << Calls.size()
        << " |\n";
}

void printDisagreements(llvm::raw_ostream &Out) {
  Out << "\n## Where documentation and measurement differ\n\n";
  printHead(Out, {"call", "documented", "measured"});
  for (const Disagreement &D : disagreements())
    printLine(Out, {code(D.Name), escapeMarkdown(D.Documented),
                    escapeMarkdown(D.Measured)});
}

/// The results of one calibration, and where the catalogue differs.
void printCalibration(llvm::raw_ostream &Out, const Semantics &S) {
  Out << "\n### " << machine(S);
  if (!S.Made.empty())
    Out << ", " << llvm::StringRef(S.Made).take_front(10);
  Out << "\n\n";
  std::vector<Difference> Different = differences(S);
  size_t Known = llvm::count_if(S.Observations, [&](const Observation &O) {
    return lookup(O.Call) && verdict(O, S.QueuedNs);
  });
  Out << Known - Different.size() << " of " << Known
      << " are answered as measured"
      << (Different.empty() ? ".\n" : ". The others:\n\n");
  for (const Difference &D : Different) {
    Out << "- " << code(D.O->Call) << ", " << escapeMarkdown(arguments(*D.O))
        << ": " << escapeMarkdown(contrast(D)) << '.';
    if (const Explanation *E = explanation(*D.O))
      Out << ' ' << escapeMarkdown(E->Reason);
    Out << '\n';
  }
  Out << '\n';
  printHead(Out, measuredTitles());
  for (const Observation &O : S.Observations)
    printLine(Out, measuredLine({&S, &O, verdict(O, S.QueuedNs)}));
}

void printCalibrations(llvm::raw_ostream &Out, const Semantics *Calibration) {
  Out << "\n## Measurements\n\n"
         "Host time in the call, best of several: with an idle GPU, and after "
         "queued work of "
      << duration(shipped().front().QueuedNs)
      << " on the call's own stream,\n"
         "a non-blocking one, and on other streams. If the time is longer "
         "than idle by about that much, the call waited for that work.\n"
         "[calibrate.md](calibrate.md#measurements-of-calls) says where they "
         "come "
         "from.\n";
  for (const Semantics *S : calibrations(Calibration))
    printCalibration(Out, *S);
}

} // namespace

void report::writeCallMarkdown(llvm::raw_ostream &Out, const CallInput &Call,
                               const TextStyle &) {
  const Row &R = Call.General;
  std::vector<const Semantics *> All = calibrations(Call.Calibration);
  ObservationIndex Measured(All);
  Out << "# " << code(Call.Asked) << "\n\n"
      << libraryTitle(R.Library) << ", " << catalogue::name(R.Class) << ". "
      << escapeMarkdown(summary(R)) << "\n\n";
  // What PyTorch's users are told differs.
  printCalls(Out, {&R}, Measured, /*WithInstead=*/!Call.InPython);
  for (const std::string &Note : callNotes(Call))
    Out << '\n' << escapeMarkdown(Note) << '\n';
  if (Call.InPython)
    Out << '\n' << escapeMarkdown(insteadText(Call)) << '\n';
  if (Measured.of(R).empty())
    Out << "\nNot measured.\n";
  for (const Semantics *S : All) {
    ObservationIndex Only({S});
    if (Only.of(R).empty())
      continue;
    Out << "\n## Measured " << (S == Call.Calibration ? "here, " : "on ")
        << machine(*S) << "\n\n";
    printHead(Out, measuredTitles());
    for (const Seen &Line : Only.of(R))
      printLine(Out, measuredLine(Line));
  }
  for (const Difference &D : differencesOf(Call))
    Out << "\nWhat was measured here and the built-in table differ. "
        << escapeMarkdown(arguments(*D.O)) << ": "
        << escapeMarkdown(contrast(D)) << ".\n";
  for (const Disagreement &D : disagreementsOf(R.Name))
    Out << "\nDocumentation and measurement differ:\n\n- documented: "
        << escapeMarkdown(D.Documented)
        << "\n- measured: " << escapeMarkdown(D.Measured) << '\n';
}

void report::writeCatalogueMarkdown(llvm::raw_ostream &Out,
                                    const CatalogueInput &About,
                                    const TextStyle &) {
  const Semantics *Calibration = About.Calibration;
  ObservationIndex Measured(calibrations(Calibration));
  CallsByLibrary Libraries = callsByLibrary();
  printIntroduction(Out, Libraries);
  printDisagreements(Out);
  for (const auto &[Title, Calls] : Libraries) {
    Out << "\n## " << Title << '\n';
    std::vector<const Row *> Speaking;
    llvm::copy_if(Calls, std::back_inserter(Speaking),
                  [](const Row *R) { return !isSilent(*R); });
    if (!Speaking.empty()) {
      Out << '\n';
      printCalls(Out, Speaking, Measured);
    }
    printSilent(Out, Calls);
  }
  printCalibrations(Out, Calibration);
}
