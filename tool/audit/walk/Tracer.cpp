// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/walk/Evaluate.h"
#include "audit/walk/Trace.h"

#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::Fact;

/// Beyond this many steps of a loop, calls are no longer expanded: of each, and
/// once so many of all loops are known.
static constexpr size_t MostSteps = 200'000, FewestSteps = 2'000,
                        MostOfAll = 8'000'000;

class TraceBuilder {
  Tracer &In;
  const Project &P;
  llvm::function_ref<void(Trace &)> Use;
  Trace T;
  std::vector<int> Stack; ///< The loops around, the outermost first.
  int Guard = -1;
  unsigned Decisions = 0;
  std::map<std::tuple<int, int, std::string, unsigned>, unsigned> Decided;
  /// The functions around that are not followed again when they are called.
  /// Outside of a loop's own function, the loop is new.
  std::set<unsigned> Active;
  size_t Limit = MostSteps;

  struct Open {
    int Scope;
    bool Skips = false;
    bool IsLoop = false;
    int OuterGuard = -1;
  };

public:
  TraceBuilder(Tracer &In, llvm::function_ref<void(Trace &)> Use)
      : In(In), P(In.P), Use(Use), T(P) {}

  void begin(unsigned Function) {
    audit::Frame First;
    First.Function = Function;
    Active = {Function};
    T.Frames.push_back(std::move(First));
    follow(0);
  }

private:
  bool isOutside() const { return Stack.empty(); }

  /// Follows what the function does, or one of its loops.
  void run(int Frame, int Loop = -1) {
    const Function &F = T.functionOf(Frame);
    std::vector<Open> Around;
    for (int S = Loop; S >= 0; S = F.Scopes[S].Parent)
      Around.push_back({S});
    std::reverse(Around.begin(), Around.end());
    const size_t Outer = Around.size();
    for (const Event *E : In.orderOf(T.Frames[Frame].Function)) {
      if (!isScopeIn(F, E->Scope, Loop))
        continue;
      enter(Frame, E->Scope, Around);
      if (Around.empty() || !Around.back().Skips)
        happen(Frame, *E);
    }
    while (Around.size() > Outer)
      leave(Around);
  }

  void enter(int Frame, int Scope, std::vector<Open> &Around) {
    const Function &F = T.functionOf(Frame);
    llvm::SmallVector<int, 8> Chain;
    for (int S = Scope; S >= 0; S = F.Scopes[S].Parent)
      Chain.push_back(S);
    std::reverse(Chain.begin(), Chain.end());
    size_t Same = 0;
    while (Same < Around.size() && Same < Chain.size() &&
           Around[Same].Scope == Chain[Same])
      ++Same;
    while (Around.size() > Same)
      leave(Around);
    for (; Same < Chain.size(); ++Same)
      open(Frame, Chain[Same], Around);
  }

  void leave(std::vector<Open> &Around) {
    if (Around.back().IsLoop) {
      T.Loops[Stack.back()].End = T.Steps.size();
      Stack.pop_back();
    }
    Guard = Around.back().OuterGuard;
    if (isOutside())
      T.Guards.resize(Guard + 1); // The loops have copies.
    Around.pop_back();
  }

  void open(int Frame, int Number, std::vector<Open> &Around) {
    const Scope &S = T.functionOf(Frame).Scopes[Number];
    Open Now{Number};
    Now.OuterGuard = Guard;
    Now.Skips = !Around.empty() && Around.back().Skips;
    if (!Now.Skips)
      switch (S.Class) {
      case Scope::Error:
      case Scope::Once:
        Now.Skips = true;
        break;
      case Scope::Condition:
        Now.Skips = !openCondition(Frame, Number);
        break;
      case Scope::Loop:
        openLoop(Frame, Number, Now);
        break;
      }
    Around.push_back(Now);
  }

  /// Returns whether the condition may hold.
  bool openCondition(int Frame, int Number) {
    const Scope &S = T.functionOf(Frame).Scopes[Number];
    const Known Value = value(Frame, S.When);
    if (const std::optional<bool> Truth = Value.truth())
      return *Truth;
    const Premises Says = In.Conditions.of(
        T.Frames[Frame].Function, S.When, [&](const Term &Part) {
          const Known Value = value(Frame, Part);
          return Value.Level < 0 && Value.Counted < 0;
        });
    for (int G = Says.All.empty() ? -1 : Guard; G >= 0; G = T.Guards[G].Parent)
      if (T.Guards[G].Says.implies(Says))
        return true;
      else if (T.Guards[G].Says.excludes(Says))
        return false;
    const bool IsLatch = this->isLatch(Frame, Number, S.When);
    // Of what holds around a loop, only what stays so matters in it.
    if (!isOutside() || (!Says.All.empty() && !IsLatch))
      guard({Guard, Frame, &S, isOutside() ? -1 : Stack.back(), Value, nullptr,
             nullptr, decisionOf(Frame, S), Says, IsLatch});
    return true;
  }

