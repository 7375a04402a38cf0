// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-copy-async-pageable: an asynchronous copy from or to memory that is
// known to be pageable. The driver stages it, and the call waits.
#include "audit/rules/Common.h"

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::Fact;

/// Where the pageable memory comes from: of the argument that is host memory.
static Resolved hostMemory(const Project &P, const LinkedSite &S) {
  const Fact Side = isToHost(S) ? Fact::Destination : Fact::Source;
  for (const KnownFact &Known : S.Its->Facts)
    if (Known.About == Side)
      return P.resolve(S, Known.Is);
  return {};
}

void checkCopyAsyncPageable(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (S.kind() != catalogue::CallClass::Copy || !isAsynchronous(S) ||
        !catalogue::mayWait(S.Does.Wait) || !isBetweenHostAndDevice(S))
      continue;
    Resolved Memory = hostMemory(P, S);
    if (Memory.Mask != Pageable)
      continue;
    Hot H = P.hot(S);
    if (!H.Is)
      continue;
    Finding F = findingAt(P, S, H);
    const std::string What =
        Memory.By.empty() ? "pageable" : "pageable (" + Memory.By + ")";
    if (S.Does.Wait == catalogue::Waits::Yes)
      F.Message = S.Its->Callee + " waits " + eachIteration(P, H) +
                  " for its stream, because its host memory is " + What;
    else
      F.Message = S.Its->Callee + " may wait " + eachIteration(P, H) +
                  ": its host memory is " + What +
                  ", and whether the driver can stage it depends on the size "
                  "(1 MiB does not wait, 64 MiB does)";
    if (Memory.At.Line)
      F.Notes.push_back({Memory.At, "the memory is made here"});
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
