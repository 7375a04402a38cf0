// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One iteration of a loop, with everything that it calls.
// The calls of the loop's body are expanded, and what the path knows goes
// along: constants, default arguments, kinds of memory, streams. The result is
// a flat list of steps in the order of execution. Both branches of a condition
// that the path does not decide are in the list; each step has the conditions
// (guards) and the loops that it is under. What precedes and follows a step is
// then a matter of scanning the list (Flow.h).
//
// Left out: branches that are false on the path, error paths, and what runs
// once per program.
#pragma once

#include "audit/Link.h"
#include "audit/walk/Defaults.h"
#include "audit/walk/Dispatch.h"
#include "audit/walk/Premises.h"

#include "llvm/ADT/DenseMap.h"

#include <array>
#include <deque>
#include <map>
#include <set>

namespace autoprof::audit {

/// What is known of a number, a truth value or a pointer on a path.
struct Known {
  std::optional<int64_t> Number;
  bool NonNull = false;
  /// The depth of the innermost loop from one iteration of which to the next
  /// it may differ; -1: none of those around it.
  int Level = -1;
  /// The same for a loop each run of which takes the same values: it goes
  /// through numbers or a list.
  int Counted = -1;
  std::optional<bool> Usual; ///< What it is unless something rare happens.
  /// What it is unless somebody sets an option, see Defaults.
  std::optional<int64_t> Default;
  bool IsFlag = false; ///< It is an option that is true or not.

  /// Whether it is true; none: not known.
  std::optional<bool> truth() const {
    if (NonNull)
      return true;
    return Number ? std::optional<bool>(*Number != 0) : std::nullopt;
  }
};

/// A stream on a path.
struct StreamId {
  /// Bits of catalogue::values::Stream; ~0: unknown.
  uint32_t Kind = ~0u;
  /// Two streams with the same name are the same; "": unknown. The default
  /// stream is "0". After "|" is the object that has it: with "?", it is not
  /// known, and with "~", another name may mean the same object.
  std::string Name;
};

/// A call of the catalogue, or a launch, with what the path knows of it.
struct PathSite {
  const LinkedSite *Linked = nullptr;
  catalogue::Facts Known;
  catalogue::Answer Effects;
  StreamId Stream;
  bool LeavesWork = false; ///< See leavesWork().

