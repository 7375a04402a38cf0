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

/// Text to put in the place of other text; Length 0: before it.
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
  const LinkedSite *Site = nullptr; ///< The site it stands at, if any.
  /// The same after edits elsewhere (report/audit/Fingerprints.h).
  std::string Fingerprint;
  bool Fails = false; ///< It makes the exit code 1.

  //===-- Why it costs what it costs --------------------------------------===//
  Frequency HowOften = Frequency::Outside;
  /// Nothing is queued any more: this call has waited on every way before.
  const LinkedSite *DrainedBy = nullptr;
  bool SetUp = false; ///< Around a launching loop of its own function.
  /// How often it runs in a run of the program, at most, if known.
  std::optional<int64_t> Times;
  bool Repetition = false; ///< In a loop that repeats another to measure it.
  FirstUse Use;            ///< Of what it brings to the host.
  unsigned Callers = 0;    ///< Calls of its function in launching loops.
};

/// "note", "low", "medium", "high".
llvm::StringRef name(Severity S);
llvm::StringRef name(Confidence C);

/// Of what name() gives.
std::optional<Severity> severityNamed(llvm::StringRef Name);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_FINDING_H