  /// See Guard::IsLatch.
  bool isLatch(int Frame, int Scope, const Term &When) {
    const unsigned Here = T.Frames[Frame].Function;
    const Term *Asked = &When;
    if (When.Class == Term::Result) // `if (!b.size()) b.resize(n)`
      if (const int Callee = P.definition(When.Name, P.functions()[Here].Unit);
          Callee >= 0)
        Asked = &P.functions()[Callee].Model->Result;
    return (Asked->Class == Term::Slot &&
            In.mayChange(Here, Scope, Asked->Name, /*OrCopy=*/true)) ||
           llvm::any_of(When.Parts, [&](const Term &Part) {
             return isLatch(Frame, Scope, Part);
           });
  }

  /// The branches of one condition have the same number.
  unsigned decisionOf(int Frame, const Scope &S) {
    if (!S.Decided.Line)
      return ++Decisions;
    unsigned &Number =
        Decided[{Frame, S.Parent, S.Decided.File, S.Decided.Offset}];
    return Number ? Number : Number = ++Decisions;
  }

  void guard(audit::Guard G) {
    G.IsOpaque = !G.Branch || isPartlyOpaque(G.Branch->When);
    T.Guards.push_back(std::move(G));
    Guard = T.Guards.size() - 1;
  }

  void openLoop(int Frame, int Number, Open &Now) {
    const Scope &S = T.functionOf(Frame).Scopes[Number];
    const Known Trips = value(Frame, S.When);
    if (Trips.Number && *Trips.Number <= 0) {
      Now.Skips = true;
    } else if (isFew(S.When, Trips)) {
      return;
    } else if (!isOutside()) {
      Now.IsLoop = true;
      pushLoop(Frame, Number, Trips.Number);
    } else {
      if (mayLaunch(P, In.Launching, T.Frames[Frame].Function, Number))
        trace(Frame, Number, Trips.Number);
      Now.Skips = true;
    }
  }

  void pushLoop(int Frame, int Number, std::optional<int64_t> Trips) {
    LoopOnPath L;
    L.Parent = Stack.empty() ? -1 : Stack.back();
    L.Depth = Stack.size();
    L.Frame = Frame;
    L.Scope = Number;
    L.Guard = Guard;
    L.Trips = Trips;
    L.Begin = T.Steps.size();
    Stack.push_back(T.Loops.size());
    T.Loops.push_back(L);
  }

  /// Makes the trace of an outermost loop.
  void trace(int Frame, int Number, std::optional<int64_t> Trips) {
    TraceBuilder Inner(In, Use);
    Inner.T.Frames = T.Frames;
    for (audit::Frame &F : Inner.T.Frames)
      F.Guard = F.Loop = F.Depth = -1;
    Inner.Active = {T.Frames[Frame].Function};
    Inner.T.Guards = T.Guards;
    Inner.Guard = Guard;
    Inner.Decisions = Decisions;
    if (In.Steps >= MostOfAll)
      Inner.Limit = FewestSteps;
    Inner.pushLoop(Frame, Number, Trips);
    Inner.run(Frame, Number);
    Inner.T.Loops[0].End = Inner.T.Steps.size();
    In.Steps += Inner.T.Steps.size();
    Inner.T.finish();
    Use(Inner.T);
  }

  /// Follows a function outside of loops.
  void follow(int Frame) {
    const unsigned Function = T.Frames[Frame].Function;
    In.Reached[Function] = true;
    std::string Key;
    for (const Known &Param : T.Frames[Frame].Params)
      Key += Param.Number    ? std::to_string(*Param.Number) + ","
             : Param.NonNull ? "+,"
                             : ",";
    if (const Call *Made = T.Frames[Frame].Made)
      for (const Call::Argument &A : Made->Arguments) {
        Key += ';';
        if (StringRef(A.Function).starts_with("P:"))
          Key += std::to_string(
              T.functionGiven(T.Frames[Frame].Parent, A.Function));
        else
          Key += A.Function;
      }
    for (unsigned Class : T.Frames[Frame].Of.set_bits())
      Key += "|" + std::to_string(Class);
    if (!In.HoldsLoop[Function] ||
        !In.Followed.insert({Function, std::move(Key)}).second)
      return;
    // Other paths may reach it under other conditions.
    const std::vector<audit::Guard> Around = std::exchange(T.Guards, {});
    const int Outer = std::exchange(Guard, -1);
    run(Frame);
    T.Guards = Around;
    Guard = Outer;
  }

  //===-- Events ----------------------------------------------------------===//

