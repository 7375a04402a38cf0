// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The summary of an audit, for all formats.
#include "audit/Rules.h"
#include "report/SourceLines.h"
#include "report/audit/Audit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace autoprof;
using namespace autoprof::audit;

std::vector<const Finding *> report::sorted(const Audit &A) {
  std::vector<const Finding *> Result;
  for (const Finding &F : A.Findings)
    Result.push_back(&F);
  if (A.Sorting == Order::File || A.Priced)
    return Result; // they are in the order of the source, or of their prices
  // They point into one array: the order of the source among equals.
  llvm::sort(Result, [](const Finding *X, const Finding *Y) {
    return std::tuple(Y->Level, Y->Certainty, X) <
           std::tuple(X->Level, X->Certainty, Y);
  });
  return Result;
}

std::string report::severityText(const Finding &F) {
  std::string Result = name(F.Level).str();
  if (F.Certainty != Confidence::High)
    Result += ", confidence " + name(F.Certainty).str();
  return Result;
}

std::string report::SeverityCounts::text() const {
  std::string Result;
  for (Severity S : Worst)
    if (of(S))
      Result += (Result.empty() ? "" : ", ") + llvm::utostr(of(S)) + " " +
                name(S).str();
  return Result;
}

std::vector<report::RuleCount> report::byRule(const Audit &A) {
  std::vector<RuleCount> Result;
  for (const Rule &R : rules()) {
    RuleCount Count{R.Name, R.Doc, {}};
    for (const Finding &F : A.Findings)
      if (F.Rule == R.Name)
        Count.Counts.add(F.Level);
    if (Count.Counts.total())
      Result.push_back(Count);
  }
  llvm::sort(Result, [](const RuleCount &X, const RuleCount &Y) {
    for (Severity S : SeverityCounts::Worst)
      if (X.Counts.of(S) != Y.Counts.of(S))
        return X.Counts.of(S) > Y.Counts.of(S);
    return X.Rule < Y.Rule;
  });
  return Result;
}

report::SilentCounts report::silentCounts(const Audit &A) {
  SilentCounts Result;
  std::array<unsigned, SilenceKinds> Counts{};
  for (const LinkedSite *S : A.Sites) {
    Result.Waiting += catalogue::mayWait(S->Effects.Wait);
    if (auto Why = A.Silent.find(S); Why != A.Silent.end()) {
      ++Result.Silent;
      ++Counts[unsigned(Why->second)];
    }
  }
  for (unsigned I = 0; I < SilenceKinds; ++I)
    if (Counts[I])
      Result.Reasons.push_back({Silence(I), Counts[I]});
  return Result;
}

std::string report::silentSentence(const SilentCounts &C) {
  return llvm::utostr(C.Waiting) +
         (C.Waiting == 1 ? " call waits or may wait, "
                         : " calls wait or may wait, ") +
         llvm::utostr(C.Silent) + " of them not reported";
}

std::string report::auditSummary(const Audit &A) {
  SeverityCounts Counts;
  for (const Finding &F : A.Findings)
    Counts.add(F.Level);
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << A.Findings.size()
     << (A.Findings.size() == 1 ? " finding" : " findings");
  if (Counts.total())
    OS << " (" << Counts.text() << ')';
  const unsigned Waiting = silentCounts(A).Waiting;
  OS << "; " << Waiting << " of " << A.Sites.size()
     << (A.Sites.size() == 1 ? " call" : " calls")
     << (Waiting == 1 ? " waits or may wait" : " wait or may wait");
  // One call may have several findings, so these are not numbers of calls.
  auto CountFindings = [&](size_t Number, const llvm::Twine &How) {
    if (Number)
      OS << "; " << Number << (Number == 1 ? " finding " : " findings ") << How;
  };
  CountFindings(A.Accepted.size(), "accepted by " + A.BaselineFile);
  CountFindings(A.Silenced.size(), "silenced by comments");
  auto Count = [&](auto State, const char *Words) {
    const size_t Number = llvm::count_if(
        A.Files, [=](const AuditFile &F) { return F.State == State; });
    if (Number)
      OS << "; " << Number << (Number == 1 ? " file " : " files ") << Words;
  };
  Count(AuditFile::Partly, "read in part");
  Count(AuditFile::NotRead, "not read");
  // Otherwise this looks like a source without waits.
  if (A.Sites.empty() && !unread(A).empty())
    OS << ": nothing could be checked; fix the errors, or check that -p names "
          "the build folder";
  return Text;
}

