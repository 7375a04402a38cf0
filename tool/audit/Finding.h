// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the audit reports: pairs of a launching loop and a call that waits in
// it, and what rules find elsewhere.
#pragma once

#include "audit/Link.h"

#include <memory>
#include <string>
#include <vector>

namespace autoprof::audit {

enum class Severity : uint8_t { Note, Low, Medium, High };
enum class Confidence : uint8_t { Low, Medium, High };

/// How often a call runs, seen from its loop.
enum class Frequency : uint8_t {
  Outside,   ///< In no launching loop.
  Sometimes, ///< Under a condition that differs between iterations.
  SomeRuns,  ///< In each iteration, under conditions that the loop keeps.
  Each       ///< In each iteration.
};
/// "outside", "sometimes", "some_runs", "each".
llvm::StringRef name(Frequency F);

/// Where the host first uses what a wait completes. Advice depends on it: a
/// wait cannot be postponed if the result is used immediately, and is not
/// needed in the loop if nothing uses the result before the loop ends.
struct FirstUse {
  enum Kind : uint8_t {
    Unknown,
    AtOnce,        ///< Before more work is queued.
    SameIteration, ///< Work is queued first.
    NextIteration,
    AfterLoop
  };
  Kind When = Unknown;
  Place Location;        ///< Empty if Unknown.
  bool IsCopied = false; ///< It is a copy back to the device.
};
/// "unknown", "at_once", "same_iteration", "next_iteration", "after_loop".
llvm::StringRef name(FirstUse::Kind K);

/// A step of a path from a loop down to a site.
struct PathStep {
  Place Location;
  std::string Description; ///< "loop over i < steps", "calls Trainer::step".
  bool EndsObject = false; ///< Whether it calls a destructor or deleter.
};

/// A step that findings share: hundreds may have paths of thousands of steps.
class SharedStep {
public:
  SharedStep() : SharedStep(Place(), "") {}
  SharedStep(Place At, std::string Description, bool EndsObject = false)
      : Step(std::make_shared<const PathStep>(
            PathStep{At, std::move(Description), EndsObject})) {}
  operator const PathStep &() const { return *Step; }
  const PathStep *operator->() const { return Step.get(); }

private:
  std::shared_ptr<const PathStep> Step;
};

/// What the code around a launching loop is for.
enum class LoopKind : uint8_t { Work, Example, Benchmark, Test };
/// "work", "example", "benchmark", "test".
llvm::StringRef name(LoopKind K);

/// A loop whose iterations launch work on the GPU.
struct Loop {
  Place Location;
  std::string Text;     ///< Its condition, as written.
  std::string Function; ///< The function that contains it.
  LoopKind Kind = LoopKind::Work;
  /// In an iteration: calls that launch or record an event, and those that
  /// launch.
  unsigned Launches = 0, LaunchSites = 0;
  unsigned Depth = 0; ///< Launching loops around it.
  bool Rare = false;  ///< It runs only in some iterations of a loop around it.
  /// In an iteration, it and the loops around it launch less than a tenth of
  /// what another loop of the same program does, or it less than a hundredth.
  bool Minor = false;
};

struct Finding {
  std::string Rule; ///< "autoprof-sync-in-loop"
  Severity Level = Severity::Note;
  Confidence Certainty = Confidence::High;
  Place Location;
  /// One sentence without a full stop that names what is waited for.
  std::string Message;
  std::vector<SharedStep> Path;  ///< From the loop down to the site.
  std::vector<SharedStep> Notes; ///< Other places that explain it.
  std::string Replacement;       ///< A code snippet or a clause, or "".
  /// The site of the finding, if there is one.
  const LinkedSite *Site = nullptr;
  /// Other calls that the finding is about: they have no finding of their own.
  std::vector<const LinkedSite *> Also;
  /// Unchanged by edits elsewhere (report/audit/Fingerprints.h).
  std::string Fingerprint;
  bool Fails = false; ///< The finding makes the exit code 1.

