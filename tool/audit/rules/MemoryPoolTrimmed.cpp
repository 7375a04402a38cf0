// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-memory-pool-trimmed: in a launching loop, memory goes back to the
// default pool before the host synchronizes. With the release threshold that a
// pool has at first, 0, each synchronization gives that memory back to the
// system, and the next allocation maps memory again.
#include "audit/Neighbors.h"
#include "audit/rules/Common.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

namespace autoprof::audit {

using llvm::StringRef;

/// From the device's default pool: the form that takes a pool has one more
/// argument.
static bool isAllocation(const LinkedSite &S) {
  return S.cudaRow() == "cudaMallocAsync" && S.Model->Args.size() == 3;
}

static bool isFree(const LinkedSite &S) {
  return S.cudaRow() == "cudaFreeAsync";
}

/// Whether the program may keep the memory of a pool, or replace the default
/// pool. Attributes that are not spelled out may be the threshold.
static bool configuresPools(const LinkedSite &S) {
  const StringRef Row = S.cudaRow();
  const Arg *Attribute = argument(S, 1);
  return Row == "cudaDeviceSetMemPool" || Row == "cuDeviceSetMemPool" ||
         ((Row == "cudaMemPoolSetAttribute" ||
           Row == "cuMemPoolSetAttribute") &&
          !(Attribute &&
            StringRef(Attribute->Text).contains_insensitive("reuse")));
}

/// Code that is not read may set the threshold: a program is judged if its main
/// is read.
static bool keepsDefaults(const Project &P) {
  return llvm::none_of(P.sites(), configuresPools) &&
         llvm::any_of(P.functions(), [](const LinkedFunction &F) {
           return F.Model->Name == "main";
         });
}

/// Whether, in the function of an explicit wait, memory is surely freed before
/// it, by a call of the API or last in a called function, and none is allocated
/// in between: memory in use is not trimmed.
static bool trims(const Project &P, const LinkedSite &Wait) {
  const auto IsOfPool = [](const LinkedSite &S) {
    return isFree(S) || isAllocation(S);
  };
  const auto Passes = [&](const Moment &M) {
    if (M.Linked)
      return !IsOfPool(*M.Linked) && !isExplicitWait(*M.Linked);
    return M.Callee < 0 ||
           llvm::none_of(
               P.functions()[M.Callee].Sites,
               [&](unsigned I) { return IsOfPool(P.sites()[I]); });
  };
  std::vector<Moment> Before =
      Neighbors(P, Wait.Function).preceding(Wait, Passes);
  for (size_t I = Before.size(); I--;)
    if (Before[I].Callee >= 0)
      llvm::append_range(Before,
                         Neighbors(P, Before[I].Callee).beforeEnd(Passes));
  return llvm::any_of(Before, [&P](const Moment &M) {
    return M.Linked && isFree(*M.Linked) &&
           P.hot(*M.Linked).often() == Frequency::Each;
  });
}

/// An explicit wait in each iteration of the loop that trims the pool, or null.
static const LinkedSite *trimmingWait(const Project &P, const Hot &H) {
  for (const LinkedSite &W : P.sites())
    if (isExplicitWait(W) && W.Effects.Wait == catalogue::Waits::Yes &&
        !W.OnErrorPath &&
        P.isWithin(W.Function, W.Model->Scope, H.Function, H.Loop) &&
        P.hot(W).often() == Frequency::Each && trims(P, W))
      return &W;
  return nullptr;
}

void checkMemoryPoolTrimmed(const Project &P, std::vector<Finding> &Out) {
  if (!keepsDefaults(P))
    return;
  // The remedy is for all allocations: the first of each loop has the finding.
  std::map<std::pair<unsigned, int>, size_t> OfLoop;
  for (const LinkedSite &S : P.sites()) {
    if (!isAllocation(S) || S.Captured || S.OnErrorPath ||
        P.isHip(S.Function)) // Its pools were not measured.
      continue;
    const Hot H = P.hot(S);
    if (!H.IsHot || H.often() != Frequency::Each)
      continue;
    const LinkedSite *Wait = trimmingWait(P, H);
    if (!Wait)
      continue;
    const auto [It, IsNew] = OfLoop.insert({{H.Function, H.Loop}, Out.size()});
    if (!IsNew) {
      Out[It->second].Also.push_back(&S);
      continue;
    }
    Finding F = findingAt(P, S, H, Cost::AsWait);
    F.Level = std::min(F.Level, Severity::Medium);
    F.Certainty = Confidence::Medium; // Libraries may set the threshold.
    F.Message = S.Model->Callee + " maps memory again " + eachIteration(P, H) +
                ", because " + Wait->Model->Callee +
                " gives the pool's free memory back to the system";
    F.Notes.push_back({Wait->Model->Location, "the pool is trimmed here"});
    F.Replacement =
        "once at start-up, cudaMemPoolSetAttribute(pool, "
        "cudaMemPoolAttrReleaseThreshold, &most), with the pool of "
        "cudaDeviceGetDefaultMemPool, and UINT64_MAX as what it keeps at most";
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