const report::SilencedNow *report::silencedNow(const Audit &A,
                                               const AcceptedFinding &E) {
  SourceLines Source;
  // A comment on the line of the call changes the fingerprint.
  auto IsSame = [&](const Finding &F) {
    return F.Fingerprint == E.Fingerprint ||
           (F.Rule == E.Rule && !E.Code.empty() &&
            (F.Location.File == E.File ||
             llvm::StringRef(F.Location.File).ends_with("/" + E.File)) &&
            (!F.Site || A.P.functionOf(*F.Site).Name == E.Function) &&
            Source.line(F.Location.File, F.Location.Line)
                .trim()
                .starts_with(E.Code));
  };
  auto Found = llvm::find_if(
      A.Silenced, [&](const SilencedNow &S) { return IsSame(S.Finding); });
  return Found == A.Silenced.end() ? nullptr : &*Found;
}

/// Why an entry of the baseline has no finding.
static std::string whyStale(const report::Audit &A, const AcceptedFinding &E) {
  const report::SilencedNow *S = report::silencedNow(A, E);
  return S ? "is now silenced by the comment at " +
                 A.P.shownPath(S->Finding.Location) + ":" +
                 llvm::utostr(S->By.Line)
           : "is not found any more";
}

std::vector<std::string> report::stale(const Audit &A) {
  std::vector<std::string> Result;
  for (const AcceptedFinding &E : A.Stale) {
    std::string Text = A.BaselineFile + ": " + E.Rule + " in " + E.File;
    if (!E.Function.empty())
      Text += ", " + E.Function;
    if (!E.Code.empty())
      Text += ": '" + E.Code + "'";
    Result.push_back(Text + " " + whyStale(A, E) + "; --update removes it");
  }
  return Result;
}

std::string report::describe(const UnknownRule &U) {
  return U.Marker + " has no effect: " +
         (llvm::StringRef(U.Name).contains('*') ? "no rule matches '"
                                                : "there is no rule '") +
         U.Name + "'" +
         (U.Nearest.empty() ? "; 'autoprof audit --list-checks' lists them"
                            : "; did you mean '" + U.Nearest + "'?");
}

std::string report::describe(const UnusedComment &U) {
  return "autoprof:allow" + (U.Rules == "*" ? "" : "(" + U.Rules + ")") +
         " silences no finding; remove it if it is no longer needed";
}

std::vector<report::UnreadLine> report::unread(const Audit &A,
                                               size_t MostPerFile) {
  std::vector<UnreadLine> Lines;
  for (const AuditFile &F : A.Files) {
    if (F.State == AuditFile::Read)
      continue;
    const bool Partly = F.State == AuditFile::Partly;
    Lines.push_back(
        {F.File, (Partly ? "read in part: " : "not read: ") + F.Error});
    const size_t Shown = std::min(F.Functions.size(), MostPerFile);
    for (const source::Skipped &Function :
         llvm::ArrayRef(F.Functions).take_front(Shown))
      Lines.push_back({Function.Location.File + ":" +
                           std::to_string(Function.Location.Line),
                       Function.Function + " was skipped: " + Function.Reason});
    if (const size_t More = F.Functions.size() - Shown)
      Lines.push_back({F.File, llvm::utostr(More) +
                                   (More == 1 ? " more function was"
                                              : " more functions were") +
                                   " skipped, which --format=json lists; the "
                                   "first error is often the cause of others"});
  }
  return Lines;
}