  //===-- Of a wait in a loop ---------------------------------------------===//
  int Loop = -1;      ///< Number of the loop in Findings::Loops; -1: none.
  unsigned Order = 0; ///< Of the waits of one loop: the order of execution.
  Frequency HowOften = Frequency::Outside;
  /// A condition on the way asks for what the code under it changes.
  bool IsLatched = false;
  /// Conditions from the loop to the call, as written, and then those of the
  /// loop in the ones around it.
  std::vector<SharedStep> Conditions;
  /// The call that on every path has already waited, so that nothing is queued;
  /// or null.
  const LinkedSite *DrainedBy = nullptr;
  Place DrainedAt;      ///< That call, or that of a wrapper around it.
  bool Pending = false; ///< Work may run on the GPU when it is reached.
  FirstUse Use;         ///< First use of the data it brings to the host.
  /// The call of the innermost function on the path that launches work: what
  /// is below only wraps the wait.
  Place Decided;
  /// The same wait seen from other loops and on other paths, after
  /// joinPlaces(); the most severe first.
  std::vector<Finding> Elsewhere;
};

/// Makes pairs of one wait one finding: the most severe pair, or of several
/// that with the fewest conditions, holds the others. The wait is the same if
/// the same code decides about it, below whichever loop, and whatever the type
/// that a template calls another function for. `Loops`: as in Findings.
void joinPlaces(const Project &P, std::vector<Finding> &Findings,
                llvm::ArrayRef<Loop> Loops);

/// Where the paths from the programs' beginnings have seen a call.
enum class SiteSeen : uint8_t { NotInLoop, InLoop, InLaunchingLoop };

/// What the rules find in a project.
struct Findings {
  std::vector<Loop> Loops;    ///< In the order in which they are shown.
  std::vector<Finding> All;   ///< In the order of the source.
  std::vector<SiteSeen> Seen; ///< Of Project::sites().
  /// Loops whose calls were not all followed, because there are too many.
  std::vector<Place> Cut;
};

/// "note", "low", "medium", "high".
llvm::StringRef name(Severity S);
llvm::StringRef name(Confidence C);

/// The inverse of name().
std::optional<Severity> severityNamed(llvm::StringRef Name);

/// The reasons why a call that waits or may wait, or a recorded wait, is not a
/// finding.
enum class Silence : uint8_t {
  Accepted,     ///< By the baseline.
  Comment,      ///< A comment silences the finding.
  NotChosen,    ///< --checks leaves the finding out.
  OutsideLoops, ///< On no path is a loop around it that may launch.
  ErrorPath,
  RunsOnce,     ///< Once per run of the program.
  LeavesLoop,   ///< The branch ends the loop, or the loop is over devices.
  NoLaunches,   ///< The loops around it do not launch.
  NoRule,       ///< In a launching loop.
  OtherFinding, ///< The finding of another call is about it, too.
  NotExpected,  ///< From here on, of recorded waits: the audit assumes none.
  MayWait,      ///< It may wait, but no rule is certain enough.
  NotRead,      ///< Its source or its function could not be read.
  Ambiguous,    ///< Several calls on its line match.
  Changed,      ///< Its file was read, and has no such call.
  NotInSources, ///< Its file is not among the audited ones.
  NoPlace       ///< The recording gives no place.
};
constexpr unsigned SilenceKinds = unsigned(Silence::OtherFinding) + 1;

/// "outside_loops": as in JSON.
llvm::StringRef name(Silence S);
/// "outside loops": follows a number of calls; up to OtherFinding.
llvm::StringRef describe(Silence S);

/// For a site without a finding, by the surrounding code: OutsideLoops or one
/// of those up to NoRule.
Silence whySilent(const Project &P, const Findings &All, const LinkedSite &S);

struct Rule {
  llvm::StringLiteral Name; ///< "autoprof-sync-in-loop".
  llvm::StringLiteral Doc;  ///< One sentence.
};

llvm::ArrayRef<Rule> rules();

/// The rule that somebody who wrote `Name` probably meant, or "".
std::string nearestRule(llvm::StringRef Name);

/// The launching loops, the waits in them, and what else the rules that `Wants`
/// selects find.
Findings check(const Project &P,
               llvm::function_ref<bool(llvm::StringRef Rule)> Wants);

/// Whether a program needs a synchronization, over all ways to the call.
enum class Need : uint8_t {
  Unknown, ///< Not all of them are followed, or it is another call.
  None,    ///< What it waits for is complete on each, or waited for next.
  Perhaps
};
/// Of Project::sites(). Stricter than check(): only what documentation promises
/// counts, and work that was queued before the loop.
std::vector<Need> needs(const Project &P);

} // namespace autoprof::audit
