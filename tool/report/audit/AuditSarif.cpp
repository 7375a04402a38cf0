// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SARIF 2.1.0 (docs.oasis-open.org/sarif/sarif/v2.1.0), as GitHub's code
// scanning, editors and sarif-tools read it.
//
// Consumers distinguish old findings from new ones by partialFingerprints.
// GitHub compares primaryLocationLineHash (Fingerprints.h). autoprofSite/v1 is
// the site's id, which the traces carry, too.
#include "audit/Finding.h"
#include "report/SourceLines.h"
#include "report/audit/AuditJson.h"
#include "report/audit/Prices.h"
#include "report/audit/RulePages.h"
#include "source/project/Site.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include <set>

using namespace autoprof;
using namespace autoprof::audit;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// A relative or absolute path as a URI.
std::string uri(StringRef Path) {
  std::string Result = Path.starts_with("/") ? "file://" : "";
  for (char C : Path)
    if (llvm::isAlnum(C) || StringRef("-._~/+").contains(C))
      Result += C;
    else
      Result += "%" + llvm::toHex(StringRef(&C, 1));
  return Result;
}

/// Characters, not bytes: all but the continuation bytes of UTF-8.
unsigned codePoints(StringRef Text) {
  return llvm::count_if(Text, [](char C) { return (C & 0xC0) != 0x80; });
}

class Writer {
  const report::Audit &A;
  json::OStream J;
  report::SourceLines Source;

public:
  Writer(const report::Audit &A, llvm::raw_ostream &OS) : A(A), J(OS, 2) {}

  void write() {
    J.object([&] {
      J.attribute("$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/"
                             "errata01/os/schemas/sarif-schema-2.1.0.json");
      J.attribute("version", "2.1.0");
      J.attributeArray("runs", [&] { J.object([&] { run(); }); });
    });
  }

private:
  void message(StringRef Key, const std::string &Text) {
    J.attributeObject(Key, [&] { J.attribute("text", json::fixUTF8(Text)); });
  }

  void run() {
    J.attributeObject("tool", [&] {
      J.attributeObject("driver", [&] {
        J.attribute("name", "autoprof");
        J.attributeArray("rules", [&] {
          for (const Rule &R : rules())
            rule(R);
        });
      });
    });
    J.attributeObject("automationDetails",
                      [&] { J.attribute("id", "autoprof/audit/"); });
    // The columns of regions.
    J.attribute("columnKind", "unicodeCodePoints");
    J.attributeArray("invocations", [&] { J.object([&] { invocation(); }); });
    J.attributeArray("results", [&] {
      for (const Finding &F : A.Findings)
        J.object([&] {
          result(F);
          if (!A.BaselineFile.empty())
            J.attribute("baselineState", "new");
        });
      for (const report::AcceptedNow &Known : A.Accepted)
        J.object([&] {
          result(Known.Finding);
          J.attribute("baselineState", "unchanged");
          suppression("external", Known.Reason);
        });
      auto IsKnown = [this](const report::SilencedNow &S) {
        return llvm::any_of(A.Stale, [&](const AcceptedFinding &E) {
          return report::silencedNow(A, E) == &S;
        });
      };
      for (const report::SilencedNow &Silenced : A.Silenced)
        J.object([&] {
          result(Silenced.Finding);
          if (!A.BaselineFile.empty())
            J.attribute("baselineState",
                        IsKnown(Silenced) ? "unchanged" : "new");
          suppression("inSource", Silenced.By.Reason);
        });
    });
  }

  void rule(const Rule &R) {
    J.object([&] {
      J.attribute("id", R.Name);
      message("shortDescription", R.Doc.str());
      message("fullDescription", R.Doc.str());
      J.attributeObject("help", [&] { help(R); });
      // A file of this machine would be a dead link for other readers.
      if (const std::string Url = report::rulePageUrl(R.Name); !Url.empty())
        J.attribute("helpUri", Url);
      J.attributeObject("defaultConfiguration",
                        [&] { J.attribute("level", "warning"); });
      J.attributeObject("properties", [&] {
        J.attributeArray("tags", [&] {
          J.value("performance");
          J.value("cuda");
        });
      });
    });
  }

  /// The whole page: readers show the Markdown next to an alert, or the text if
  /// they know no Markdown.
  void help(const Rule &R) {
    const report::RulePage *Page = report::findRulePage(R.Name);
    J.attribute("text", Page ? Page->Text.str() : R.Doc.str());
    if (Page)
      J.attribute("markdown", Page->Text);
  }

  void notification(StringRef Level, const std::string &Text) {
    J.object([&] {
      J.attribute("level", Level);
      message("message", Text);
    });
  }