  void happen(int Frame, const Event &E) {
    switch (E.Class) {
    case Event::CallMade:
      return call(Frame, E);
    case Event::SiteReached:
      return isOutside() ? void() : site(Frame, E);
    case Event::UnknownCall:
      return add(Step::Unknown, Frame, E);
    case Event::Passed:
      return isExpanded(Frame, E) ? void() : add(Step::Host, Frame, E);
    default:
      return add(Step::Host, Frame, E);
    }
  }

  /// Whether the function that gets the memory is followed: what it does with
  /// it are steps of their own.
  bool isExpanded(int Frame, const Event &Passed) const {
    const LinkedFunction &By = P.functions()[T.Frames[Frame].Function];
    for (unsigned C = 0; C < By.Callees.size(); ++C)
      if (By.Model->Calls[C].Location.Offset == Passed.Location.Offset &&
          By.Model->Calls[C].Location.File == Passed.Location.File)
        return llvm::any_of(By.Callees[C],
                            [&](unsigned F) { return In.Relevant[F]; });
    return false;
  }

  /// Whether an access to memory that is not followed comes after another one.
  bool repeatsAccess(int Frame, const Event &E) const {
    if (E.Class != Event::Accessed || T.Steps.empty())
      return false;
    const Step &Last = T.Steps.back();
    return Last.Class == Step::Host && Last.Frame == Frame &&
           Last.Guard == Guard && Last.Happened->Class == Event::Accessed;
  }

  void add(Step::Kind Kind, int Frame, const Event &E,
           const PathSite *Site = nullptr) {
    if (isOutside() || (Kind == Step::Host && repeatsAccess(Frame, E)))
      return;
    if (Kind != Step::Host)
      T.Calls.push_back(T.Steps.size());
    T.Steps.push_back({Kind, Frame, Guard, Stack.back(), &E, Site, E.Location});
    const bool Launches =
        Kind == Step::Queues || (Site && Site->Linked->Launches);
    if (Launches)
      for (int L : Stack) {
        ++T.Loops[L].Launches;
        T.Loops[L].Records += Site && !Site->Linked->QueuesWork;
      }
  }

  void site(int Frame, const Event &E) {
    const LinkedSite &S =
        P.sites()[P.functions()[T.Frames[Frame].Function].Sites[E.Index]];
    PathSite &Site = T.Sites.emplace_back();
    Site.Linked = &S;
    Site.Known = S.Known;
    Site.Effects = S.Effects;
    Site.Stream = T.streamOf(Frame, S, S.Model->StreamVal);
    if (S.Row)
      learn(Frame, Site);
    Site.LeavesWork = (S.QueuesWork && !Site.waits() &&
                       !S.cudaRow().contains("EventRecord")) ||
                      S.cudaRow().contains("StreamAttachMemAsync");
    if (Guard >= 0 && S.kind() == catalogue::CallClass::Free &&
        !S.Model->Args.empty() && T.Guards[Guard].Branch)
      T.Guards[Guard].IsOfFreed |=
          isNonNull(T.Guards[Guard].Branch->When, S.Model->Args[0].Number);
    add(Step::Site, Frame, E, &Site);
    if (S.cudaRow().ends_with("SetDevice") ||
        S.cudaRow().ends_with("CtxSetCurrent"))
      chooseDevice(Frame, S);
  }

  void chooseDevice(int Frame, const LinkedSite &S) {
    if (S.Model->Args.empty())
      return;
    const Known Device = value(Frame, S.Model->Args[0].Number);
    if (Device.Counted >= 0)
      T.Loops[Stack[Device.Counted]].OverDevices = true;
  }

  /// What the path adds to the facts of a call.
  void learn(int Frame, PathSite &Site) {
    const LinkedSite &S = *Site.Linked;
    bool IsNew = false;
    auto Restrict = [&](Fact F, uint32_t Mask) {
      uint32_t &Possible = Site.Known.Possible[unsigned(F)];
      IsNew |= Possible != (Possible & Mask);
      Possible &= Mask;
    };
    for (const KnownFact &One : S.Model->Facts) {
      if (llvm::none_of(One.Val.Slots,
                        [](StringRef Slot) { return Slot.starts_with("P:"); }))
        continue;
      Resolved Given = T.resolve(Frame, One.Val);
      if (!Given.known())
        continue;
      if (One.Subject == Fact::Stream && (Given.Mask & Null))
        Given.Mask =
            (Given.Mask & ~uint32_t(Null)) | P.defaultStream(S.Function);
      Restrict(One.Subject, Given.Mask);
    }
    if (catalogue::settled(Site.Known).impossible()) {
      Site.Known = S.Known;
      return;
    }
    if (!Site.Known.knows(Fact::Size))
      if (const std::optional<int64_t> Bytes = bytes(Frame, S))
        Restrict(Fact::Size, catalogue::sizeOf(*Bytes));
    if (IsNew && !S.Captured)
      Site.Effects = P.ask(*S.Row, Site.Known);
  }

