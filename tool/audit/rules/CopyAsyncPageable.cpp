// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-copy-async-pageable: an asynchronous copy from or to memory that is
// known to be pageable. The driver stages it, and the call waits.
#include "audit/rules/Advice.h"
#include "audit/rules/AdviceParts.h"
#include "audit/rules/Readback.h"
#include "catalogue/Remedies.h"

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::Fact;

/// Where the pageable memory of the host-side argument comes from.
static Resolved hostMemory(const Project &P, const LinkedSite &S) {
  const Fact Side = isToHost(S) ? Fact::Destination : Fact::Source;
  for (const KnownFact &Known : S.Model->Facts)
    if (Known.Subject == Side)
      return P.resolve(S, Known.Val);
  return {};
}

/// Pageable memory is safe to touch when the call returns.
static std::string insteadOfPageable(const LinkedSite &S) {
  const llvm::StringRef Memory = catalogue::remedyOf(*S.Row).Memory;
  return (Memory.empty() ? S.Effects.Replacement : Memory).str() +
         (isToHost(S)
              ? ". The copy into pageable memory was the wait: wait for an "
                "event before the host reads or overwrites the buffer"
              : ". Wait for an event before the host overwrites the buffer");
}

void checkCopyAsyncPageable(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (S.kind() != catalogue::CallClass::Copy || !isAsynchronous(S) ||
        !catalogue::mayWait(S.Effects.Wait) || !isBetweenHostAndDevice(S))
      continue;
    Resolved Memory = hostMemory(P, S);
    const bool MayBePinned = Memory.Mask == (Pageable | Pinned);
    if (Memory.Mask != Pageable && !MayBePinned)
      continue;
    Hot H = P.hot(S);
    if (!H.IsHot)
      continue;
    Finding F = findingAt(P, S, H);
    const std::string Kind =
        Memory.Maker.empty() ? "pageable" : "pageable (" + Memory.Maker + ")";
    if (MayBePinned) {
      F.Level = std::min(F.Level, Severity::Low);
      F.Message = S.Model->Callee + " may wait " + eachIteration(P, H) +
                  ": its host memory is pinned or pageable, depending on how "
                  "the program allocates it";
    } else if (S.Effects.Wait == catalogue::Waits::Yes)
      F.Message = S.Model->Callee + " waits " + eachIteration(P, H) +
                  " for its stream, because its host memory is " + Kind;
    else
      F.Message = S.Model->Callee + " may wait " + eachIteration(P, H) +
                  ": its host memory is " + Kind +
                  ", and whether the driver can stage it depends on the size "
                  "(a copy to the device waits from 4 MiB on, and not up to "
                  "2 MiB)";
    F.Replacement = insteadOfPageable(S);
    if (Memory.Location.Line)
      F.Notes.push_back({Memory.Location, "the memory is allocated here"});
    if (const LinkedSite *Wait = completingWait(P, S)) {
      addCompletingWait(*Wait, F);
      F.Replacement =
          "pinned host memory (cudaMallocHost), and " + Wait->Model->Callee +
          " replaced by a wait for an event where the data is "
          "first used" +
          (mayBlockForInput(P, S) ? "" : ", or one iteration later");
      // Such a wait would come at the same point.
      if (F.Use.When == FirstUse::AtOnce)
        adviseCopy(P, F);
    }
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
