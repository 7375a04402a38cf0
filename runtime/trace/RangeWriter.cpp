// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/trace/RangeWriter.h"

#include "runtime/support/Loss.h"

#include <algorithm>
#include <utility>

namespace autoprof::runtime {

// Ranges that the program starts and never ends must not fill the memory.
static constexpr size_t MostStarted = 1u << 16;

void RangeWriter::countUnbalanced(size_t N) const {
  if (!InWindows)
    Lost.ProbesUnbalanced.fetch_add(N, std::memory_order_relaxed);
}

static UserRange describe(const NvtxEvent &E, std::string_view Name) {
  return {Name, E.Domain};
}

RangeWriter::Thread &RangeWriter::thread(uint32_t Tid) {
  if (!Last || LastTid != Tid) {
    Last = &Threads[Tid];
    LastTid = Tid;
  }
  return *Last;
}

void RangeWriter::probe(uint32_t Tid, const ProbeRecord &Record) {
  Thread &T = thread(Tid);
  for (auto R = T.rbegin(); R != T.rend() && R->Begin > Record.Begin; ++R)
    R->Crossed = true;
  Events.probe(Tid, Record.Id, Record.Begin, Record.End);
}

void RangeWriter::dropped(uint64_t Id, uint64_t Runs, uint64_t Ns) {
  LeftOut &L = Dropped[Id];
  L.Runs += Runs;
  L.Ns += Ns;
}

void RangeWriter::call(uint32_t Tid, const CallRecord &Record) {
  const auto Callback = static_cast<uint32_t>(Record.Function);
  Events.apiCall({static_cast<Domain>(Record.Function >> 32), Callback, Tid,
                  Record.Begin, Record.End, /*Correlation=*/0},
                 NameOf(Record.Function));
}

void RangeWriter::nvtx(uint32_t Tid, const NvtxEvent &E) {
  Thread &T = thread(Tid);
  if (E.AfterGap)
    forgetOpen(T);
  switch (E.Kind) {
  case NvtxKind::Push:
    return push(T, Tid, E);
  case NvtxKind::Pop:
    return pop(T, E);
  case NvtxKind::Start: {
    OpenRange R = {describe(E, {}), std::string(E.Text), E.Time, Tid, E.Depth};
    auto It = Ended.find(E.RangeId);
    if (It != Ended.end()) {
      writeOnLane(R, It->second);
      Ended.erase(It);
    } else if (Started.size() < MostStarted) {
      Started.emplace(E.RangeId, std::move(R));
    } else {
      countUnbalanced(1);
    }
    return;
  }
  case NvtxKind::End:
    return end(E);
  case NvtxKind::Mark:
    return Events.mark(Tid, describe(E, E.Text), E.Time);
  }
}

void RangeWriter::push(Thread &T, uint32_t Tid, const NvtxEvent &E) {
  T.push_back({describe(E, {}), std::string(E.Text), E.Time, Tid, E.Depth});
}

// A pop ends the last range pushed in the same domain, whatever was pushed in
// other domains since.
void RangeWriter::pop(Thread &T, const NvtxEvent &E) {
  auto Last = std::find_if(T.rbegin(), T.rend(), [&](const OpenRange &R) {
    return R.Range.Domain == E.Domain;
  });
  if (Last == T.rend())
    return countUnbalanced(1);
  OpenRange R = std::move(*Last);
  const bool Nests = Last == T.rbegin() && !R.Crossed && R.Depth == E.Depth;
  T.erase(std::next(Last).base());
  if (!Nests)
    return writeOnLane(R, E.Time);
  R.Range.Name = R.Text;
  Events.userRange(R.Tid, R.Range, R.Begin, E.Time);
}

// The two ends may be in the buffers of different threads, and either may be
// drained first.
void RangeWriter::end(const NvtxEvent &E) {
  auto Begun = Started.find(E.RangeId);
  if (Begun != Started.end()) {
    writeOnLane(Begun->second, E.Time);
    Started.erase(Begun);
    return;
  }
  if (Ended.size() >= MostStarted) {
    countUnbalanced(Ended.size());
    Ended.clear();
  }
  Ended.emplace(E.RangeId, E.Time);
}

bool RangeWriter::Lane::take(uint64_t NewBegin, uint64_t NewEnd) {
  if (NewBegin >= End)
    Before = End;
  else if (NewBegin < Before || NewBegin > Begin || NewEnd < End)
    return false;
  Begin = NewBegin;
  End = NewEnd;
  return true;
}

void RangeWriter::writeOnLane(const OpenRange &R, uint64_t End) {
  UserRange Range = R.Range;
  Range.Name = R.Text;
  size_t I = 0;
  while (I < Lanes.size() && !Lanes[I].take(R.Begin, End))
    ++I;
  if (I == Lanes.size()) {
    Lanes.emplace_back();
    Lanes.back().take(R.Begin, End);
  }
  Events.userRangeOnLane(static_cast<uint32_t>(I), Range, R.Begin, End);
}

void RangeWriter::forgetOpen(Thread &T) {
  countUnbalanced(T.size());
  T.clear();
}

void RangeWriter::threadEnded(uint32_t Tid) {
  auto T = Threads.find(Tid);
  if (T == Threads.end())
    return;
  forgetOpen(T->second);
  Threads.erase(T);
  Last = nullptr;
}

} // namespace autoprof::runtime
