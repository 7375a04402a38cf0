// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-thrust-waits: a Thrust algorithm on the device with a policy that
// waits, or elements of a device_vector that are filled or copied, in a
// launching loop.
#include "audit/Neighbors.h"
#include "audit/rules/Common.h"
#include "audit/rules/Order.h"
#include "audit/rules/Thrust.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::Waits;
using llvm::StringRef;

static bool fillsVector(const LinkedSite &S) {
  StringRef Name = S.cudaRow();
  return Name.consume_front("thrust::device_vector::") &&
         (Name == "device_vector" || Name == "operator=" || Name == "assign" ||
          Name == "insert" || Name == "erase" || Name == "push_back");
}

/// Whether the algorithm would not wait with par_nosync.
static bool needsNoWait(const LinkedSite &S) {
  catalogue::Facts Known = S.Known;
  Known.Possible[unsigned(catalogue::Fact::Flag)] = NoSyncPolicy;
  return isThrustAlgorithm(S) &&
         catalogue::ask(*S.Row, Known).Wait == Waits::No;
}

/// `thrust::sort(thrust::cuda::par_nosync.on(s), first, last)`, or a
/// description if the arguments are too long to show.
static std::string withPolicy(const LinkedSite &S, StringRef Policy) {
  std::string Result = S.Model->Callee + "(" + Policy.str();
  bool IsFirst = true;
  for (const Arg &A : S.Model->Args) {
    if (StringRef(A.Text).ends_with("..."))
      return S.Model->Callee + " with " + Policy.str() + " as its policy";
    if (!std::exchange(IsFirst, false) || !policyOf(S))
      if (!A.Text.empty())
        Result += ", " + A.Text;
  }
  return Result + ")";
}

/// What the program must do if the algorithm no longer waits.
static std::string afterwards(const WaitReason &Why) {
  const std::string At =
      Why.Location.Line ? " at " + fileAndLine(Why.Location) : "";
  switch (Why.Class) {
  case WaitReason::None:
    break;
  case WaitReason::OtherStream:
    return ". The work" + At +
           " may be on another stream, which must then wait for it "
           "(cudaEventRecord, cudaStreamWaitEvent)";
  case WaitReason::HostReads:
    return ". The host must then wait for the stream before it reads the "
           "data" +
           At;
  case WaitReason::Clock:
    return ". Wait for the stream before the clock is read" + At +
           ", if it times this work";
  case WaitReason::Unseen:
    return ". Wait for the stream before the host or another stream uses the "
           "result";
  }
  return "";
}

static void suggestNoSync(const Project &P, const LinkedSite &S, Finding &F) {
  const Arg *Written = policyOf(S);
  const WaitReason Why = whyThrustWaits(P, S);
  if (!Written) {
    // An iterator; an unknown argument may be a policy with another name.
    if (const Arg *First = argument(S, 0);
        First && P.resolve(S, First->Val).known())
      F.Replacement =
          withPolicy(S, "thrust::cuda::par_nosync") + afterwards(Why);
    else
      F.Replacement += afterwards({WaitReason::Unseen, {}});
    return;
  }
  std::string Policy = noSyncForm(policyText(*Written));
  if (Policy.empty()) {
    F.Replacement += afterwards({WaitReason::Unseen, {}});
    return;
  }
  F.Replacement = withPolicy(S, Policy) + afterwards(Why);
  // A variable is left alone: its other uses may need the wait.
  if (Written->Extent.Length && Written->Definition.empty() &&
      Why.Class == WaitReason::None)
    F.FixIts.push_back({Written->Extent, std::move(Policy)});
}

static bool isHostsOwn(const Moment &M) {
  return isQuiet(M) || M.Class == Moment::HostData;
}

static const LinkedSite *
firstWait(const Project &P, llvm::ArrayRef<Moment> Next, unsigned Depth) {
  auto WaitAt = [&](const Moment &M) -> const LinkedSite * {
    if (M.Callee >= 0 && Depth < 4)
      return firstWait(P, Neighbors(P, M.Callee).afterBegin(isHostsOwn),
                       Depth + 1);
    const bool Waits = M.Linked &&
                       M.Linked->Effects.Wait == catalogue::Waits::Yes &&
                       (M.Linked->kind() == catalogue::CallClass::Copy ||
                        M.Linked->kind() == catalogue::CallClass::Sync);
    return Waits ? M.Linked : nullptr;
  };
  return !Next.empty() && llvm::all_of(Next, WaitAt) ? WaitAt(Next.front())
                                                     : nullptr;
}

/// A copy or an explicit wait that is the next GPU call, possibly the first one
/// of a called function: without the algorithm's wait, the host would wait
/// there.
static const LinkedSite *waitsNext(const Project &P, const LinkedSite &S) {
  return firstWait(P, Neighbors(P, S.Function).following(S, isHostsOwn), 0);
}

/// A vector that is created once keeps the elements of the last iteration.
static std::string createOnce(const Project &P, const LinkedSite &S) {
  const Arg *First = argument(S, 0);
  constexpr uint32_t NoSource =
      uint32_t(Null) | uint32_t(Legacy) | uint32_t(PerThread);
  const bool IsCopy = First && (P.resolve(S, First->Val).Mask & ~NoSource) &&
                      P.resolve(S, First->Val).known();
  // A single argument may be a size, but also a container of the host.
  const bool IsSingle = First && S.Model->Args.size() == 1 && !IsCopy;
  return std::string("create it once, outside loops, and ") +
         (IsSingle ? "give its elements their values"
          : IsCopy ? "copy its elements"
                   : "fill it") +
         " again in each iteration" +
         (IsSingle ? " (zeros: cudaMemsetAsync on the stream of the work that "
                     "uses it)"
                   : "") +
         ", unless all of them are overwritten before they are read. A vector "
         "that is moved, or kept for longer, must be created each time";
}

void checkThrustWaits(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (S.Model->Hidden || S.Effects.Wait != Waits::Yes ||
        !(isThrustAlgorithm(S) || fillsVector(S)))
      continue;
    Hot H = P.hot(S);
    if (!H.IsHot)
      continue;
    Finding F = findingAt(P, S, H);
    F.Message = S.Model->Callee + " waits for " + whatIsWaitedFor(P, S) + " " +
                eachIteration(P, H);
    if (S.cudaRow() != "thrust::device_vector::device_vector") {
      if (!S.Effects.Reason.empty())
        F.Message += ": " + S.Effects.Reason;
    } else {
      F.Message += ": construction fills it and synchronizes the stream; "
                   "destruction frees its memory";
      F.Replacement = createOnce(P, S);
    }
    if (needsNoWait(S))
      suggestNoSync(P, S, F);
    if (const LinkedSite *Next = waitsNext(P, S)) {
      F.Level = std::min(F.Level, Severity::Low);
      F.Notes.push_back({Next->Model->Location, "this call waits next"});
    }
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
