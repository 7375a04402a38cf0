// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derives from times whether a call waited. A call waited for work if it did
// not return before that work, which lasts until the call returns or a timeout
// expires, timed out. Where only times are known, it waited if it took longer
// than with an idle GPU by at least half the length of the work: a call that is
// merely slow takes as long with an idle GPU.
#include "catalogue/Semantics.h"

using namespace autoprof::catalogue;

llvm::StringRef autoprof::catalogue::name(PriorWork B) {
  constexpr llvm::StringLiteral Names[] = {"own_stream", "other_nonblocking",
                                           "other_blocking", "legacy_stream"};
  return Names[unsigned(B)];
}

std::optional<bool> autoprof::catalogue::waitedFor(const Observation &O,
                                                   PriorWork Work,
                                                   int64_t QueuedNs) {
  if (std::optional<bool> Blocked = O.Blocked[unsigned(Work)])
    return Blocked;
  std::optional<int64_t> Ns = O.BehindNs[unsigned(Work)];
  if (!Ns || !O.IdleNs || QueuedNs <= 0)
    return std::nullopt;
  return *Ns - *O.IdleNs > QueuedNs / 2;
}

std::optional<Verdict> autoprof::catalogue::verdict(const Observation &O,
                                                    int64_t QueuedNs) {
  if (!O.Error.empty())
    return std::nullopt;
  auto Waited = [&](PriorWork Work) { return waitedFor(O, Work, QueuedNs); };
  std::optional<bool> Own = Waited(PriorWork::OwnStream),
                      Foreign = Waited(PriorWork::OtherNonBlocking),
                      Blocking = Waited(PriorWork::OtherBlocking),
                      Legacy = Waited(PriorWork::Legacy);
  // Only a wait for the device includes another non-blocking stream.
  if (Foreign.value_or(false) && Own.value_or(true))
    return Verdict{Waits::Yes, WaitsFor::Device};
  for (std::optional<bool> W : {Own, Foreign, Blocking, Legacy})
    if (W.value_or(false))
      return Verdict{Waits::Yes, WaitsFor::Stream};
  if (!Own && !Legacy)
    return std::nullopt;
  return Verdict{O.Slow ? Waits::Slow : Waits::No, WaitsFor::Nothing};
}
