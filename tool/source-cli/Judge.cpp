// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source-cli/Judge.h"

#include "audit/Finding.h"
#include "audit/Suppress.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>
#include <set>

using namespace autoprof;
using namespace autoprof::sources;
using llvm::StringRef;

namespace {

/// A macro may use its argument twice, which is one place in the source.
std::vector<const audit::LinkedSite *> sitesOf(const audit::Project &P,
                                               const audit::Selection &S) {
  auto KeyOf = [](const audit::LinkedSite *S) {
    const audit::Place &At = S->Model->Location;
    return std::tie(At.File, At.Line, At.Column, S->Model->Callee);
  };
  std::vector<const audit::LinkedSite *> Result;
  for (const audit::LinkedSite &Site : P.sites())
    if (S.wantsFile(P, Site.Model->Location.File))
      Result.push_back(&Site);
  llvm::sort(Result, [&](auto *A, auto *B) { return KeyOf(A) < KeyOf(B); });
  Result.erase(
      std::unique(Result.begin(), Result.end(),
                  [&](auto *A, auto *B) { return KeyOf(A) == KeyOf(B); }),
      Result.end());
  return Result;
}

/// Formats an error as findings are shown, with its place; the file itself is
/// named only once, and columns are omitted.
std::string shownError(const audit::Project &P, StringRef File,
                       StringRef Error) {
  auto [Place, Words] = Error.split(": ");
  auto [Path, Numbers] = Place.split(':');
  const StringRef Line = Numbers.split(':').first;
  if (!Path.starts_with("/") || Line.empty() || !llvm::all_of(Line, isdigit))
    return Error.str();
  if (Path == File)
    return ("line " + Line + ": " + Words).str();
  return P.shownPath({Path.str()}) + ":" + (Line + ": " + Words).str();
}

report::AuditFile shown(const audit::Project &P, report::AuditFile F) {
  for (source::Skipped &Function : F.Functions) {
    Function.Reason = shownError(P, Function.Location.File, Function.Reason);
    Function.Location.File = P.shownPath({Function.Location.File});
  }
  F.Error = shownError(P, F.File, F.Error);
  F.File = P.shownPath({F.File});
  return F;
}

/// Determines the result for each finding.
class Judge {
  const audit::Project &P;
  audit::Selection &S;
  Ratchet &Known;
  audit::Suppressions Comments;
  audit::Findings All;
  report::Audit Result;
  /// Those of findings that are not silenced, and of their baseline entries.
  llvm::StringSet<> Present;
  /// Reasons by place, for sites that are not reported.
  std::map<std::tuple<std::string, unsigned, unsigned>, audit::Silence> Left;
  /// The same for calls that a finding names besides its own.
  std::map<std::tuple<std::string, unsigned, unsigned>, audit::Silence> Named;
  std::set<std::tuple<std::string, unsigned, unsigned>> Reported;

public:
  Judge(const audit::Project &P, audit::Selection &S, Ratchet &Known)
      : P(P), S(S), Known(Known), Result{P, {}, {}, {}} {}

  llvm::Expected<report::Audit> run(StringRef Root,
                                    std::vector<report::AuditFile> Files);

private:
  static auto placeOf(const audit::Place &At) {
    return std::tuple(At.File, At.Line, At.Column);
  }
  using Places = std::vector<std::tuple<std::string, unsigned, unsigned>>;
  /// Of the call that the finding is at.
  static Places placesOf(const audit::Finding &F) {
    Places Result = {placeOf(F.Location)};
    if (F.Site)
      Result.push_back(placeOf(F.Site->Model->Location));
    return Result;
  }
  void judge(audit::Finding F);
  void explainSilence();
  void checkComments();
};

void Judge::judge(audit::Finding F) {
  const Places Of = placesOf(F);
  Places Others;
  for (const audit::LinkedSite *Other : F.Also)
    Others.push_back(placeOf(Other->Model->Location));
  auto Leave = [&](audit::Silence Why) {
    for (const auto &At : Of)
      Left[At] = Why;
    for (const auto &At : Others)
      Named.try_emplace(At, Why);
  };
  const audit::AcceptedFinding *Entry = Known.entryOf(F);
  const std::optional<audit::SilencingComment> Comment = Comments.commentOn(F);
  if (!Comment)
    Present.insert(F.Fingerprint);
  if (!Comment && Entry)
    Present.insert(Entry->Fingerprint);
  if (!S.wants(P, F)) {
    Leave(audit::Silence::NotChosen);
  } else if (Comment) {
    Leave(audit::Silence::Comment);
    Result.Silenced.push_back({std::move(F), *Comment});
  } else if (Known.accepts(F, All.Loops, Entry, Result)) {
    Leave(audit::Silence::Accepted);
  } else {
    Reported.insert(Of.begin(), Of.end());
    for (const auto &At : Others)
      Named[At] = audit::Silence::OtherFinding;
    F.Fails = Known.isGate() ? S.mayFail(F.Location.File) : S.fails(F);
    Result.Findings.push_back(std::move(F));
  }
}

/// Only files with calls can have comments that silence something.
void Judge::checkComments() {
  StringRef Last; // Sites are in the order of the source.
  for (const audit::LinkedSite *Site : Result.Sites) {
    const std::string &File = Site->Model->Location.File;
    if (File == Last)
      continue;
    Last = File;
    llvm::append_range(Result.UnknownRules, Comments.unknownRules(File));
  }
}

void Judge::explainSilence() {
  for (const audit::LinkedSite *Site : Result.Sites) {
    const auto Place = placeOf(Site->Model->Location);
    if (!catalogue::mayWait(Site->Effects.Wait) || Reported.count(Place))
      continue;
    if (const auto Why = Left.find(Place); Why != Left.end())
      Result.Silent[Site] = Why->second;
    else if (const auto Other = Named.find(Place); Other != Named.end())
      Result.Silent[Site] = Other->second;
    else
      Result.Silent[Site] = audit::whySilent(P, All, *Site);
  }
}

llvm::Expected<report::Audit> Judge::run(StringRef Root,
                                         std::vector<report::AuditFile> Files) {
  for (const audit::TranslationUnit &U : P.units())
    if (llvm::Error E = S.load(U.MainFile))
      return std::move(E);
  All = audit::check(P, [](StringRef) { return true; });
  report::addFingerprints(All, P, Root);
  Result.Loops = All.Loops;
  Result.Seen = All.Seen;
  Result.Cut = All.Cut;
  for (audit::Finding &F : All.All) {
    if (llvm::Error E = S.load(F.Location.File))
      return std::move(E);
    judge(std::move(F));
  }
  audit::joinPlaces(P, Result.Findings, Result.Loops);
  Result.Sites = sitesOf(P, S);
  explainSilence();
  llvm::StringSet<> Incomplete;
  for (report::AuditFile &F : Files) {
    if (F.State != report::AuditFile::Read)
      Incomplete.insert(F.File);
    Result.Files.push_back(shown(P, std::move(F)));
  }
  checkComments();
  if (llvm::Error E = Known.findStale(Result, S, Present, Incomplete))
    return std::move(E);
  return std::move(Result);
}

} // namespace

llvm::Expected<report::Audit>
sources::judge(const audit::Project &P, audit::Selection &S, Ratchet &Known,
               StringRef Root, std::vector<report::AuditFile> Files) {
  return Judge(P, S, Known).run(Root, std::move(Files));
}