  std::optional<int64_t> bytes(int Frame, const LinkedSite &S) {
    std::optional<int64_t> Result;
    for (unsigned I : sizeArguments(S.cudaRow())) {
      const std::optional<int64_t> Size =
          I < S.Model->Args.size()
              ? value(Frame, S.Model->Args[I].Number).Number
              : std::nullopt;
      if (!Size)
        return std::nullopt;
      Result = Result.value_or(1) * *Size;
    }
    return Result;
  }

  void call(int Frame, const Event &E) {
    const LinkedFunction &By = P.functions()[T.Frames[Frame].Function];
    const Call &Made = By.Model->Calls[E.Index];
    std::vector<unsigned> Callees = By.Callees[E.Index];
    if (StringRef(Made.ThroughSlot).starts_with("P:"))
      if (const int Given = T.functionGiven(Frame, Made.ThroughSlot);
          Given >= 0)
        Callees = {unsigned(Given)};
    if (Callees.empty())
      return add(Made.UsesStream && !Made.Uncertain ? Step::Queues
                                                    : Step::Unknown,
                 Frame, E);
    const int Outer = Guard;
    const std::vector<std::pair<unsigned, Objects>> Possible =
        In.Virtuals.targets(Made, Callees, T.Frames[Frame].Of);
    const bool IsChoice = Possible.size() > 1 || Made.Uncertain;
    const unsigned Decision = ++Decisions;
    for (const auto &[Callee, Of] : Possible) {
      if (IsChoice && !isOutside())
        choose(Frame, Outer, Made, Callee, Decision);
      expand(Frame, E, Made, Callee, Of);
      Guard = Outer;
    }
  }

  void choose(int Frame, int Outer, const Call &Made, unsigned Callee,
              unsigned Decision) {
    guard({Outer, Frame, nullptr, Stack.back(), Known(), &Made,
           P.functions()[Callee].Model, Decision, Premises(), false,
           Made.On == "this" && isChosen(Frame)});
  }

  /// Whether the path has chosen a function for the frame's own object.
  bool isChosen(int Frame) const {
    const audit::Frame &F = T.Frames[Frame];
    return F.Made && ((F.Guard >= 0 && T.Guards[F.Guard].Virtual == F.Made) ||
                      (F.Made->On == "this" && isChosen(F.Parent)));
  }

  void expand(int Frame, const Event &E, const Call &Made, unsigned Callee,
              const Objects &Of) {
    In.Reached[Callee] = true;
    if (!In.Relevant[Callee]) {
      if (!isOutside())
        T.Helpers.push_back({Stack.back(), Callee});
      return add(Step::Host, Frame, E);
    }
    if (Active.count(Callee))
      return;
    if (T.Steps.size() >= Limit) {
      T.Cut = &Made;
      return add(Step::Unknown, Frame, E);
    }
    Active.insert(Callee);
    audit::Frame Next;
    Next.Function = Callee;
    Next.Parent = Frame;
    Next.Made = &Made;
    Next.Of = Of;
    Next.Guard = Guard;
    Next.Loop = isOutside() ? -1 : Stack.back();
    Next.Depth = int(Stack.size()) - 1;
    for (const Call::Argument &A : Made.Arguments)
      Next.Params.push_back(value(Frame, A.Number));
    T.HasUnread |= P.functions()[Callee].Model->Unread;
    T.Frames.push_back(std::move(Next));
    const int Number = T.Frames.size() - 1;
    isOutside() ? follow(Number) : run(Number);
    if (isOutside())
      T.Frames.resize(Number); // The loops have copies.
    Active.erase(Callee);
  }

  Known value(int Frame, const Term &What) {
    const audit::Frame &Here = T.Frames[Frame];
    auto DepthOf = [&](int Scope) {
      for (int L : Stack)
        if (T.Loops[L].Frame == Frame && T.Loops[L].Scope == Scope)
          return T.Loops[L].Depth;
      return -1;
    };
    auto LevelOf = [&](const std::string &Slot) {
      for (size_t I = Stack.size(); I-- > 0;) {
        const LoopOnPath &L = T.Loops[Stack[I]];
        if (In.mayChange(T.Frames[L.Frame].Function, L.Scope, Slot))
          return L.Depth;
      }
      return -1;
    };
    auto DefaultOf = [&](const std::string &Slot) {
      return In.Options.of(Slot, T.Frames[0].Function);
    };
    return evaluate(P, What,
                    {Here.Function, Here.Params, Here.Depth,
                     int(Stack.size()) - 1, DepthOf, LevelOf, DefaultOf});
  }
};

void Tracer::follow(unsigned Function, llvm::function_ref<void(Trace &)> Use) {
  TraceBuilder(*this, Use).begin(Function);
}

} // namespace autoprof::audit
