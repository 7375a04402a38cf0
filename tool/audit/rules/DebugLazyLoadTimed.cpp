// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-debug-lazy-load-timed: the first launch of a kernel is inside a
// timed section. The driver loads a kernel's code at its first launch, so the
// loading is timed too. A timed section is between two events passed to
// cudaEventElapsedTime, between two calls whose names start and stop a clock,
// or between the only two times that a function reads.
#include "audit/Neighbors.h"
#include "audit/rules/Common.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace autoprof::audit {

using llvm::StringRef;

static bool isRecordOf(const Moment &M, StringRef Event) {
  const Arg *Recorded = M.Linked ? argument(*M.Linked, 0) : nullptr;
  return Recorded && M.Linked->cudaRow().contains("EventRecord") &&
         Recorded->Text == Event;
}

/// Every path backwards reaches the start of the pair before its stop, and
/// every path forwards reaches the stop before another start.
static bool isBetween(const Neighbors &Near, const LinkedSite &S,
                      StringRef Start, StringRef Stop) {
  auto MayPass = [&](const Moment &M) {
    return M.Class != Moment::Edge && !isRecordOf(M, Start) &&
           !isRecordOf(M, Stop);
  };
  const std::vector<Moment> Before = Near.preceding(S, MayPass),
                            After = Near.following(S, MayPass);
  return !Before.empty() && !After.empty() &&
         llvm::all_of(Before,
                      [&](const Moment &M) { return isRecordOf(M, Start); }) &&
         llvm::all_of(After,
                      [&](const Moment &M) { return isRecordOf(M, Stop); });
}

static bool isBetweenEvents(const Project &P, const Neighbors &Near,
                            const LinkedSite &S) {
  return llvm::any_of(P.functions()[S.Function].Sites, [&](unsigned I) {
    const LinkedSite &Time = P.sites()[I];
    const Arg *Start = argument(Time, 1), *Stop = argument(Time, 2);
    return Time.cudaRow() == "cudaEventElapsedTime" && Start && Stop &&
           isBetween(Near, S, Start->Text, Stop->Text);
  });
}

static bool says(const Moment &M, llvm::ArrayRef<StringRef> Words) {
  return llvm::any_of(
      Words, [&](StringRef Word) { return M.Name.contains_insensitive(Word); });
}

static bool readsTimeTwice(const Function &F) {
  unsigned Times = 0;
  for (const Block &B : F.Blocks)
    Times += llvm::count_if(
        B.Events, [](const Event &E) { return E.Class == Event::Clock; });
  return Times == 2;
}

static bool isBetweenClocks(const Project &P, const Neighbors &Near,
                            const LinkedSite &S) {
  auto MayPass = [](const Moment &M) {
    return M.Class != Moment::Edge && !isClock(M);
  };
  const std::vector<Moment> Before = Near.preceding(S, MayPass),
                            After = Near.following(S, MayPass);
  if (Before.empty() || After.empty() || !llvm::all_of(Before, isClock) ||
      !llvm::all_of(After, isClock))
    return false;
  auto IsTime = [](const Moment &M) { return M.Class == Moment::Clock; };
  if (llvm::all_of(Before, IsTime) && llvm::all_of(After, IsTime))
    return readsTimeTwice(P.functionOf(S));
  return llvm::all_of(Before,
                      [](const Moment &M) {
                        return says(M, {"start", "begin", "tic", "reset"});
                      }) &&
         llvm::all_of(After, [](const Moment &M) {
           return says(M, {"stop", "end", "toc", "elapsed", "getTime"});
         });
}

/// Whether the text contains the name as a whole word.
static bool namesIt(StringRef Text, StringRef Name) {
  auto IsPartOfName = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  for (size_t Begin = Text.find(Name);
       !Name.empty() && Begin != StringRef::npos;
       Begin = Text.find(Name, Begin + 1)) {
    const StringRef Rest = Text.drop_front(Begin + Name.size());
    if ((!Begin || !IsPartOfName(Text[Begin - 1])) &&
        (Rest.empty() || !IsPartOfName(Rest.front())))
      return true;
  }
  return false;
}

/// Whether the call gets the kernel itself, as cudaFuncGetAttributes and
/// cudaOccupancyMaxPotentialBlockSize do: these load its code, too.
static bool asksAboutKernel(const LinkedSite &S, StringRef Kernel) {
  if (!S.Row || !(S.cudaRow().starts_with("cudaFunc") ||
                  S.cudaRow().starts_with("cudaOccupancy")))
    return false;
  return llvm::any_of(S.Model->Args,
                      [&](const Arg &A) { return namesIt(A.Text, Kernel); });
}

/// Neither a launch of the kernel nor a question about it can come before this
/// launch: all of them are later in this function.
static bool isFirst(const Project &P, const Neighbors &Near,
                    const LinkedSite &S) {
  const auto Loads = [&S](const LinkedSite &Other) {
    return Other.Model->Kernel == S.Model->Kernel ||
           asksAboutKernel(Other, S.Model->Callee);
  };
  for (const LinkedSite &Other : P.sites())
    if (Other.Function != S.Function && Loads(Other))
      return false;
  bool Before = false;
  Near.preceding(S, [&](const Moment &M) {
    Before |= M.Linked && M.Linked != &S && Loads(*M.Linked);
    return M.Class != Moment::Edge;
  });
  return !Before;
}

void checkDebugLazyLoadTimed(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (S.Row || S.Model->Kernel.empty() || S.OnErrorPath ||
        P.loopAround(S.Function, S.Model->Scope) >= 0 || P.hot(S).IsHot)
      continue;
    const Neighbors Near(P, S.Function);
    if (!isFirst(P, Near, S) ||
        (!isBetweenEvents(P, Near, S) && !isBetweenClocks(P, Near, S)))
      continue;
    Finding F = findingAt(P, S, {});
    F.Message = "the first launch of " + S.Model->Callee +
                " loads the kernel's code, and the timing includes it";
    F.Replacement = "set ";
    F.Replacement += P.isHip(S.Function) ? "HIP_ENABLE_DEFERRED_LOADING=0"
                                         : "CUDA_MODULE_LOADING=EAGER";
    F.Replacement +=
        ", or launch it once before the clock starts, on scratch data. Another "
        "launch on the same data changes the results if the kernel updates "
        "data in place";
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
