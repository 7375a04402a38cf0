// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flush thread's side of the buffers that Probes.cpp fills.
#include "runtime/probes/ProbePool.h"
#include "runtime/probes/Probes.h"
#include "runtime/probes/SlotRecords.h"

namespace autoprof::runtime {

static ThreadLog *Logs = nullptr; // Logs that are not finished.

static void takeRecords(ProbeSink &Sink, ThreadLog &Log, const Block &B,
                        uint32_t Count) {
  while (Log.Drained < Count) {
    const ProbeRecord &Record = B.Records[Log.Drained];
    if (Record.Begin & NvtxBit) {
      NvtxEvent E = readNvtx(&Record);
      Sink.nvtx(Log.Tid, E);
      Log.Drained += slotsFor(E.Text);
      continue;
    }
    if (Record.Begin & StackBit) {
      StackRecord S = readStack(&Record);
      Sink.stack(Log.Tid, S);
      Log.Drained += slotsFor(S.Data);
      continue;
    }
    if (Record.Begin & CallBit)
      Sink.call(Log.Tid, {Record.Id, Record.Begin & ~CallBit, Record.End});
    else if (Record.Begin) // 0: padding at the end of a block.
      Sink.probe(Log.Tid, Record);
    ++Log.Drained;
  }
}

static void takeDropped(ProbeSink &Sink, ThreadLog &Log) {
  auto *T = Log.Throttle.load(std::memory_order_acquire);
  if (!T)
    return;
  for (RangeThrottle::Range &R : T->Ranges) {
    const uint64_t Runs = R.Dropped.load(std::memory_order_acquire);
    if (Runs == R.Taken)
      continue;
    const uint64_t Ns = R.DroppedNs.load(std::memory_order_relaxed);
    Sink.dropped(R.Id, Runs - R.Taken, Ns - R.TakenNs);
    R.Taken = Runs;
    R.TakenNs = Ns;
  }
}

// Takes the records of `Log`; returns true if no more can come.
static bool drainLog(ThreadLog &Log, ProbeSink &Sink) {
  bool Finished = Log.Finished.load(std::memory_order_acquire);
  // Records published from here on are left for the next call: otherwise a fast
  // thread could keep this one busy forever.
  const Block *End = Log.Head;
  while (const Block *Next = End->Next.load(std::memory_order_acquire))
    End = Next;
  for (;;) {
    Block *B = Log.Head;
    uint32_t Count = B->Count.load(std::memory_order_acquire);
    takeRecords(Sink, Log, *B, Count);
    Block *Next = B->Next.load(std::memory_order_acquire);
    if (!Next || Count < RecordsInBlock || B == End)
      break;
    Log.Head = Next;
    Log.Drained = 0;
    giveBack(B);
  }
  takeDropped(Sink, Log);
  if (Finished) {
    if (auto *T = Log.Throttle.load(std::memory_order_relaxed))
      giveBack(T);
    Sink.threadEnded(Log.Tid);
    giveBack(Log.Head);
  }
  return Finished;
}

static void adoptNewLogs() {
  ThreadLog *New = takePublished();
  while (New) {
    ThreadLog *Next = New->NextLog;
    New->NextLog = Logs;
    Logs = New;
    New = Next;
  }
}

void drainProbes(ProbeSink &Sink) {
  adoptNewLogs();
  for (ThreadLog **Link = &Logs; *Link;) {
    ThreadLog *Log = *Link;
    if (drainLog(*Log, Sink)) {
      *Link = Log->NextLog;
      giveBack(Log);
    } else {
      Link = &Log->NextLog;
    }
  }
}

} // namespace autoprof::runtime
