// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a rule reports.
#ifndef AUTOPROF_AUDIT_FINDING_H
#define AUTOPROF_AUDIT_FINDING_H

#include "audit/FirstUse.h"

#include <string>
#include <vector>

namespace autoprof::audit {

enum class Severity : uint8_t { Note, Low, Medium, High };
enum class Confidence : uint8_t { Low, Medium, High };

/// A replacement of text; with Length 0, an insertion before the place.
struct FixIt {
  Range Extent;
  std::string Text;
};

struct Finding {
  std::string Rule; ///< "autoprof-sync-in-loop"; set by the runner.
  Severity Level = Severity::Note;
  Confidence Certainty = Confidence::High;
  Place Location;
  /// One sentence without a full stop that names what is waited for.
  std::string Message;
  std::vector<PathStep> Path;  ///< From the loop down to the site.
  std::vector<PathStep> Notes; ///< Other places that explain it.
  std::string Replacement;     ///< A code snippet or a clause, or "".
  std::vector<FixIt> FixIts;
  /// The site of the finding, if there is one.
  const LinkedSite *Site = nullptr;
  /// Other calls that the finding is about: they have no finding of their own.
  std::vector<const LinkedSite *> Also;
  /// Unchanged by edits elsewhere (report/audit/Fingerprints.h).
  std::string Fingerprint;
  /// Identifies the call, whichever rule reports it; "": not at a call.
  std::string Call;
  bool Fails = false; ///< The finding makes the exit code 1.

  //===-- What determines its cost ----------------------------------------===//
  Frequency HowOften = Frequency::Outside;
  /// The earlier call that on every path has already waited, so that nothing is
  /// queued; or null.
  const LinkedSite *DrainedBy = nullptr;
  bool SetUp = false; ///< It surrounds a launching loop of its own function.
  /// The largest number of times it runs per run of the program, if known.
  std::optional<int64_t> Times;
  bool Repetition =
      false;            ///< In a loop that only repeats another for measuring.
  FirstUse Use;         ///< First use of the data it brings to the host.
  unsigned Callers = 0; ///< Calls of its function in launching loops.
};

/// "note", "low", "medium", "high".
llvm::StringRef name(Severity S);
llvm::StringRef name(Confidence C);

/// The inverse of name().
std::optional<Severity> severityNamed(llvm::StringRef Name);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_FINDING_H
