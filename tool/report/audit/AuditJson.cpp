// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The audit for programs; docs/json.md describes each key. What is not known
// is null, never a guess.
#include "report/audit/Audit.h"
#include "report/audit/Formats.h"

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

void place(json::OStream &J, const Project &P, const Place &Position) {
  text(J, "file", P.shownPath(Position));
  J.attribute("line", int64_t(Position.Line));
  J.attribute("column", int64_t(Position.Column));
}

/// Slow calls do not wait for the GPU.
StringRef waits(Waits W) {
  return catalogue::name(W == Waits::Slow ? Waits::No : W);
}

void site(json::OStream &J, const Project &P, const LinkedSite &S) {
  J.object([&] {
    J.attribute("id", source::hex(S.Model->Id));
    place(J, P, S.Model->Location);
    text(J, "function", P.functionOf(S).Name);
    text(J, "call", S.Model->Callee);
    J.attribute("class", catalogue::name(S.kind()));
    J.attribute("waits", waits(S.Effects.Wait));
    text(J, "why", S.Effects.Reason);
    J.attribute("hot", P.hot(S).IsHot);
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

/// What makes it cost what it costs.
void weight(json::OStream &J, const Project &P, const Finding &F) {
  J.attribute("frequency", name(F.HowOften));
  J.attribute("callers", int64_t(F.Callers));
  J.attribute("repetition", F.Repetition);
  J.attribute("set_up", F.SetUp);
  placeOrNull(J, P, "drained_by",
              F.DrainedBy ? F.DrainedBy->Model->Location : Place());
  J.attributeObject("first_use", [&] {
    J.attribute("when", name(F.Use.When));
    placeOrNull(J, P, "place", F.Use.Location);
  });
}

void finding(json::OStream &J, const Project &P, const Finding &F) {
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
        site(J, A.P, *S);
    });
    J.attributeArray("findings", [&] {
      for (const Finding &F : A.Findings)
        finding(J, A.P, F);
    });
    J.attribute("suppressed", int64_t(A.Suppressed));
    J.attributeArray("skipped", [&] {
      for (const AuditFile &F : A.Files)
        if (F.State == AuditFile::NotRead)
          J.object([&] {
            text(J, "file", F.File);
            text(J, "error", F.Error);
          });
    });
    J.attributeArray("files", [&] {
      for (const AuditFile &F : A.Files)
        file(J, F);
    });
  });
  OS << '\n';
}
