// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The audit for programs; docs/json.md describes each key. Unknown values are
// null, never a guess.
#include "report/audit/Audit.h"
#include "report/audit/Formats.h"
#include "report/audit/Prices.h"
#include "report/audit/RulePages.h"

#include "source/project/Site.h"

#include "llvm/Support/JSON.h"

using namespace autoprof;
using namespace autoprof::audit;
using catalogue::Waits;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

void text(json::OStream &J, StringRef Key, StringRef V) {
  if (V.empty())
    J.attribute(Key, nullptr);
  else
    J.attribute(Key, json::fixUTF8(V));
}

void texts(json::OStream &J, StringRef Key,
           llvm::ArrayRef<std::string> Values) {
  J.attributeArray(Key, [&] {
    for (const std::string &V : Values)
      J.value(json::fixUTF8(V));
  });
}

void place(json::OStream &J, const Project &P, const Place &Position) {
  text(J, "file", P.shownPath(Position));
  J.attribute("line", int64_t(Position.Line));
  J.attribute("column", int64_t(Position.Column));
}

/// Slow calls do not wait for the GPU.
StringRef waits(Waits W) {
  return catalogue::name(W == Waits::Slow ? Waits::No : W);
}

void site(json::OStream &J, const report::Audit &A, const LinkedSite &S) {
  const Project &P = A.P;
  J.object([&] {
    J.attribute("id", source::hex(S.Model->Id));
    place(J, P, S.Model->Location);
    text(J, "function", P.functionOf(S).Name);
    text(J, "call", S.Model->Callee);
    J.attribute("class", catalogue::name(S.kind()));
    J.attribute("waits", waits(S.Effects.Wait));
    text(J, "why", S.Effects.Reason);
    J.attribute("hot", P.hot(S).IsHot);
    const auto Why = A.Silent.find(&S);
    text(J, "silent", Why == A.Silent.end() ? "" : name(Why->second));
  });
}

void steps(json::OStream &J, const Project &P, StringRef Key,
           llvm::ArrayRef<PathStep> Steps) {
  J.attributeArray(Key, [&] {
    for (const PathStep &Step : Steps)
      J.object([&] {
        place(J, P, Step.Location);
        text(J, "what", Step.Description);
      });
  });
}

/// A place as an object; null where there is none.
void placeOrNull(json::OStream &J, const Project &P, StringRef Key,
                 const Place &Position) {
  if (!Position.Line)
    return J.attribute(Key, nullptr);
  J.attributeObject(Key, [&] { place(J, P, Position); });
}

/// What determines its cost.
void weight(json::OStream &J, const Project &P, const Finding &F) {
  J.attribute("frequency", name(F.HowOften));
  J.attribute("callers", int64_t(F.Callers));
  J.attribute("times_at_most", F.Times ? llvm::json::Value(*F.Times)
                                       : llvm::json::Value(nullptr));
  J.attribute("repetition", F.Repetition);
  J.attribute("set_up", F.SetUp);
  placeOrNull(J, P, "drained_by",
              F.DrainedBy ? F.DrainedBy->Model->Location : Place());
  J.attributeObject("first_use", [&] {
    J.attribute("when", name(F.Use.When));
    placeOrNull(J, P, "place", F.Use.Location);
  });
}

void finding(json::OStream &J, const report::Audit &A, const Finding &F) {
  const Project &P = A.P;
  J.object([&] {
    J.attribute("rule", F.Rule);
    J.attribute("severity", name(F.Level));
    J.attribute("confidence", name(F.Certainty));
    J.attribute("site", F.Site ? json::Value(source::hex(F.Site->Model->Id))
                               : json::Value(nullptr));
    place(J, P, F.Location);
    text(J, "message", F.Message);
    steps(J, P, "path", F.Path);
    steps(J, P, "notes", F.Notes);
    text(J, "replacement", F.Replacement);
    weight(J, P, F);
    J.attribute("fingerprint", F.Fingerprint);
    J.attribute("fails", F.Fails);
    report::priceJson(J, A, F);
  });
}

