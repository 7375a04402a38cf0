// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One call, and all of them by library, which is docs/catalogue.md. Calls that
// never wait need no table and are listed, by source.
#include "report/Format.h"
#include "report/catalogue/Formats.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::catalogue;
using llvm::StringRef;

namespace {

bool isSilent(const Row &General) {
  return General.Wait == Waits::No && conditional(General).empty();
}

List conditions(const Row &General) {
  List L;
  for (const Row &R : conditional(General))
    L.Items.push_back(describe(R.Condition) + ": " + outcome(R.Wait, R.Target) +
                      (R.Reason.empty() ? "" : "; " + R.Reason.str()));
  return L;
}

std::vector<Table::Column> measuredColumns() {
  return {{"measured", true},
          {"idle"},
          {"own stream"},
          {"other non-blocking"},
          {"other blocking"},
          {"legacy"},
          {"waited for", true, true, true}};
}

std::vector<std::string> measuredCells(const Seen &S, std::string Name) {
  std::vector<std::string> Cells = {std::move(Name), hostTime(S.O->IdleNs)};
  for (std::optional<int64_t> Ns : S.O->BehindNs)
    Cells.push_back(hostTime(Ns));
  Cells.push_back(S.Says ? phrase(S.Says->Target).str() : "unknown");
  return Cells;
}

void addMeasured(Table &T, const Seen &S, std::string Name) {
  T.addRow(measuredCells(S, std::move(Name)));
  if (!S.O->Error.empty())
    T.addNote("not measured: " + S.O->Error);
}

constexpr StringRef HowMeasured =
    "Host time in the call, best of several: with an idle GPU, and after "
    "queued work on the call's own stream, or on another one that is "
    "non-blocking, blocking, or the legacy default stream. If the time is "
    "longer than idle by about the time of that work, the call waited for it.";

/// What was measured on one machine; the first ones are those that were
/// measured first, the usual ones.
Table measurements(const Row &General, const Semantics &Machine, bool All) {
  Table T(measuredColumns());
  ObservationIndex Measured(&Machine);
  const llvm::ArrayRef<Seen> Known = Measured.of(General);
  std::vector<Seen> Rows(Known.begin(), Known.end());
  if (All)
    llvm::stable_sort(Rows, [](const Seen &A, const Seen &B) {
      return arguments(*A.O).compare_numeric(arguments(*B.O)) < 0;
    });
  for (const Seen &S : Rows)
    addMeasured(T, S, arguments(*S.O).str());
  T.Limit = 6;
  T.LeastWidth = All ? 130 : 0; // whole labels, where all are asked for
  T.HowToSee = "--details lists them";
  return T;
}

/// The user's machine, and the others.
void addMeasurements(Document &D, const CallInput &Call, bool All) {
  bool Any = false;
  for (const Semantics *Machine : calibrations(Call.Calibration)) {
    const bool IsUsers = Machine == Call.Calibration;
    Table T = measurements(Call.General, *Machine, All);
    if (T.empty()) {
      if (IsUsers)
        D.section("").say("Not measured here.");
      continue;
    }
    Section &S = D.section((IsUsers ? "Measured here, " : "Measured on ") +
                           machine(*Machine));
    S.say(fmt::format("Queued work of {}.", duration(Machine->QueuedNs)),
          Paragraph::Note);
    S.add(std::move(T));
    Any = true;
  }
  D.section("").say(Any ? HowMeasured : StringRef("Not measured."),
                    Paragraph::Note);
}

} // namespace

