// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `autoprof audit` prints; the findings are already decided.
#pragma once

#include "audit/Baseline.h"
#include "audit/Finding.h"
#include "audit/Pricing.h"
#include "audit/Suppress.h"
#include "report/document/Renderings.h"
#include "source/project/Site.h"

#include "llvm/ADT/DenseMap.h"

#include <array>

namespace autoprof::report {

/// A source of the audit.
struct AuditFile {
  std::string File;
  enum { Read, Partly, NotRead } State = Read;
  std::string Error;   ///< Except of Read: a sentence without a full stop.
  std::string Missing; ///< The file that the error did not find, or "".
  std::vector<source::Skipped> Functions; ///< Of Partly: those not read.
};

/// What the baseline accepts.
struct AcceptedNow {
  audit::Finding Finding;
  std::string Reason; ///< Or "".
};

/// A finding that a comment silences.
struct SilencedNow {
  audit::Finding Finding;
  audit::SilencingComment By;
};

struct Audit {
  const audit::Project &P;
  /// In the order of the source; with prices the most expensive first.
  std::vector<audit::Finding> Findings;
  std::vector<audit::Loop> Loops{};
  std::vector<audit::SiteSeen> Seen{}; ///< Of P.sites().
  std::vector<audit::Place> Cut{};     ///< See audit::Findings.
  /// Calls in the user's files, each place once, in the order of the source.
  std::vector<const audit::LinkedSite *> Sites{};
  std::vector<AuditFile> Files{}; ///< All, in the order they were named.
  /// The compile_commands.json files that the commands come from.
  std::vector<std::string> CommandsFrom{};
  std::vector<std::string> BuildToolSources{}; ///< Not read.
  std::vector<SilencedNow> Silenced{};
  /// Comments that name rules which do not exist.
  std::vector<audit::UnknownRule> UnknownRules{};
  /// For each site that waits, or may wait, without a finding.
  llvm::DenseMap<const audit::LinkedSite *, audit::Silence> Silent{};
  std::string BaselineFile{}; ///< "": none was given.
  std::vector<AcceptedNow> Accepted{};
  std::vector<audit::AcceptedFinding> Stale{}; ///< Entries without a finding.
  /// What recordings measured; null: the user named none.
  std::unique_ptr<audit::Pricing> Priced{};
  std::vector<audit::UnfoundWait> Unfound{}; ///< The most expensive first.

  bool isHot(const audit::LinkedSite &S) const {
    return Seen[&S - P.sites().data()] == audit::SiteSeen::InLaunchingLoop;
  }
};

/// What waits in one loop, in the order of execution; or, as the first one,
/// findings that are not about a loop, the most severe first. With prices, the
/// most expensive first.
struct LoopFindings {
  const audit::Loop *In = nullptr; ///< Null: not about a loop.
  std::vector<const audit::Finding *> All;
  /// Waits of this loop that are shown with another one, as pairs with it.
  std::vector<const audit::Finding *> Others;
};
/// Loops are in the order of A.Loops; with prices, those with the most
/// expensive findings first.
std::vector<LoopFindings> byLoop(const Audit &A);

/// "The loop at solver.cu:88 (Solver::run, 12 launch sites) waits 5
/// times in each iteration, and twice under conditions"; a heading.
std::string describe(const Audit &A, const LoopFindings &L);

/// A line for each other loop in which the wait of a finding is, up to three,
/// and one that counts the others: "also in the loop at solver.cu:88 (medium)".
std::vector<std::string> elsewhere(const Audit &A, const audit::Finding &F);

/// "medium", or "medium, confidence low".
std::string severityText(const audit::Finding &F);

/// How many of each severity.
class SeverityCounts {
  std::array<unsigned, 4> Counts{};

public:
  static constexpr audit::Severity Worst[] = {
      audit::Severity::High, audit::Severity::Medium, audit::Severity::Low,
      audit::Severity::Note};

  void add(audit::Severity S) { ++Counts[unsigned(S)]; }
  unsigned of(audit::Severity S) const { return Counts[unsigned(S)]; }
  unsigned total() const {
    return Counts[0] + Counts[1] + Counts[2] + Counts[3];
  }
  /// "1 high, 2 medium", or "".
  std::string text() const;
};

/// How many calls wait, or may wait, and of those without a finding how many
/// for which reason, in the order of the enumeration.
struct SilentCounts {
  unsigned Waiting = 0, Silent = 0;
  std::vector<std::pair<audit::Silence, unsigned>> Reasons; ///< No zeros.
};
SilentCounts silentCounts(const Audit &A);
/// "12 calls wait or may wait, 9 of them without a finding"
std::string silentSentence(const SilentCounts &C);

/// The silenced finding that an entry of the baseline without a finding
/// accepts, or null.
const SilencedNow *silencedNow(const Audit &A,
                               const audit::AcceptedFinding &Entry);

/// A line for each entry of the baseline that no longer has a finding.
std::vector<std::string> stale(const Audit &A);

/// A comment that does nothing because it names no rule: what is wrong with it.
std::string describe(const audit::UnknownRule &U);

/// A line for each file that was not read completely, and for each function
/// that was left out: place and reason.
struct UnreadLine {
  std::string Place, Reason;
};
/// Of a file's functions only the first MostPerFile and the number of others.
std::vector<UnreadLine> unread(const Audit &A, size_t MostPerFile = 3);

/// Sets Finding::Fingerprint (Fingerprints.cpp). `Findings`: all of the
/// project, in the order of the source. `Default`: what files without a marked
/// root above them are relative to, if they are below it; "": their own folder.
void addFingerprints(audit::Findings &Findings, const audit::Project &P,
                     llvm::StringRef Default);

/// "3 launching loops wait: 4 high, 2 medium; 12 of 41 calls wait or may wait;
/// ..."
std::string auditSummary(const Audit &A);

Document auditDocument(const Audit &A, const TextStyle &Style);

/// schema autoprof-audit/1 (docs/json.md).
void writeAuditJson(llvm::raw_ostream &OS, const Audit &A,
                    const TextStyle &Style);

/// SARIF 2.1.0, for code scanning: every rule, and every finding with the path
/// from the loop down to it, its fix, and fingerprints that survive edits
/// elsewhere. Paths are relative to the project's root if all sources have the
/// same one.
void writeAuditSarif(llvm::raw_ostream &OS, const Audit &A,
                     const TextStyle &Style);

inline constexpr auto AuditFormats = formatsOf<auditDocument>(
    Format<Audit>{"json", writeAuditJson},
    Format<Audit>{"sarif", writeAuditSarif},
    Format<Audit>{"github", as<auditDocument, renderGithub>});

} // namespace autoprof::report
