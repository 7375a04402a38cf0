// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which synchronizations can be left out, whatever a program did before.
#include "audit/rules/Rules.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

using catalogue::CallClass;
using catalogue::WaitsFor;
using llvm::StringRef;

namespace {

/// Of one step of a trace, an explicit wait.
class Proof {
  const Trace &T;
  const size_t At;
  const Step &S;

public:
  Proof(const Trace &T, size_t At) : T(T), At(At), S(T.Steps[At]) {}

  bool holds() const {
    // Events have been recorded who knows where.
    return !S.Call->Linked->Captured &&
           S.Call->Effects.Target != WaitsFor::Event &&
           (isDone() || isWaitedForNext());
  }

private:
  /// Whether it waits for whatever this one waits for.
  bool coversAll(const Step &Other, size_t Before) const {
    const bool IsDevice = S.Call->Effects.Target == WaitsFor::Device;
    return waitsForAll(T, &Other - T.Steps.data(), Before,
                       IsDevice ? StreamId() : S.Call->Stream);
  }

  bool isDone() const {
    const Pending Before = pendingAt(T, At);
    if (!Before.isNothing() || !Before.Done)
      return false;
    const Step &Done = *Before.Done;
    const size_t Index = &Done - T.Steps.data();
    const LinkedSite &By = *Done.Call->Linked;
    // In the same iteration: the first one has none before it.
    return Index > T.Loops[S.Loop].Begin && Index < At && Done.Loop == S.Loop &&
           (By.kind() == CallClass::Sync ||
            (By.kind() == CallClass::Copy && !isAsynchronous(By) &&
             isToHost(*Done.Call))) &&
           Done.Call->Effects.Target != WaitsFor::Event &&
           coversAll(Done, Index - 1);
  }

  static bool isToHost(const PathSite &Copy) {
    return catalogue::settled(Copy.Known)[catalogue::Fact::Direction] ==
           catalogue::values::DtoH;
  }

  bool isWaitedForNext() const {
    const Step *Next = supersededBy(T, At);
    if (!Next || Next < &S || Next->Loop != S.Loop || !coversAll(*Next, At))
      return false;
    return std::all_of(&S + 1, Next, [&](const Step &Between) {
      if (Between.Call)
        return Between.Call->Linked->cudaRow().contains("LastError");
      // What stands in the call's arguments.
      return Between.Class == Step::Host && Between.Frame == Next->Frame &&
             Between.Location.File == Next->Location.File &&
             Between.Location.Line >= Next->Location.Line;
    });
  }
};

bool selectsDevice(const Step &S) {
  if (!S.Call)
    return false;
  const StringRef Row = S.Call->Linked->cudaRow();
  return Row.contains("SetDevice") || Row.starts_with("cuCtx");
}

/// Whether all ways to a place of the function go through a launching loop, so
/// that traces show all of them.
bool isTraced(const Project &P, const std::vector<bool> &Launching,
              unsigned Function, int Scope, unsigned Depth = 0) {
  constexpr unsigned Deepest = 16;
  const LinkedFunction &F = P.functions()[Function];
  for (int In = Scope; In >= 0; In = F.Model->Scopes[In].Parent) {
    const audit::Scope &Around = F.Model->Scopes[In];
    // Traces leave out what runs then.
    if (Around.Class == audit::Scope::Error ||
        Around.Class == audit::Scope::Once)
      return false;
    if (Around.Class == audit::Scope::Loop &&
        mayLaunch(P, Launching, Function, In))
      return true;
  }
  return Depth < Deepest && !P.isStored(Function) && F.Model->Class.empty() &&
         !F.Callers.empty() &&
         llvm::all_of(
             F.Callers,
             [&](const LinkedFunction::Caller &By) {
               const Call &Made =
                   P.functions()[By.Function].Model->Calls[By.Call];
               return isTraced(P, Launching, By.Function, Made.Scope,
                               Depth + 1);
             });
}

} // namespace

std::vector<Need> needs(const Project &P) {
  std::vector<Need> Result(P.sites().size(), Need::Unknown);
  bool IsCut = false;
  forTraces(P, [&](const Trace &T) {
    IsCut |= T.Cut != nullptr;
    // Devices are not followed.
    const bool HasOne = llvm::none_of(
        T.Calls, [&](size_t I) { return selectsDevice(T.Steps[I]); });
    for (size_t I : T.Calls) {
      const PathSite *Call = T.Steps[I].Call;
      if (!Call || Call->Linked->kind() != CallClass::Sync)
        continue;
      Need &Known = Result[Call->Linked - P.sites().data()];
      if (Known != Need::Perhaps)
        Known = HasOne && Proof(T, I).holds() ? Need::None : Need::Perhaps;
    }
  });
  const std::vector<bool> Launching = launching(P);
  for (size_t I = 0; I < Result.size(); ++I) {
    const LinkedSite &S = P.sites()[I];
    if (Result[I] == Need::None &&
        (IsCut || S.OnErrorPath ||
         !isTraced(P, Launching, S.Function, S.Model->Scope)))
      Result[I] = Need::Unknown;
  }
  return Result;
}

} // namespace autoprof::audit
