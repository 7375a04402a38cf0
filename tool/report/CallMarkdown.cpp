// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One call, and docs/catalogue.md: all of them by library. Calls that never
// wait have nothing to say in a table and stand as lists, by source.
#include "report/Calls.h"
#include "report/TextTable.h"

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

/// "4 of 4 waited", "0 of 1 waited", "".
std::string measuredCell(const Row &R) {
  std::vector<const Measurement *> All = measurementsOf(R);
  if (All.empty())
    return "";
  size_t Waited =
      llvm::count_if(All, [](const Measurement *M) { return M->waited(); });
  return std::to_string(Waited) + " of " + std::to_string(All.size()) +
         " waited";
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
Line cellsOf(const Row &R, const Row &General) {
  std::string When = describe(R.When);
  if (R.General)
    When = conditional(R).empty() ? "any arguments" : "arguments not known";
  StringRef Instead = R.Wait == Waits::No ? "" : General.Replacement;
  return {When,
          catalogue::name(R.Wait).str(),
          phrase(R.Target).str(),
          escapeMarkdown(R.Why),
          escapeMarkdown(Instead),
          escapeMarkdown(R.Source),
          measuredCell(R)};
}

/// The rows of a call without its name.
std::vector<Line> linesOf(const Row &General) {
  std::vector<Line> Result;
  for (const Row &R : conditional(General))
    Result.push_back(cellsOf(R, General));
  Result.push_back(cellsOf(General, General));
  return Result;
}

/// Calls of which the same is said share their lines.
void printCalls(llvm::raw_ostream &Out, llvm::ArrayRef<const Row *> Calls) {
  std::vector<std::pair<std::string, std::vector<Line>>> Groups;
  for (const Row *R : Calls) {
    std::vector<Line> Lines = linesOf(*R);
    auto Same = llvm::find_if(
        Groups, [&](const auto &Group) { return Group.second == Lines; });
    if (Same == Groups.end())
      Groups.push_back({code(R->Name), std::move(Lines)});
    else
      Same->first += ", " + code(R->Name);
  }
  printHead(Out, callTitles());
  for (auto &[Names, Lines] : Groups)
    for (size_t I = 0; I < Lines.size(); ++I) {
      Lines[I].insert(Lines[I].begin(), I ? "" : Names);
      printLine(Out, Lines[I]);
    }
}

void printMeasurements(llvm::raw_ostream &Out, const Row *Only) {
  printHead(Out,
            {"call", "measured", "idle", "own stream", "other non-blocking",
             "other blocking", "legacy", "waited for"});
  for (const Measurement &M : measurements())
    if (!Only || M.Name == Only->Name)
      printLine(Out, {code(M.Name), escapeMarkdown(arguments(M)),
                      hostTime(M.Idle), hostTime(M.OwnStream),
                      hostTime(M.OtherNonBlocking), hostTime(M.OtherBlocking),
                      hostTime(M.LegacyStream), phrase(M.target()).str()});
}

bool isMeasured(const Row &General) {
  return llvm::any_of(measurements(), [&](const Measurement &M) {
    return M.Name == General.Name;
  });
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
         "- **waits**: *yes*, *no*, *maybe* (it depends on what stands under "
         "why) or *slow* (it does\n"
         "  not wait for the GPU, and takes long on the CPU).\n"
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
         "- **measured**: on "
      << machine()
      << ";\n"
         "  the times are under [Measurements](#measurements).\n"
         "- A name that ends with `*` stands for all calls whose names begin "
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

bool isAnsweredAsMeasured(const Measurement &M) {
  Answer A = ask(*lookup(M.Name), M.With);
  return mayWait(A.Wait) == M.waited() && A.Wait != Waits::Maybe;
}

void printAnswered(llvm::raw_ostream &Out) {
  size_t Same = llvm::count_if(measurements(), isAnsweredAsMeasured);
  Out << "\n## Measurements\n\n"
      << Same << " of " << measurements().size()
      << " are answered as measured. The others:\n\n"
         "- `2000 launches (queue depth)`: a launch is said not to wait. With "
         "about 1,000 operations queued it\n"
         "  waits for a free slot, not for a result: the CPU is as far ahead "
         "as it can be, which is no finding.\n"
         "\n"
         "Two lines of the raw data time no call and are left out: a read of "
         "managed memory on the host, and the\n"
         "final check for errors.\n"
         "\n"
         "Host time in the call on "
      << machine()
      << ",\n"
         "best of two or three: with an idle GPU, and behind 20 ms of work on "
         "the call's own stream, a\n"
         "non-blocking one, and on other streams. About 20 ms more than idle "
         "means that the call waited for that work.\n"
         "\n";
  printMeasurements(Out, nullptr);
}

} // namespace

void report::writeCallMarkdown(llvm::raw_ostream &Out, const CallInput &Call) {
  const Row &R = Call.General;
  Out << "# " << code(Call.Asked) << "\n\n"
      << libraryTitle(R.Library) << ", " << catalogue::name(R.Class) << ". "
      << escapeMarkdown(summary(R)) << "\n\n";
  printCalls(Out, {&R});
  Out << "\n## Measured on " << machine() << "\n\n";
  if (isMeasured(R))
    printMeasurements(Out, &R);
  else
    Out << "Not measured.\n";
  for (const std::string &Sentence : differences(R.Name))
    Out << "\nDocumentation and measurement differ. "
        << escapeMarkdown(Sentence) << '\n';
}

void report::writeCatalogueMarkdown(llvm::raw_ostream &Out) {
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
      printCalls(Out, Speaking);
    }
    printSilent(Out, Calls);
  }
  printAnswered(Out);
}