void unknownRule(json::OStream &J, const Project &P, const UnknownRule &U) {
  J.object([&] {
    text(J, "file", P.shownPath({U.File}));
    J.attribute("line", int64_t(U.Line));
    J.attribute("comment", U.Marker);
    text(J, "name", U.Name);
    text(J, "nearest", U.Nearest);
  });
}

void unusedComment(json::OStream &J, const Project &P, const UnusedComment &U) {
  J.object([&] {
    text(J, "file", P.shownPath({U.File}));
    J.attribute("line", int64_t(U.Line));
    J.attribute("rules", U.Rules);
  });
}

void accepted(json::OStream &J, const Project &P,
              const report::AcceptedNow &A) {
  J.object([&] {
    J.attribute("fingerprint", A.Finding.Fingerprint);
    J.attribute("rule", A.Finding.Rule);
    J.attribute("severity", name(A.Finding.Level));
    place(J, P, A.Finding.Location);
    text(J, "reason", A.Reason);
  });
}

void staleEntry(json::OStream &J, const AcceptedFinding &E) {
  J.object([&] {
    J.attribute("fingerprint", E.Fingerprint);
    J.attribute("rule", E.Rule);
    text(J, "file", E.File);
    text(J, "function", E.Function);
    text(J, "code", E.Code);
    text(J, "reason", E.Reason);
  });
}

void rule(json::OStream &J, const report::RuleCount &R) {
  J.object([&] {
    J.attribute("rule", R.Rule);
    J.attribute("finds", R.Doc);
    text(J, "page", report::rulePageUri(R.Rule));
    J.attribute("findings", int64_t(R.Counts.total()));
    J.attributeObject("severities", [&] {
      for (Severity S : report::SeverityCounts::Worst)
        J.attribute(name(S), int64_t(R.Counts.of(S)));
    });
  });
}

void file(json::OStream &J, const report::AuditFile &F) {
  static constexpr StringRef States[] = {"read", "partly", "failed"};
  J.object([&] {
    text(J, "file", F.File);
    J.attribute("state", States[F.State]);
    text(J, "error", F.Error);
    J.attributeArray("skipped_functions", [&] {
      for (const source::Skipped &Function : F.Functions)
        J.object([&] {
          text(J, "file", Function.Location.File);
          J.attribute("line", int64_t(Function.Location.Line));
          text(J, "function", Function.Function);
          text(J, "error", Function.Reason);
        });
    });
  });
}

} // namespace

void report::writeAuditJson(llvm::raw_ostream &OS, const Audit &A,
                            const TextStyle &) {
  json::OStream J(OS, 2);
  J.object([&] {
    J.attribute("schema", "autoprof-audit/1");
    J.attributeArray("sites", [&] {
      for (const LinkedSite *S : A.Sites)
        site(J, A, *S);
    });
    J.attributeArray("findings", [&] {
      for (const Finding &F : A.Findings)
        finding(J, A, F);
    });
    J.attributeArray("rules", [&] {
      for (const RuleCount &R : byRule(A))
        rule(J, R);
    });
    report::pricingJson(J, A);
    J.attribute("suppressed", int64_t(A.Silenced.size()));
    J.attributeArray("unknown_rules", [&] {
      for (const UnknownRule &U : A.UnknownRules)
        unknownRule(J, A.P, U);
    });
    J.attributeArray("unused_comments", [&] {
      for (const UnusedComment &U : A.UnusedComments)
        unusedComment(J, A.P, U);
    });
    text(J, "baseline", A.BaselineFile);
    J.attributeArray("accepted", [&] {
      for (const AcceptedNow &Known : A.Accepted)
        accepted(J, A.P, Known);
    });
    J.attributeArray("stale", [&] {
      for (const AcceptedFinding &E : A.Stale)
        staleEntry(J, E);
    });
    J.attributeArray("skipped", [&] {
      for (const AuditFile &F : A.Files)
        if (F.State == AuditFile::NotRead)
          J.object([&] {
            text(J, "file", F.File);
            text(J, "error", F.Error);
          });
    });
    texts(J, "compile_commands", A.CommandsFrom);
    texts(J, "build_tool_sources", A.BuildToolSources);
    J.attributeArray("files", [&] {
      for (const AuditFile &F : A.Files)
        file(J, F);
    });
  });
  OS << '\n';
}