  void invocation() {
    J.attribute("executionSuccessful", true);
    J.attributeArray("toolExecutionNotifications", [&] {
      for (const report::UnreadLine &L : report::unread(A, ~size_t(0)))
        notification("warning", L.Place + ": " + L.Reason);
      for (const UnknownRule &U : A.UnknownRules)
        notification("warning", A.P.shownPath({U.File}) + ":" +
                                    std::to_string(U.Line) + ": " +
                                    report::describe(U));
      for (const std::string &Line : report::stale(A))
        notification("note", Line);
      if (A.Priced)
        notification("note", "Measured: " + report::pricingSummary(A) + ".");
    });
  }

  void result(const Finding &F) {
    const auto *Rule =
        llvm::find_if(rules(), [&](auto &R) { return R.Name == F.Rule; });
    J.attribute("ruleId", F.Rule);
    J.attribute("ruleIndex", int64_t(Rule - rules().begin()));
    J.attribute("level", F.Level == Severity::Note ? "note" : "warning");
    const std::string Price = report::measuredText(A, F, /*IsSentence=*/true);
    message("message",
            F.Message + "." + (Price.empty() ? "" : " " + Price + ".") +
                (F.Replacement.empty() ? "" : " Instead: " + F.Replacement));
    J.attributeArray("locations", [&] { location(F.Location, ""); });
    J.attributeObject("partialFingerprints", [&] { fingerprints(F); });
    if (!F.Path.empty() || !F.Notes.empty())
      J.attributeArray("relatedLocations", [&] { related(F); });
    if (!F.Path.empty())
      J.attributeArray("codeFlows", [&] { J.object([&] { flow(F); }); });
    J.attributeObject("properties", [&] {
      J.attribute("severity", name(F.Level));
      J.attribute("confidence", name(F.Certainty));
      if (A.Priced) {
        fields::Fields Price(J);
        report::priceFields(Price, A, F);
      }
    });
  }

  /// Accepted and silenced findings are included, so that readers do not
  /// consider them fixed.
  void suppression(StringRef Kind, const std::string &Reason) {
    J.attributeArray("suppressions", [&] {
      J.object([&] {
        J.attribute("kind", Kind);
        J.attribute("status", "accepted");
        if (!Reason.empty())
          J.attribute("justification", json::fixUTF8(Reason));
      });
    });
  }

  /// `Text`: what is there, or "".
  void location(const Place &Position, const std::string &Text) {
    J.object([&] {
      J.attributeObject("physicalLocation", [&] { physical(Position); });
      if (!Text.empty())
        message("message", Text);
    });
  }

  void artifact(const Place &Position) {
    J.attributeObject("artifactLocation", [&] {
      const std::string Shown = A.P.shownPath(Position);
      J.attribute("uri", uri(Shown));
      if (!StringRef(Shown).starts_with("/"))
        J.attribute("uriBaseId", "%SRCROOT%");
    });
  }

  void physical(const Place &Position) {
    artifact(Position);
    if (!Position.Line)
      return;
    J.attributeObject("region", [&] {
      J.attribute("startLine", int64_t(Position.Line));
      const StringRef Line = Source.line(Position.File, Position.Line);
      if (!Position.Column || Position.Column > Line.size())
        return; // the file has changed, or cannot be read
      const StringRef Name =
          Line.drop_front(Position.Column - 1).take_while([](char C) {
            return llvm::isAlnum(C) || C == '_';
          });
      const int64_t Start =
          codePoints(Line.take_front(Position.Column - 1)) + 1;
      J.attribute("startColumn", Start);
      J.attribute("endColumn",
                  Start + std::max<int64_t>(1, int64_t(Name.size())));
    });
  }

  void fingerprints(const Finding &F) {
    J.attribute("primaryLocationLineHash", F.Fingerprint);
    if (F.Site)
      J.attribute("autoprofSite/v1",
                  F.Rule + ":" + source::hex(F.Site->Model->Id));
  }

  void related(const Finding &F) {
    for (const PathStep &Step : F.Path)
      location(Step.Location, Step.Description);
    for (const PathStep &Step : F.Notes)
      location(Step.Location, Step.Description);
    std::set<int> Named = {F.Loop};
    for (const Finding &Other : F.Elsewhere)
      if (Named.insert(Other.Loop).second)
        location(A.Loops[Other.Loop].Location,
                 std::string("also in this loop (") +
                     report::severityText(Other) + ")");
  }

  void flow(const Finding &F) {
    J.attributeArray("threadFlows", [&] {
      J.object([&] {
        J.attributeArray("locations", [&] {
          auto Add = [&](const Place &Position, const std::string &Text) {
            J.object([&] {
              J.attributeBegin("location");
              location(Position, Text);
              J.attributeEnd();
            });
          };
          for (const PathStep &Step : F.Path)
            Add(Step.Location, Step.Description);
          Add(F.Location, F.Message);
        });
      });
    });
  }
};

} // namespace

void report::writeAuditSarif(llvm::raw_ostream &OS, const Audit &A,
                             const TextStyle &) {
  Writer(A, OS).write();
  OS << '\n';
}
