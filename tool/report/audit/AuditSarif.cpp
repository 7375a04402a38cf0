// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SARIF 2.1.0 (docs.oasis-open.org/sarif/sarif/v2.1.0), as GitHub's code
// scanning, editors and sarif-tools read it.
//
// A consumer tells old findings from new ones by partialFingerprints. GitHub
// compares primaryLocationLineHash. It is the hash of the rule, the file, the
// function and the text of the line, and a counter of equals: it holds no line
// number, so that edits elsewhere leave it as it is. autoprofSite/v1 is the
// site's id, which the traces carry, too.
#include "audit/Rules.h"
#include "report/SourceLines.h"
#include "report/audit/Audit.h"
#include "report/audit/Formats.h"
#include "source/project/Site.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/xxhash.h"

#include <map>

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
  std::map<std::string, unsigned> Equals; ///< For the fingerprints.

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
        J.object([&] { result(F); });
    });
  }

  void rule(const Rule &R) {
    J.object([&] {
      J.attribute("id", R.Name);
      message("shortDescription", R.Doc.str());
      message("fullDescription", R.Doc.str());
      message("help", R.Doc.str() + " docs/audit/" +
                          R.Name.substr(StringRef("autoprof-").size()).str() +
                          ".md says what counts and what to do.");
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

  void invocation() {
    J.attribute("executionSuccessful", true);
    J.attributeArray("toolExecutionNotifications", [&] {
      for (const report::UnreadLine &L : report::unread(A))
        J.object([&] {
          J.attribute("level", "warning");
          message("message", L.Place + ": " + L.Reason);
        });
    });
  }

  void result(const Finding &F) {
    const auto *Rule =
        llvm::find_if(rules(), [&](auto &R) { return R.Name == F.Rule; });
    J.attribute("ruleId", F.Rule);
    J.attribute("ruleIndex", int64_t(Rule - rules().begin()));
    J.attribute("level", F.Level == Severity::Note ? "note" : "warning");
    message("message", F.Replacement.empty()
                           ? F.Message + "."
                           : F.Message + ". Instead: " + F.Replacement);
    J.attributeArray("locations", [&] { location(F.Location, ""); });
    J.attributeObject("partialFingerprints", [&] { fingerprints(F); });
    if (!F.Path.empty() || !F.Notes.empty())
      J.attributeArray("relatedLocations", [&] { related(F); });
    if (!F.Path.empty())
      J.attributeArray("codeFlows", [&] { J.object([&] { flow(F); }); });
    if (!F.FixIts.empty())
      J.attributeArray("fixes", [&] { J.object([&] { fix(F); }); });
    J.attributeObject("properties", [&] {
      J.attribute("severity", name(F.Level));
      J.attribute("confidence", name(F.Certainty));
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
    std::string Key = F.Rule + '\n' + A.P.shownPath(F.Location) + '\n';
    if (F.Site)
      Key += A.P.functionOf(*F.Site).Name;
    for (char C : Source.line(F.Location.File, F.Location.Line))
      if (!llvm::isSpace(C))
        Key += C;
    const unsigned Ordinal = ++Equals[Key];
    J.attribute("primaryLocationLineHash",
                llvm::utohexstr(llvm::xxh3_64bits(Key), /*LowerCase=*/true,
                                /*Width=*/16) +
                    ":" + llvm::utostr(Ordinal));
    if (F.Site)
      J.attribute("autoprofSite/v1",
                  F.Rule + ":" + source::hex(F.Site->Model->Id));
  }

  void related(const Finding &F) {
    for (const PathStep &Step : F.Path)
      location(Step.Location, Step.Description);
    for (const PathStep &Step : F.Notes)
      location(Step.Location, Step.Description);
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

  void fix(const Finding &F) {
    message("description", F.Replacement.empty() ? "Change it" : F.Replacement);
    J.attributeArray("artifactChanges", [&] {
      for (const FixIt &Fix : F.FixIts)
        J.object([&] {
          artifact(Fix.Extent.Begin);
          J.attributeArray("replacements", [&] {
            J.object([&] {
              J.attributeObject("deletedRegion", [&] {
                J.attribute("byteOffset", int64_t(Fix.Extent.Begin.Offset));
                J.attribute("byteLength", int64_t(Fix.Extent.Length));
              });
              message("insertedContent", Fix.Text);
            });
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