Document report::callDocument(const CallInput &Call, const TextStyle &Style) {
  const Row &R = Call.General;
  Document D;
  D.Title = Call.Asked;
  D.Origin = fmt::format(
      "{} ({}, {}{})", Call.Asked, libraryTitle(R.Library), name(R.Class),
      R.Name.ends_with("*") ? "; as all of " + R.Name.str() : "");
  D.Answer.say(summary(R), Paragraph::Answer);
  if (List L = conditions(R); !L.Items.empty()) {
    D.Answer.say("By " + whatDecides(R) + ", the first that fits:");
    D.Answer.add(std::move(L));
  }
  for (const std::string &Note : callNotes(Call))
    D.Answer.say(Note);
  D.Answer.say(insteadText(Call));
  D.Answer.say("Source: " + R.Source.str() + ".");
  addMeasurements(D, Call, Style.All);
  List Differ;
  for (const Difference &One : differencesOf(Call))
    Differ.Items.push_back(callAndArguments(*One.O) + ": " + contrast(One) +
                           ".");
  D.section("What was measured here and the built-in table differ")
      .add(std::move(Differ));
  List Documented;
  for (const Disagreement &One : disagreementsOf(R.Name)) {
    Documented.Items.push_back("documented: " + One.Documented.str());
    Documented.Items.push_back("measured: " + One.Measured.str());
  }
  D.section("Documentation and measurement differ").add(std::move(Documented));
  return D;
}

