// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The audit for programs. Unknown values are null, never a guess.
#include "report/audit/AuditJson.h"

#include "report/audit/Audit.h"
#include "report/audit/AuditBaselineFile.h"

using namespace autoprof;
using namespace autoprof::audit;
using namespace autoprof::report;
using catalogue::CallClass;
using catalogue::Waits;
using fields::Fields;
using llvm::StringRef;

namespace {

/// A call with what the audit knows of it.
struct SiteRow {
  uint64_t Id = 0;
  Place Location;
  StringRef Function, Call, Why;
  CallClass Class = CallClass::Other;
  Waits Wait = Waits::No;
  bool IsHot = false;
  std::optional<Silence> Silent;
};

SiteRow rowOf(const Audit &A, const LinkedSite &S) {
  SiteRow Row;
  Row.Id = S.Model->Id;
  Row.Location = S.Model->Location;
  Row.Function = A.P.functionOf(S).Name;
  Row.Call = S.Model->Callee;
  Row.Why = S.Effects.Reason;
  Row.Class = S.kind();
  // Slow calls do not wait for the GPU.
  Row.Wait = S.Effects.Wait == Waits::Slow ? Waits::No : S.Effects.Wait;
  Row.IsHot = A.isHot(S);
  if (const auto Why = A.Silent.find(&S); Why != A.Silent.end())
    Row.Silent = Why->second;
  return Row;
}

void placeFields(Fields &F, const Project &P, const Place &Position) {
  F.text("file",
         "relative to the project's root; when the files have several roots, "
         "to the folder that the audit ran in, or absolute outside of it",
         F.describes() ? "" : P.shownPath(Position));
  F.field("line", "line, counted from 1", Position.Line);
  F.field("column", "column, counted from 1", Position.Column);
}

void siteFields(Fields &F, const Project &P, const SiteRow &S) {
  F.id("id", "as in reports and site tables", S.Id);
  placeFields(F, P, S.Location);
  F.text("function", "the function that contains it", S.Function);
  F.text("call", "as the catalogue names it; the kernel's name", S.Call);
  F.choice("class", "class of the call", S.Class, CallClass::Other);
  F.choice("waits", "with the arguments of this call", S.Wait, Waits::Maybe);
  F.text("why", "one clause; for `maybe` what it depends on", S.Why);
  F.field("hot", "in a launching loop, its own or a caller's", S.IsHot);
  F.choice("silent",
           "why a call that waits, or may wait, has no finding "
           "([reasons](audit/README.md#waits-without-a-finding)); null: it has "
           "one, or does not wait",
           S.Silent, Silence::OtherFinding);
}

void stepFields(Fields &F, const Project &P, const PathStep &Step) {
  placeFields(F, P, Step.Location);
  F.field("what", "`in this loop`, `calls Trainer::step`", Step.Description);
}

/// A place as an object; null where there is none.
void maybePlace(Fields &F, StringRef Key, StringRef About, const Project &P,
                const Place &Position) {
  F.object(Key, About, Position.Line ? &Position : nullptr,
           [&](const Place &Known) { placeFields(F, P, Known); });
}

/// What determines its cost.
void weightFields(Fields &F, const Project &P, const Finding &Found) {
  F.field("loop", "its loop, as an index of `loops[]`; null: it is in none",
          Found.Loop < 0 ? std::optional<int>() : Found.Loop);
  F.field("order", "in a loop, waits with a smaller number run earlier",
          Found.Order);
  F.choice("frequency",
           "how often it runs, seen from the loop: with `each` iteration; in "
           "`some_runs`, with each iteration under a condition that the loop "
           "does not change; `sometimes`, under another one; `outside` of "
           "launching loops",
           Found.HowOften, Frequency::Each);
  F.list("conditions",
         "from the loop down to the call, as written; one that is an "
         "option says if it is false by default",
         Found.Conditions, [&](const PathStep &One) { stepFields(F, P, One); });
  F.field("pending", "work may run on the GPU when it is reached",
          Found.Pending);
  maybePlace(F, "drained_by",
             "the call that has waited on every way before, with nothing "
             "queued since; null: work may be queued",
             P, Found.DrainedAt);
  F.object("first_use", "where the host first uses what the call brings", [&] {
    F.choice("when",
             "`at_once`: before more work is queued; `same_iteration`: work is "
             "queued before",
             Found.Use.When, FirstUse::AfterLoop);
    maybePlace(F, "place", "null: not known", P, Found.Use.Location);
  });
}

void findingFields(Fields &F, const Audit &A, const Finding &Found) {
  const Project &P = A.P;
  auto Step = [&](const PathStep &One) { stepFields(F, P, One); };
  F.field("rule", "`autoprof-<group>-<name>`", Found.Rule);
  F.choice("severity", "see [audit](audit/README.md#severity-and-confidence)",
           Found.Level, Severity::High);
  F.choice("confidence", "likewise", Found.Certainty, Confidence::High);
  F.id("site", "id of the site the finding is about; null: none",
       Found.Site ? Found.Site->Model->Id : 0);
  placeFields(F, P, Found.Location);
  F.field("message", "one sentence", Found.Message);
  F.list("path", "from the loop down to the site", Found.Path, Step);
  F.list("notes", "other places that explain it", Found.Notes, Step);
  F.text("replacement", "what to use instead; null: not known",
         Found.Replacement);
  weightFields(F, P, Found);
  F.list("elsewhere",
         "the same wait seen from other loops, or on other paths from this "
         "one; the most severe first",
         Found.Elsewhere, [&](const Finding &Other) {
           F.field("loop", "as an index of `loops[]`", Other.Loop);
           F.field("rule", "as above; it may be another one", Other.Rule);
           F.choice("severity", "as above", Other.Level, Severity::High);
           F.choice("frequency", "as above", Other.HowOften, Frequency::Each);
           F.list("conditions", "as above", Other.Conditions, Step);
           F.list("path", "as above", Other.Path, Step);
           F.field("fingerprint", "as above", Other.Fingerprint);
           F.field("fails", "as above", Other.Fails);
         });
  F.field("fingerprint",
          "the same after edits elsewhere; as in SARIF and in baselines",
          Found.Fingerprint);
  F.field("fails", "it makes the exit code 1 (`--fail-on`)", Found.Fails);
  priceFields(F, A, Found);
}

void loopFields(Fields &F, const Audit &A, const Loop &L) {
  placeFields(F, A.P, L.Location);
  F.text("function", "the function that contains it", L.Function);
  F.text("condition", "as written", L.Text);
  F.choice("kind", "by the names of folders and files, else `work`", L.Kind,
           LoopKind::Test);
  F.field("launches",
          "calls that launch, on the ways through an iteration: each inner "
          "loop's once; events do not count",
          L.LaunchSites);
  F.field("depth", "launching loops around it", L.Depth);
  F.field("rare", "it runs only in some iterations of a loop around it",
          L.Rare);
  F.field(
      "minor",
      "in an iteration, it and the loops around it launch less than a tenth "
      "of what another loop of the same program does, or it less than a "
      "hundredth",
      L.Minor);
}

void commentFields(Fields &F, const Audit &A) {
  F.list("unknown_rules",
         "comments that have no effect because they name a rule that does not "
         "exist",
         A.UnknownRules, [&](const UnknownRule &U) {
           F.field("file", "as in `findings[]`",
                   F.describes() ? "" : A.P.shownPath({U.File}));
           F.field("line", "line, counted from 1", U.Line);
           F.field("name", "as written", U.Name);
           F.text("nearest",
                  "the rule that was probably meant; null: none is near",
                  U.Nearest);
         });
}

void acceptedFields(Fields &F, const Audit &A) {
  F.text("baseline", "the file that `--baseline` names", A.BaselineFile);
  F.list(
      "accepted",
      "findings that the baseline accepts; they are not in `findings[]`",
      A.Accepted, [&](const AcceptedNow &One) {
        F.field("fingerprint",
                "the same after edits elsewhere; as in SARIF and in baselines",
                One.Finding.Fingerprint);
        F.field("rule", "`autoprof-<group>-<name>`", One.Finding.Rule);
        F.choice("severity", "now", One.Finding.Level, Severity::High);
        placeFields(F, A.P, One.Finding.Location);
        F.text("reason", "what the baseline gives as the reason", One.Reason);
      });
  F.list("stale",
         "entries of the baseline whose finding is not there any more, among "
         "the files, lines and rules that were asked about",
         A.Stale, [&](const AcceptedFinding &E) {
           F.field(
               "fingerprint",
               "the same after edits elsewhere; as in SARIF and in baselines",
               E.Fingerprint);
           F.field("rule", "`autoprof-<group>-<name>`", E.Rule);
           F.text("file", "relative to the folder of the baseline, or absolute",
                  E.File);
           F.text("function", "the function that contained it", E.Function);
           F.text("code", "the line as it was", E.Code);
           F.text("reason", "what the baseline gives as the reason", E.Reason);
         });
}

void fileFields(Fields &F, const AuditFile &File) {
  constexpr StringRef States[] = {"read", "partly", "failed"};
  F.field("file", "as given", File.File);
  F.choice("state",
           "`partly`: it has errors, and only the functions without errors "
           "were audited; `failed`: it is in `skipped[]`",
           States[File.State], States);
  F.text(
      "error",
      "the first error, or why it was not read; null when the state is `read`",
      File.Error);
  F.list("skipped_functions",
         "of a file that was read in part: the functions that were not "
         "audited, in its headers, too",
         File.Functions, [&](const source::Skipped &Function) {
           F.field("file", "the file", Function.Location.File);
           F.field("line", "line of the function", Function.Location.Line);
           F.text("function", "name of the function", Function.Function);
           F.text("error", "the first error in it", Function.Reason);
         });
}

void auditFields(Fields &F, const Audit &A) {
  std::vector<SiteRow> Sites;
  for (const LinkedSite *S : A.Sites)
    Sites.push_back(rowOf(A, *S));
  std::vector<const AuditFile *> Skipped;
  for (const AuditFile &File : A.Files)
    if (File.State == AuditFile::NotRead)
      Skipped.push_back(&File);
  F.format("autoprof-audit/1",
           "`--format=json` of [`autoprof audit`](audit/README.md).");
  F.list("sites",
         "every call of the catalogue and every kernel launch in the user's "
         "files, in the order of the source",
         Sites, [&](const SiteRow &S) { siteFields(F, A.P, S); });
  F.list("findings",
         "in the order of the source; with `--prices` the most expensive "
         "first",
         A.Findings, [&](const Finding &Found) { findingFields(F, A, Found); });
  F.list("loops",
         "the launching loops that have findings, also accepted or silenced "
         "ones; those that do the program's work first, then by depth and "
         "launches",
         A.Loops, [&](const Loop &L) { loopFields(F, A, L); });
  F.list("cut",
         "loops that call more than the audit follows, so that waits may be "
         "missing",
         A.Cut, [&](const Place &Loop) { placeFields(F, A.P, Loop); });
  pricingFields(F, A);
  F.field("suppressed", "findings silenced by comments", A.Silenced.size());
  commentFields(F, A);
  acceptedFields(F, A);
  F.list("skipped", "files that could not be read, not even in part", Skipped,
         [&](const AuditFile &File) {
           F.field("file", "as in `files[]`", File.File);
           F.text("error", "why", File.Error);
         });
  F.field("compile_commands",
          "the `compile_commands.json` files that the commands come from; "
          "paths as in `files[]`",
          A.CommandsFrom);
  F.field("build_tool_sources",
          "sources that were skipped because a build tool wrote them for its "
          "own checks",
          A.BuildToolSources);
  F.list("files", "every source of the audit", A.Files,
         [&](const AuditFile &File) { fileFields(F, File); });
}

} // namespace

void report::writeAuditJson(llvm::raw_ostream &OS, const Audit &A,
                            const TextStyle &) {
  fields::writeFields(OS, [&](Fields &F) { auditFields(F, A); });
}

void report::printAuditSchemas(llvm::raw_ostream &Out) {
  const Project P({});
  const Audit A{P, {}, {}, {}};
  AcceptedFinding Accepted;
  Fields::describe(Out, [&](Fields &F) { auditFields(F, A); });
  Fields::describe(Out, auditBaselineFields,
                   [&](Fields &F) { acceptedFindingFields(F, Accepted); });
}
