// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/SourceLines.h"
#include "report/audit/Audit.h"
#include "report/audit/Formats.h"

#include <array>

using namespace autoprof;
using namespace autoprof::audit;
using llvm::raw_ostream;
using llvm::StringRef;

namespace {

class Printer {
  const report::Audit &A;
  raw_ostream &OS;
  bool Color;
  report::SourceLines Source;

public:
  Printer(const report::Audit &A, raw_ostream &OS, bool Color)
      : A(A), OS(OS), Color(Color) {}

  void finding(const Finding &F) {
    // What stands outside loops costs little.
    const bool Weak = F.Level == Severity::Note;
    head(F.Location, Weak ? "remark" : "warning",
         Weak ? raw_ostream::BLUE : raw_ostream::MAGENTA,
         F.Message + " [" + F.Rule + "]");
    excerpt(F.Location);
    for (const PathStep &Step : F.Path)
      note(Step.Location, Step.Description);
    for (const PathStep &Step : F.Notes)
      note(Step.Location, Step.Description);
    if (!F.Replacement.empty())
      note(F.Location, "instead: " + F.Replacement);
  }

private:
  void paint(raw_ostream::Colors C, bool Bold) {
    if (Color)
      OS.changeColor(C, Bold);
  }
  void plain() {
    if (Color)
      OS.resetColor();
  }
  void head(const Place &Position, StringRef Kind, raw_ostream::Colors C,
            const std::string &Text) {
    paint(raw_ostream::SAVEDCOLOR, true);
    OS << A.P.shownPath(Position) << ':' << Position.Line << ':'
       << Position.Column << ": ";
    paint(C, true);
    OS << Kind << ": ";
    plain();
    OS << Text << '\n';
  }
  void note(const Place &Position, const std::string &Text) {
    head(Position, "note", raw_ostream::CYAN, Text);
  }
  void excerpt(const Place &Position) {
    StringRef Line = Source.line(Position.File, Position.Line);
    if (Line.empty())
      return;
    std::string Number = std::to_string(Position.Line);
    const std::string Margin(Number.size(), ' ');
    OS << "  " << Number << " | " << Line << '\n' << "  " << Margin << " | ";
    // Tabs keep their width in the line above.
    for (unsigned I = 0; I + 1 < Position.Column && I < Line.size(); ++I)
      OS << (Line[I] == '\t' ? '\t' : ' ');
    paint(raw_ostream::GREEN, true);
    OS << "^";
    plain();
    OS << '\n';
  }
};

} // namespace

std::vector<const Finding *> report::bySeverity(const Audit &A) {
  std::vector<const Finding *> Result;
  for (const Finding &F : A.Findings)
    Result.push_back(&F);
  // They point into one array: the source's order among equals.
  llvm::sort(Result, [](auto *X, auto *Y) {
    return X->Level != Y->Level ? X->Level > Y->Level : X < Y;
  });
  return Result;
}

std::string report::auditSummary(const Audit &A) {
  std::array<unsigned, 4> Counts{};
  for (const Finding &F : A.Findings)
    ++Counts[unsigned(F.Level)];
  unsigned Waiting = 0;
  for (const LinkedSite *S : A.Sites)
    Waiting += catalogue::mayWait(S->Effects.Wait);
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << A.Findings.size()
     << (A.Findings.size() == 1 ? " finding" : " findings");
  const char *Separator = " (";
  for (unsigned I = Counts.size(); I-- > 0;)
    if (Counts[I]) {
      OS << Separator << Counts[I] << ' ' << name(Severity(I));
      Separator = ", ";
    }
  OS << (A.Findings.empty() ? "" : ")") << " at " << A.Sites.size()
     << " calls, of which " << Waiting << " wait or may wait";
  if (A.Suppressed)
    OS << "; " << A.Suppressed << " silenced by comments";
  auto Count = [&](auto State, const char *Words) {
    const size_t Number = llvm::count_if(
        A.Files, [=](const AuditFile &F) { return F.State == State; });
    if (Number)
      OS << "; " << Number << (Number == 1 ? " file " : " files ") << Words;
  };
  Count(AuditFile::Partly, "read in part");
  Count(AuditFile::NotRead, "not read");
  return Text;
}

std::vector<report::UnreadLine> report::unread(const Audit &A) {
  std::vector<UnreadLine> Lines;
  for (const AuditFile &F : A.Files) {
    if (F.State == AuditFile::Read)
      continue;
    const bool Partly = F.State == AuditFile::Partly;
    Lines.push_back(
        {F.File, (Partly ? "read in part: " : "not read: ") + F.Error});
    for (const source::Skipped &Function : F.Functions)
      Lines.push_back(
          {Function.Location.File + ":" +
               std::to_string(Function.Location.Line),
           Function.Function + " was left out: " + Function.Reason});
  }
  return Lines;
}

void report::writeAuditText(raw_ostream &OS, const Audit &A,
                            const TextStyle &Style) {
  Printer Print(A, OS, Style.Color);
  for (const Finding &F : A.Findings)
    Print.finding(F);
  for (const UnreadLine &L : unread(A))
    OS << L.Place << ": " << L.Reason << '\n';
  OS << auditSummary(A) << '\n';
}
