// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-thrust-default-stream: a Thrust algorithm without a stream, in a
// function that queues other work on its own stream.
#include "audit/rules/Common.h"
#include "audit/rules/Thrust.h"

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::Fact;

static bool isOnNamedStream(const LinkedSite &S) {
  const uint32_t Possible = S.Known[Fact::Stream];
  return S.QueuesWork && S.Known.knows(Fact::Stream) &&
         !(Possible & ~uint32_t(Blocking | NonBlocking));
}

static bool isOnDefaultStream(const LinkedSite &S) {
  const uint32_t Possible = S.Known[Fact::Stream];
  return isThrustAlgorithm(S) && (Possible == Legacy || Possible == PerThread);
}

/// The first site of the function that is on a named stream, or null.
static const LinkedSite *namedWork(const Project &P, const LinkedFunction &F) {
  for (unsigned I : F.Sites)
    if (isOnNamedStream(P.sites()[I]) && !P.sites()[I].OnErrorPath &&
        !P.sites()[I].Captured)
      return &P.sites()[I];
  return nullptr;
}

void checkThrustDefaultStream(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedFunction &F : P.functions()) {
    const LinkedSite *Named = namedWork(P, F);
    if (!Named)
      continue;
    for (unsigned I : F.Sites) {
      const LinkedSite &S = P.sites()[I];
      if (S.Captured || !isOnDefaultStream(S))
        continue;
      const bool Unordered = S.Known[Fact::Stream] == PerThread ||
                             Named->Known[Fact::Stream] == NonBlocking;
      Finding Found = findingAt(P, S, P.hot(S));
      Found.Message = S.Model->Callee + " runs on the default stream, " +
                      (Unordered ? "unordered with" : "and does not overlap") +
                      " the work that this function queues on its own stream";
      Found.Replacement =
          S.Model->Callee + "(thrust::cuda::par.on(stream), ...)";
      Found.Notes.push_back(
          {Named->Model->Location, "this work is on a stream"});
      Out.push_back(std::move(Found));
    }
  }
}

} // namespace autoprof::audit
