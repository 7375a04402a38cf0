// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole project
// -----------------
// Joins the models of all translation units: which function a call calls, what
// each slot holds, what each site therefore does, and from which loops it is
// reached. A project may hold several programs, with functions of the same
// name: a call goes to the definition in its own translation unit, else to the
// only one, else to the one whose file is nearest; when that does not decide,
// it is unknown.
//
// "Unknown" is kept apart from "no": a call through a pointer, or of a function
// that is not in the project, may launch and may wait, and no finding may rest
// on either.
#ifndef AUTOPROF_AUDIT_LINK_H
#define AUTOPROF_AUDIT_LINK_H

#include "audit/Model.h"
#include "audit/Programs.h"
#include "catalogue/HipNames.h"
#include "catalogue/Semantics.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <optional>
#include <tuple>

namespace autoprof::audit {

/// A Value after all slots were looked up.
struct Resolved {
  uint32_t Mask = ~0u; ///< ~0: not known.
  Place Location;      ///< Where it was allocated or created, if known.
  std::string Maker;
  bool known() const { return Mask != ~0u; }
};

/// One step of a way from a loop down to a site.
struct PathStep {
  Place Location;
  std::string Description; ///< "loop over i < steps", "calls Trainer::step".
  bool EndsObject = false; ///< It calls a destructor or a deleter.
};

/// How often a site runs, seen from the loop that makes it matter.
enum class Frequency : uint8_t {
  Outside,   ///< Of every launching loop.
  EveryNth,  ///< `if (i % 100 == 0)`, or where output is switched on.
  Sometimes, ///< Under another condition.
  Each       ///< With each iteration.
};
/// "outside", "every_nth", "sometimes", "each".
llvm::StringRef name(Frequency F);

/// Why a site runs again and again.
struct Hot {
  bool IsHot = false;
  bool Uncertain = false; ///< A virtual call leads there, perhaps.
  unsigned Function = 0;  ///< Of the loop.
  int Loop = -1;          ///< Scope of that function.
  /// How often the site runs in a run of the program, on this way, at most;
  /// none: not known.
  std::optional<int64_t> Times;
  /// Conditions between the loop and the site, from the outside in.
  std::vector<const Scope *> Guards;
  std::vector<PathStep> Path; ///< The loop first, then calls.

  bool isGuardedBy(Scope::Kind Kind) const;
  Frequency often() const;
  /// So seldom that all its waits together cannot cost much.
  bool isFew() const { return Times && *Times <= Few; }
  static constexpr int64_t Few = 32;
};

/// A site, and what it does as far as the project tells.
struct LinkedSite {
  unsigned Function; ///< Index into Project::functions().
  const Site *Model;
  const catalogue::Row *Row; ///< Null: a kernel.
  catalogue::Facts Known;
  catalogue::Answer Effects;
  bool QueuesWork = false; ///< A launch, copy or set.
  bool Launches = false;   ///< It queues kernels, or an event.
  bool OnErrorPath = false;
  /// What its stream may be; ~0: not known. Without one: the default stream.
  uint32_t Stream = ~0u;
  /// Between beginning and end of a stream's capture: it goes into a graph, and
  /// does not run.
  bool Captured = false;

  catalogue::CallClass kind() const {
    return Row ? Row->Class : catalogue::CallClass::Launch;
  }
  /// The name of its row, in CUDA's words if it is a call of HIP's.
  llvm::StringRef cudaRow() const { return catalogue::cudaName(Model->Row); }
};

/// What a function does, with all that it calls.
struct Summary {
  bool Launches = false;  ///< It queues kernels on some path.
  bool Queues = false;    ///< Or copies and sets.
  bool MayLaunch = false; ///< Or calls what is not known.
  bool Waits = false;     ///< It surely holds a call that waits.
  bool MayWait = false;
  bool ReadsClock = false; ///< On some path; event times, too.
  bool UsesApi = false; ///< It surely calls the GPU's API; error checks aside.
  bool AsksForErrors = false; ///< cudaGetLastError and the like.
  bool Blocks = false;        ///< It locks, sleeps, or waits for a thread.
  bool Measures = false;      ///< It surely reads how long GPU work took.
  bool HandsOver = false;     ///< Perhaps to another thread, process or API.

  auto tied() const {
    return std::tie(Launches, Queues, MayLaunch, Waits, MayWait, ReadsClock,
                    UsesApi, AsksForErrors, Blocks, Measures, HandsOver);
  }
  friend bool operator==(const Summary &A, const Summary &B) {
    return A.tied() == B.tied();
  }
};

struct LinkedFunction {
  const Function *Model;
  unsigned Unit;                ///< The first one that holds it.
  std::vector<unsigned> AlsoIn; ///< Other units, of a header's function.
  Summary Effects;
  std::vector<unsigned> Sites; ///< Index into Project::sites().
  /// For each of Model->Calls: the functions that it may call; none: not known.
  std::vector<std::vector<unsigned>> Callees;
  struct Caller {
    unsigned Function, Call;
  };
  std::vector<Caller> Callers;
};

/// Where data ends up.
struct Destination {
  unsigned Function;
  const Use *Model;
  bool ThroughField = false; ///< Stored in an object or a global on the way.
};

class Project {
public:
  /// `Measured`: what was measured on the user's machine, which wins over the
  /// catalogue; null: nothing. It has to outlive the project.
  explicit Project(std::vector<TranslationUnit> Units,
                   const catalogue::Semantics *Measured = nullptr);
  ~Project();