  bool waits() const { return Effects.Wait == catalogue::Waits::Yes; }
};

/// A function that is executed.
struct Frame {
  unsigned Function = 0;
  int Parent = -1;            ///< The frame of the caller; -1: the first one.
  const Call *Made = nullptr; ///< The caller's call; null: the first one.
  int Guard = -1, Loop = -1;  ///< Of the call.
  int Depth = -1;             ///< Of that loop.
  std::vector<Known> Params;
  bool Launches = false; ///< See leavesLaunch(): it does, or what it calls.
  Objects Of;            ///< The classes that the object may have on the path.
};

/// A condition that the path does not decide.
struct Guard {
  int Parent = -1;
  int Frame = 0;
  const Scope *Branch = nullptr; ///< Null: the choice of a function.
  int Loop = -1;                 ///< The innermost loop around it.
  Known Value;                   ///< Of the condition.
  const Call *Virtual = nullptr;
  const Function *Chosen = nullptr; ///< By a virtual call.
  /// Guards with the same number are the branches of one condition, or the
  /// functions that one call may call.
  unsigned Decision = 0;
  Premises Says;
  /// The code under it may change what it asks for: it turns itself off.
  bool IsLatch = false;
  bool Again = false;    ///< The path has chosen for the same object before.
  bool IsOpaque = false; ///< Nothing is known of when it holds.
  bool isOff() const { return Value.Default == 0; } ///< Unless it is set.
  /// It asks whether there is memory that is freed under it: without it, too,
  /// freeing a null pointer does nothing.
  bool IsOfFreed = false;
  bool WaitsOtherwise = false; ///< Another branch of the condition waits.
  /// The steps under it, so that a search can pass over all of them; none if
  /// others are between them. See Trace::findExtents().
  size_t Begin = 0, End = 0;
  /// The outermost guard around it, or itself, under which all calls are
  /// explicit waits: most searches from elsewhere do without. -1: none.
  int Quiet = -1;
};

struct LoopOnPath {
  int Parent = -1;
  int Depth = 0; ///< 0: the outermost one.
  int Frame = 0;
  int Scope = -1; ///< Of the frame's function.
  int Guard = -1; ///< The innermost one around it.
  size_t Begin = 0, End = 0;
  std::optional<int64_t> Trips; ///< The largest number of its iterations.
  unsigned Launches = 0;    ///< Steps in it that launch, its inner loops' too.
  unsigned Records = 0;     ///< Those that only record an event.
  bool OverDevices = false; ///< Its variable selects the device.
};

struct Step {
  enum Kind : uint8_t {
    Site,
    Host,    ///< An event of the host, Happened.
    Queues,  ///< Code that is not visible gets a stream.
    Unknown, ///< Code that is not visible is called.
    Quiet,   ///< A site under a quiet guard, see Guard::Quiet.
  };
  static constexpr unsigned Kinds = 5;
  Kind Class = Host;
  int Frame = 0, Guard = -1, Loop = 0;
  const Event *Happened = nullptr;
  const PathSite *Call = nullptr; ///< Of Site and Quiet.
  Place Location;
  /// By kind, up to this step and from it on: the number after that of the
  /// nearest such step, or 0; its number, or that of steps.
  std::array<uint32_t, Kinds> Before = {}, From = {};
};

inline bool isExplicitWait(const Step &S) {
  return S.Call && S.Call->waits() &&
         S.Call->Linked->kind() == catalogue::CallClass::Sync;
}

/// Whether the call leaves work behind that may still run when it returns.
inline bool leavesWork(const Step &S) {
  return S.Class == Step::Queues || (S.Call && S.Call->LeavesWork);
}
/// The same for kernels, not copies.
inline bool leavesLaunch(const Step &S) {
  return leavesWork(S) && (!S.Call || S.Call->Linked->Launches);
}

class Trace {
public:
  std::vector<Frame> Frames;
  std::vector<Guard> Guards;
  std::vector<LoopOnPath> Loops; ///< The first one is the outermost.
  std::vector<Step> Steps;
  std::vector<size_t> Calls; ///< Numbers of the steps that are not of the host.
  std::deque<PathSite> Sites;
  /// Functions that a loop calls and that do nothing with the GPU, with the
  /// number of the innermost loop around the call.
  std::vector<std::pair<int, unsigned>> Helpers;
  /// Where calls were no longer expanded, because the list got too long.
  const Call *Cut = nullptr;
  bool HasUnread = false; ///< Some functions in it were not read.

  /// What supersededBy() has found, by step.
  mutable std::map<size_t, const Step *> Superseded;

  explicit Trace(const Project &P) : P(P) {}

  const Project &project() const { return P; }
  const Function &functionOf(int Frame) const {
    return *P.functions()[Frames[Frame].Function].Model;
  }
  const Scope &scopeOf(const LoopOnPath &L) const {
    return functionOf(L.Frame).Scopes[L.Scope];
  }
  bool isLoopIn(int Inner, int Outer) const;
  /// Whether the frame is the other one, or called from it.
  bool isFrameIn(int Inner, int Outer) const;
  /// Whether everything under `Inner` is under `Outer`, too.
  bool isGuardIn(int Inner, int Outer) const;

  /// Where a reader of another frame's code finds a step: at the outermost
  /// call around it of functions that launch nothing, such as wrappers. `In`:
  /// gets the frame that makes the call.
  Place seenFrom(int Frame, const Step &S, int *In = nullptr) const;

  /// To be called when the trace has all of its steps.
  void finish();

  /// What is known of a value on the path.
  Resolved resolve(int Frame, const Value &V) const;
  /// Names the memory that a variable is or points to, across calls: equal
  /// names are the same memory, or that of the same field of two objects. Never
  /// "". `Of`: gets the frame whose code has that name for it.
  std::string memoryOf(int Frame, int Cell, int *Of = nullptr) const;
  /// The same for what an expression may point to; "": unknown.
  std::string memoryOf(int Frame, const Value &V, int *Of = nullptr) const;
  /// Names the event that an argument is, as StreamId::Name.
  std::string eventNamed(int Frame, const Arg &Event) const;
  /// The same for the variable of a caller that a parameter was given; "".
  std::string variableOf(int Frame, const Value &V, int *Of = nullptr) const;
  /// The function that the path passes for a parameter, which is that of a
  /// function on the path ("P:<usr>#2"), or -1.
  int functionGiven(int Frame, llvm::StringRef Param) const;
  StreamId streamOf(int Frame, const LinkedSite &S, const Value &V) const;

private:
  std::string objectOf(int Frame) const;
  std::string objectNamed(int Frame, llvm::StringRef On) const;
  std::string handleName(int Frame, const Value &V, llvm::StringRef Text,
                         llvm::StringRef Of) const;
  std::string handleReturned(unsigned Caller, llvm::StringRef Slot,
                             const std::string &Object,
                             unsigned Depth = 0) const;
  void findExtents();
  void findQuiet();
  void findWaitingBranches();

