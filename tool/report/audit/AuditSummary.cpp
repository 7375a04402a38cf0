// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The summary of an audit, for all formats.
#include "audit/Finding.h"
#include "report/audit/Audit.h"
#include "support/Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>
#include <set>

using namespace autoprof;
using namespace autoprof::audit;

std::vector<report::LoopFindings> report::byLoop(const Audit &A) {
  std::map<int, std::vector<const Finding *>> Found, Others;
  std::vector<int> Numbers;
  for (const Finding &F : A.Findings) {
    for (const Finding &Other : F.Elsewhere)
      if (Other.Loop != F.Loop)
        Others[Other.Loop].push_back(&Other);
    std::vector<const Finding *> &Known = Found[F.Loop];
    if (Known.empty())
      Numbers.push_back(F.Loop);
    Known.push_back(&F);
  }
  // Wrong results come before lost time.
  llvm::stable_sort(Numbers, [&](int X, int Y) {
    return A.Priced ? X < 0 && Y >= 0 : X < Y;
  });
  std::vector<LoopFindings> Result;
  for (const int Number : Numbers) {
    std::vector<const Finding *> &All = Found[Number];
    if (!A.Priced)
      llvm::stable_sort(All, [](const Finding *X, const Finding *Y) {
        return X->Loop < 0 ? std::tie(Y->Level, Y->Certainty) <
                                 std::tie(X->Level, X->Certainty)
                           : X->Order < Y->Order;
      });
    Result.push_back({Number < 0 ? nullptr : &A.Loops[Number], std::move(All),
                      std::move(Others[Number])});
  }
  return Result;
}

static std::string times(unsigned N) {
  return N == 1 ? "once" : N == 2 ? "twice" : llvm::utostr(N) + " times";
}

static llvm::StringRef kindOf(const Loop &L) {
  constexpr llvm::StringLiteral Words[] = {
      "The loop", "The set-up loop", "The loop of an example",
      "The loop of a benchmark", "The loop of a test"};
  return Words[unsigned(L.Kind)];
}

/// "waits 5 times in each iteration, twice under conditions, and makes 1 slow
/// call".
static std::string whatWaits(const report::LoopFindings &L) {
  unsigned Always = 0, Under = 0, Idle = 0, Slow = 0;
  for (const Finding *F : llvm::concat<const Finding *const>(L.All, L.Others))
    (!catalogue::mayWait(F->Site->Effects.Wait) ? Slow
     : F->HowOften != Frequency::Each           ? Under
     : !F->Pending ? Idle
                   : Always) += 1 + unsigned(F->Also.size());
  std::vector<std::string> Parts;
  auto Add = [&](unsigned N, const char *When) {
    if (N)
      Parts.push_back((Parts.empty() ? "waits " : "") + times(N) + When);
  };
  Add(Always, " in each iteration");
  Add(Under, " under conditions");
  Add(Idle, " with nothing queued");
  if (Slow)
    Parts.push_back("makes " + llvm::utostr(Slow) +
                    (Slow == 1 ? " slow call" : " slow calls"));
  const std::string Last = Parts.back();
  Parts.pop_back();
  return Parts.empty() ? Last : llvm::join(Parts, ", ") + ", and " + Last;
}

std::string report::describe(const Audit &A, const LoopFindings &L) {
  if (!L.In)
    return "Other than waits in loops";
  const Loop &In = *L.In;
  return kindOf(In).str() + " at " + A.P.shownPath(In.Location) + ":" +
         llvm::utostr(In.Location.Line) + " (" + In.Function + ", " +
         (In.LaunchSites ? plural(In.LaunchSites, "launch site")
                         : "records events") +
         (In.Minor  ? ", less than a tenth of the program's largest loop) "
          : In.Rare ? ", in only some iterations of a loop around it) "
                    : ") ") +
         whatWaits(L);
}

std::vector<std::string> report::elsewhere(const Audit &A, const Finding &F) {
  constexpr size_t Most = 3;
  std::vector<std::string> Result;
  std::set<int> Named = {F.Loop};
  for (const Finding &Other : F.Elsewhere)
    if (Named.insert(Other.Loop).second && Result.size() < Most) {
      const Loop &In = A.Loops[Other.Loop];
      Result.push_back("also in the loop at " + A.P.shownPath(In.Location) +
                       ":" + llvm::utostr(In.Location.Line) + " (" +
                       In.Function + "; " + severityText(Other) + ")");
    }
  if (const size_t More = Named.size() - 1 - Result.size())
    Result.push_back("and in " + llvm::utostr(More) +
                     (More == 1 ? " more loop" : " more loops"));
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
  SeverityCounts InLoops, Others;
  std::set<int> Loops;
  for (const Finding &F : A.Findings) {
    (F.Loop < 0 ? Others : InLoops).add(F.Level);
    if (F.Loop >= 0)
      Loops.insert(F.Loop);
    for (const Finding &Other : F.Elsewhere)
      Loops.insert(Other.Loop);
  }
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  if (Others.total() || Loops.empty())
    OS << Others.total() << (Loops.empty() ? "" : " other")
       << (Others.total() == 1 ? " finding" : " findings");
  if (Others.total())
    OS << " (" << Others.text() << ')';
  if (!Loops.empty())
    OS << (Others.total() ? "; " : "") << Loops.size()
       << (Loops.size() == 1 ? " launching loop waits: "
                             : " launching loops wait: ")
       << InLoops.text();
  const unsigned Waiting = silentCounts(A).Waiting;
  OS << "; " << Waiting << " of " << A.Sites.size()
     << (A.Sites.size() == 1 ? " call" : " calls")
     << (Waiting == 1 ? " waits or may wait" : " wait or may wait");
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
  auto Found = llvm::find_if(A.Silenced, [&](const SilencedNow &S) {
    return S.Finding.Fingerprint == E.Fingerprint;
  });
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
  return std::string("autoprof:allow has no effect: ") +
         (llvm::StringRef(U.Name).contains('*') ? "no rule matches '"
                                                : "there is no rule '") +
         U.Name + "'" +
         (U.Nearest.empty() ? "; 'autoprof audit --list-checks' lists them"
                            : "; did you mean '" + U.Nearest + "'?");
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
