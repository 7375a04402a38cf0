// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calibrate/Sampling.h"

#include "calibrate/Bench.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::calibrate;
using catalogue::Observation;
using catalogue::PriorWork;

namespace {

constexpr int64_t Ms = 1'000'000;
/// A call that takes longer is sampled less often.
constexpr int64_t LongNs = 50 * Ms;
/// More than a call that only queues work should take.
constexpr int64_t SlowNs = 200'000;

/// Long enough that the call's own time cannot be mistaken for a wait.
int64_t spinFor(int64_t IdleNs) {
  return std::min(QueuedNs + 4 * IdleNs, std::max(QueuedNs, 2'000 * Ms));
}

struct Column {
  int64_t Ns = 0;
  bool Blocked = false;
};

/// None: a sample failed. The fastest sample counts: disturbances only add
/// time.
std::optional<Column> behind(PriorWork Work, int64_t IdleNs, TakeSample Take) {
  Queued Q{Work, spinFor(IdleNs)};
  std::optional<Column> Best;
  unsigned Times = IdleNs > LongNs ? 1 : 2;
  for (unsigned I = 0; I < Times; ++I) {
    Sample S = Take(Q);
    if (!S.Taken)
      return std::nullopt;
    if (!Best || S.Ns < Best->Ns)
      Best = {S.Ns, S.GaveUp && (!Best || Best->Blocked)};
    // It waited for nearly all of the work and not much longer, which is not
    // chance.
    if (S.GaveUp && S.Ns > Q.Ns * 9 / 10 && S.Ns < Q.Ns + IdleNs * 2 + Ms)
      break;
  }
  return Best;
}

} // namespace

Observation calibrate::observe(const Case &C, TakeSample Take) {
  Observation O;
  O.Call = C.Call;
  O.Arguments = C.Arguments;
  O.Known = C.Known;
  Sample First = Take({});
  if (!First.Taken)
    return O;
  O.FirstNs = First.Ns;
  unsigned Times = First.Ns > 10 * LongNs ? 1 : First.Ns > LongNs ? 2 : 3;
  for (unsigned I = 0; I < Times; ++I) {
    Sample S = Take({});
    if (!S.Taken)
      return O;
    O.IdleNs = std::min(O.IdleNs.value_or(S.Ns), S.Ns);
  }
  bool Waited = false, Long = false;
  for (unsigned I = 0; I < catalogue::NumBehind; ++I) {
    std::optional<Column> Found = behind(PriorWork(I), *O.IdleNs, Take);
    if (!Found)
      return O;
    O.BehindNs[I] = Found->Ns;
    O.Blocked[I] = Found->Blocked;
    Waited |= Found->Blocked;
    Long |= Found->Ns > SlowNs;
  }
  O.Slow = !Waited && Long && *O.IdleNs > SlowNs;
  return O;
}