namespace {

using Line = std::vector<std::string>;

/// All cells of a row but the first.
Line cellsOf(const Row &R, const Row &General,
             const ObservationIndex &Observations) {
  std::string Condition = describe(R.Condition);
  if (R.General)
    Condition =
        conditional(R).empty() ? "any arguments" : "arguments not known";
  return {Condition,
          catalogue::name(R.Wait).str(),
          phrase(R.Target).str(),
          R.Reason.str(),
          R.Wait == Waits::No ? "" : General.Replacement.str(),
          R.Source.str(),
          waitedOf(Observations.under(R))};
}

/// The rows of a call without its name.
std::vector<Line> linesOf(const Row &General,
                          const ObservationIndex &Observations) {
  std::vector<Line> Result;
  for (const Row &R : conditional(General))
    Result.push_back(cellsOf(R, General, Observations));
  Result.push_back(cellsOf(General, General, Observations));
  return Result;
}

/// Calls with equal lines share them.
Table callTable(llvm::ArrayRef<const Row *> Calls,
                const ObservationIndex &Observations) {
  std::vector<std::pair<std::string, std::vector<Line>>> Groups;
  for (const Row *R : Calls) {
    std::vector<Line> Lines = linesOf(*R, Observations);
    auto Match = llvm::find_if(
        Groups, [&](const auto &Group) { return Group.second == Lines; });
    if (Match == Groups.end())
      Groups.push_back({R->Name.str(), std::move(Lines)});
    else
      Match->first += ", " + R->Name.str();
  }
  Table T({{"call", true, true, false, /*IsCode=*/true},
           {"when", true},
           {"waits", true},
           {"for", true},
           {"why", true, true, true},
           {"instead", true, true, true},
           {"source", true, true, true},
           {"measured", true}});
  for (auto &[Names, Lines] : Groups)
    for (size_t I = 0; I < Lines.size(); ++I) {
      Lines[I].insert(Lines[I].begin(), I ? "" : Names);
      T.addRow(std::move(Lines[I]));
    }
  return T;
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

void addLibrary(Document &D, StringRef Title, llvm::ArrayRef<const Row *> Calls,
                const ObservationIndex &Measured) {
  std::vector<const Row *> Speaking;
  llvm::MapVector<StringRef, std::string> SilentBySource;
  for (const Row *R : Calls)
    if (!isSilent(*R)) {
      Speaking.push_back(R);
    } else {
      std::string &Names = SilentBySource[R->Source];
      Names += (Names.empty() ? "" : ", ") + R->Name.str();
    }
  Section &S = D.section(Title.str(), "library-" + Title.str());
  S.add(callTable(Speaking, Measured));
  for (const auto &[Source, Names] : SilentBySource)
    S.say(Phrase("Never wait (" + Source.str() + "): ") + code(Names) + ".");
}

void addIntroduction(Document &D, const CallsByLibrary &Libraries) {
  D.Answer.say(
      "For each call that a CUDA C++ program may make: whether the CPU "
      "waits in it for GPU work queued earlier, for which work, and "
      "what to use instead.");
  D.Answer.say(Phrase("") + code("autoprof explain CALL") +
               " prints one call. This page is printed by " +
               code("autoprof explain --all --format=markdown") + " from " +
               code("tool/catalogue/*.def") + "; change it there.");
  D.Answer.add(report::Facts{
      {{"waits",
        "yes, no, maybe (the column why names what it depends on), or slow (it "
        "does not wait for the GPU, but takes long on the CPU)"},
       {"for",
        "its stream is the one the call is given, or else the default stream. "
        "The legacy default stream comes after the work of all blocking "
        "streams, not of non-blocking ones. The whole device is every stream, "
        "non-blocking ones included"},
       {"when", "of the rows of a call the first that fits holds. The last one "
                "holds when nothing is known of its arguments"},
       {"source", "documented, measured, or assumed with the reason. What was "
                  "measured wins"},
       {"measured", "how many kinds of arguments made the call wait; the times "
                    "are under Measurements"},
       {"*", "a name that ends with it matches all calls whose names begin "
             "so"}}});
  Table T({{"library", true}, {"calls"}});
  for (const auto &[Title, Calls] : Libraries)
    T.addRow({Title.str(), llvm::utostr(Calls.size())});
  D.section("Libraries").add(std::move(T));
}

/// The results of one calibration, and where the catalogue differs.
void addCalibration(Document &D, const Semantics &S) {
  Section &Part = D.section(
      machine(S) +
          (S.Made.empty() ? "" : ", " + StringRef(S.Made).take_front(10).str()),
      "", Shown::InFull);
  Part.IsPart = true;
  std::vector<Difference> Different = differences(S);
  const size_t Known = llvm::count_if(S.Observations, [&](const auto &O) {
    return lookup(O.Call) && verdict(O, S.QueuedNs);
  });
  Part.say(fmt::format("{} of {} are answered as measured{}",
                       Known - Different.size(), Known,
                       Different.empty() ? "." : ". The others:"));
  List Others;
  for (const Difference &One : Different) {
    const Explanation *E = explanation(*One.O);
    Others.Items.push_back(code(One.O->Call) + ", " + arguments(*One.O).str() +
                           ": " + contrast(One) + "." +
                           (E ? " " + E->Reason.str() : ""));
  }
  Part.add(std::move(Others));
  Table T(measuredColumns());
  for (const Observation &O : S.Observations)
    addMeasured(T, {&S, &O, verdict(O, S.QueuedNs)}, callAndArguments(O));
  Part.add(std::move(T));
}

} // namespace

Document report::catalogueDocument(const CatalogueInput &About,
                                   const TextStyle &) {
  Document D;
  D.Title = "What calls do to the CPU";
  const CallsByLibrary Libraries = callsByLibrary();
  const ObservationIndex Measured(calibrations(About.Calibration));
  addIntroduction(D, Libraries);
  Table Differ({{"call", true, true, false, /*IsCode=*/true},
                {"documented", true, true},
                {"measured", true, true}});
  for (const Disagreement &One : disagreements())
    Differ.addRow({One.Name.str(), One.Documented.str(), One.Measured.str()});
  D.section("Where documentation and measurement differ", "", Shown::InFull)
      .add(std::move(Differ));
  for (const auto &[Title, Calls] : Libraries)
    addLibrary(D, Title, Calls, Measured);
  D.section("Measurements", "measurements", Shown::InFull)
      .say(fmt::format("{} The queued work takes {}. docs/calibrate.md says "
                       "where they come from.",
                       HowMeasured, duration(shipped().front().QueuedNs)));
  for (const Semantics *S : calibrations(About.Calibration))
    addCalibration(D, *S);
  return D;
}

Document report::catalogueOverview(const CatalogueInput &About,
                                   const TextStyle &) {
  Document D;
  D.Title = "What calls do to the CPU";
  std::vector<Table::Column> Columns = {
      {"call", true}, {"library", true}, {"waits", true}, {"for", true}};
  if (About.Calibration)
    Columns.push_back({"here", true});
  Table T(std::move(Columns));
  const ObservationIndex Measured = About.Calibration
                                        ? ObservationIndex({About.Calibration})
                                        : ObservationIndex({});
  for (const Row &R : rows()) {
    if (!R.General)
      continue;
    Table::Row &Line =
        T.addRow({R.Name.str(), libraryTitle(R.Library).str(),
                  catalogue::name(R.Wait).str(), phrase(R.Target).str()});
    if (About.Calibration)
      Line.Cells.push_back(waitedOf(Measured.of(R)));
  }
  D.section("").add(std::move(T));
  return D;
}