  const Project &P;
};

/// Whether the text always names the same stream or event: `stream`,
/// `this->stream`, `streams[0]`, but not `streams[i]` and `make()`.
bool isFixedName(llvm::StringRef Name);

/// Goes from one step to others of some kinds. What no run through an iteration
/// has besides this step is left out: they are under two branches of one
/// condition. Without Step::Quiet, such steps are found only under the quiet
/// guard around this one, if there is one, with all others there.
class Search {
public:
  static constexpr unsigned Quiet = 1u << Step::Quiet, All = ~0u,
                            Calls = 1u << Step::Site | 1u << Step::Queues,
                            Unknown = 1u << Step::Unknown,
                            Host = 1u << Step::Host;

  Search(const Trace &T, size_t Step, unsigned Kinds = All);
  /// From now on, leaves out steps of these kinds.
  void ignore(unsigned Ignored) { Kinds &= ~Ignored; }
  /// Finds the last or the first step in a range; returns whether there is one.
  bool last(size_t Begin, size_t End, size_t &Found) {
    return next(Begin, End, true, Found);
  }
  bool first(size_t Begin, size_t End, size_t &Found) {
    return next(Begin, End, false, Found);
  }

  const Trace &T;
  const size_t At;

private:
  bool next(size_t Begin, size_t End, bool Back, size_t &Found);
  /// The outermost guard around `Other`, or itself, that excludes the step; -1.
  int outermost(int Other);

  unsigned Kinds;
  const Guard *Own = nullptr;         ///< The quiet guard around the step.
  std::map<unsigned, int> Chosen;     ///< The guard by its decision.
  std::vector<const Premises *> Says; ///< Of the guards around the step.
  llvm::DenseMap<int, int> Found;     ///< By guard, what outermost() returns.
};

/// Adds the functions that call one of the set, directly or not.
void addCallers(const Project &P, std::vector<bool> &Set);
/// The functions that launch, or call others that do.
std::vector<bool> launching(const Project &P);
/// Whether a loop of the function may launch. `Launching`: see launching().
bool mayLaunch(const Project &P, const std::vector<bool> &Launching,
               unsigned Function, int Loop);

/// Makes traces. Keeps a reference to the project.
class Tracer {
public:
  explicit Tracer(const Project &P);

  /// Calls `Use` for each outermost launching loop that is reached from
  /// `Function`, with what the path to it knows. Paths with the same knowledge
  /// are followed once.
  void follow(unsigned Function, llvm::function_ref<void(Trace &)> Use);

  /// The functions that a path reached.
  const std::vector<bool> &reached() const { return Reached; }

private:
  friend class TraceBuilder;
  /// Whether code in a scope may change a field or global variable, or assign
  /// a parameter or another field to it.
  bool mayChange(unsigned Function, int Scope, const std::string &Slot,
                 bool OrCopy = false);
  /// The events of a function in the order of execution, without those on
  /// paths that give up.
  const std::vector<const Event *> &orderOf(unsigned Function);

  const Project &P;
  Dispatch Virtuals;
  PremiseMaker Conditions;
  Defaults Options;
  std::vector<bool> Relevant; ///< Functions that matter to the GPU.
  std::vector<bool> Launching;
  std::vector<bool> HoldsLoop; ///< With a launching loop, perhaps in a callee.
  std::vector<bool> Reached;
  std::map<std::tuple<unsigned, int, bool>, std::set<std::string>> Changes;
  std::map<unsigned, std::vector<const Event *>> Orders;
  std::set<std::pair<unsigned, std::string>> Followed;
  size_t Steps = 0; ///< Of all traces so far.
};

} // namespace autoprof::audit
