// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-unsafe-early-read, autoprof-unsafe-buffer-lifetime
// -----------------------------------------------------------
// An asynchronous copy of pinned memory has only been queued when its call
// returns. Until a wait, the host must not read its destination, nor change or
// free its source. These rules find missing waits, perhaps ones that were
// removed. UnsafeKernels.cpp finds those for kernels.
#include "audit/rules/Unsafe.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

using namespace catalogue::values;
using llvm::StringRef;

Finding findingAt(const LinkedSite &S) {
  Finding F;
  F.Site = &S;
  F.Location = S.Model->Location;
  F.Level = Severity::Medium;
  F.Certainty = Confidence::Medium;
  return F;
}

bool isToHost(const LinkedSite &S) {
  return catalogue::settled(S.Known)[catalogue::Fact::Direction] == DtoH;
}

bool isBetweenHostAndDevice(const LinkedSite &S) {
  const uint32_t Direction =
      catalogue::settled(S.Known)[catalogue::Fact::Direction];
  return S.kind() == catalogue::CallClass::Copy &&
         !(Direction & ~uint32_t(DtoH | HtoD));
}

namespace {

/// One of the host's buffers, as a copy uses it.
struct HostSide {
  const Arg *Memory = nullptr;
  bool IsDestination = false;
};

} // namespace

/// The pinned memory of an asynchronous copy, if it can be followed.
static HostSide pinnedSide(const Project &P, const LinkedSite &S) {
  StringRef Row = S.cudaRow();
  if (Row != "cudaMemcpyAsync" && Row != "cudaMemcpy2DAsync" &&
      Row != "cuMemcpyDtoHAsync" && Row != "cuMemcpyHtoDAsync")
    return {};
  if (S.Captured || !isBetweenHostAndDevice(S) ||
      S.Effects.Wait != catalogue::Waits::No)
    return {};
  HostSide Result;
  Result.IsDestination = isToHost(S);
  Result.Memory = argument(S, Result.IsDestination      ? 0
                              : Row.contains("2DAsync") ? 2
                                                        : 1);
  if (!Result.Memory || Result.Memory->Cell < 0 ||
      !isWhole(Result.Memory->Text) ||
      P.functionOf(S).Cells[Result.Memory->Cell].Rebound ||
      P.resolve(S, Result.Memory->Val).Mask != Pinned)
    return {};
  return Result;
}

static void report(const Project &P, const LinkedSite &S, const Arg &Memory,
                   llvm::ArrayRef<Event::Kind> Kinds, StringRef Description,
                   std::vector<Finding> &Out) {
  const Cell &Buffer = P.functionOf(S).Cells[Memory.Cell];
  for (const Event *E : AfterWork(P, S).unawaited(Kinds, Memory.Cell)) {
    if (isOtherVariable(P, S, Memory.Cell, E->Location))
      continue;
    Finding F = findingAt(S);
    const bool Dies = E->Class == Event::Dies;
    F.Message = "the host " + (Dies ? "releases" : Description.str()) + " '" +
                Buffer.Name + "' before it waits for " + S.Model->Callee +
                ", which has only been queued";
    F.Replacement =
        "call cudaEventRecord after the copy and cudaEventSynchronize "
        "before this use";
    F.Notes.push_back(
        {E->Location, Dies ? "its memory is released here" : "used here"});
    Out.push_back(std::move(F));
    return;
  }
}

void checkUnsafeEarlyRead(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites())
    if (HostSide Side = pinnedSide(P, S); Side.Memory && Side.IsDestination)
      report(P, S, *Side.Memory, {Event::Read}, "reads", Out);
  findEarlyCopies(P, Out);
  findEarlyManagedReads(P, Out);
}

void checkUnsafeBufferLifetime(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    HostSide Side = pinnedSide(P, S);
    if (!Side.Memory)
      continue;
    if (Side.IsDestination)
      report(P, S, *Side.Memory, {Event::Dies}, "", Out);
    else
      report(P, S, *Side.Memory, {Event::Written, Event::Dies}, "changes", Out);
  }
  findEarlyPoolFrees(P, Out);
  findEarlyManagedWrites(P, Out);
}

} // namespace autoprof::audit