  llvm::ArrayRef<TranslationUnit> units() const { return Units; }
  llvm::ArrayRef<LinkedFunction> functions() const { return Functions; }
  llvm::ArrayRef<LinkedSite> sites() const { return Sites; }
  const Function &functionOf(const LinkedSite &S) const {
    return *Functions[S.Function].Model;
  }

  /// Is the function in a translation unit that is written for HIP?
  bool isHip(unsigned Function) const {
    return Units[Functions[Function].Unit].Hip;
  }

  /// What a call does when this is known of its arguments.
  catalogue::Answer ask(const catalogue::Row &Row,
                        const catalogue::Facts &Known) const {
    return catalogue::ask(Row, Known, Measured);
  }

  /// Of an argument of this site.
  Resolved resolve(const LinkedSite &S, const Value &V) const;

  /// Is this place of a function in a loop that launches, its own or one of
  /// its callers'?
  Hot hot(unsigned Function, int Scope) const;
  Hot hot(const LinkedSite &S) const { return hot(S.Function, S.Model->Scope); }

  /// Does the loop stand in another one that repeats it, and not only to
  /// measure, or seldom?
  bool isRepeated(const Hot &H) const;

  /// A loop that repeats another one, which launches, to measure it: it reads
  /// the clock, or tries sizes.
  bool isRepetition(unsigned Function, int Loop) const;

  /// A loop between two readings of a clock or of event times that repeats the
  /// same GPU work.
  bool isBenchmark(unsigned Function, int Loop) const;

  /// Is the loop such a one, or does the function, which it calls, measure what
  /// it launches?
  bool isMeasured(const Hot &H, unsigned Function) const;

  /// How often a place is reached in a run of the program, at most. None: not
  /// known.
  std::optional<int64_t> times(unsigned Function, int Scope) const;

  /// How often a loop goes round, at most, as the calls of its function tell.
  std::optional<int64_t> trips(unsigned Function, int Loop) const;

  /// What is made and given up around a launching loop of its own function, as
  /// in `solve()`, once for all its iterations.
  bool isSetUp(const LinkedSite &S) const;

  /// The innermost scope around a place that is a loop: one that runs more than
  /// four times as far as is known, and not over devices; -1: none.
  int loopAround(unsigned Function, int Scope) const;

  /// Is this place within the loop, directly or by calls?
  bool isWithin(unsigned Function, int Scope, unsigned LoopFunction,
                int Loop) const;

  /// Does an iteration of the loop surely launch work on the GPU? Copies and
  /// sets alone are no launches.
  bool launches(unsigned Function, int Loop) const;

  /// Is this place under a condition that says error?
  bool isOnErrorPath(const Function &F, int Scope) const;

  /// May both functions run in one process? (Programs.h)
  bool mayShareProgram(unsigned FunctionA, unsigned FunctionB) const;

  /// The definition that a function's name in a unit stands for, or -1.
  int definition(llvm::StringRef Usr, unsigned Unit) const;

  /// Where the data goes that a site brings to the host.
  std::vector<Destination> destinations(const LinkedSite &S) const;

  /// "src/train.cu": relative to the root that all units share; when they have
  /// several, to the current folder, or absolute when it lies elsewhere.
  std::string shownPath(const Place &Location) const;

  /// For those who read it here and now, shown() has paths relative to the
  /// current folder of files below it, and absolute ones of others.
  void showPathsFromHere() { FromHere = true; }

private:
  class Slots;
  void addFunctions();
  void linkCalls();
  void linkSites();
  void markCaptured();
  void summarize();
  bool inScope(const Function &F, int Scope, int Outer) const;
  uint32_t streamOf(const LinkedSite &S, bool PerThreadStream) const;
  void findPeriodic();
  bool isLoop(unsigned Function, int Scope) const;
  Hot hotFromCallers(unsigned Function) const;
  bool leads(const LinkedFunction::Caller &C, unsigned To) const;
  bool holdsLaunchingLoop(unsigned Function, int Loop) const;
  std::optional<int64_t> valueOf(unsigned Function, const Number &N,
                                 unsigned Depth) const;
  std::optional<int64_t> times(unsigned Function, int Scope,
                               unsigned Depth) const;

  std::vector<TranslationUnit> Units;
  const catalogue::Semantics *Measured;
  bool FromHere = false; ///< See showPathsFromHere.
  std::vector<LinkedFunction> Functions;
  std::vector<LinkedSite> Sites;
  llvm::StringMap<std::vector<unsigned>> ByUsr;
  std::vector<bool> AddressTaken; ///< By function.
  std::unique_ptr<Slots> TheSlots;
  std::unique_ptr<Programs> ThePrograms;
  mutable std::vector<std::unique_ptr<Hot>> FromCallers;
};

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_LINK_H
