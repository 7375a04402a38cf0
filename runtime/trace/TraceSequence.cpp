// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sequences: packets leave out what an earlier one in the same sequence stated.
//
// Names and places are interned. Times are relative to the previous packet,
// which takes 2 bytes where the whole time takes 5 or 6: Perfetto's incremental
// clocks. These cannot count down, so a packet that begins before the one
// written last states the whole time, and does not move the clock. That is
// cheap only where it is rare. So each source of ordered events has a sequence
// of its own: the calls that CUPTI recorded of a thread, the records of the
// thread's probes, the operations of a stream. All other events come in no
// particular order; they are in the process sequence, with whole times.
#include "runtime/support/Clock.h"
#include "runtime/trace/TracePacket.h"

#include <cstdio>
#include <utility>

namespace autoprof::runtime {

// A sequence's dictionaries are restarted when they have this many entries:
// memory must not grow without bound in a program that never repeats a copy
// size.
static constexpr uint32_t DictionaryLimit = 1u << 17;

// Nor in one that never repeats a stream: streams beyond this number share the
// process sequence.
static constexpr size_t MostQueueSequences = 64;

// Tracks of processes must differ, because Perfetto can show several traces
// together. Sequence ids are local to a file; they are small because every
// packet has one.
Trace::Trace(Output &Out, ProcessIdentity Id, uint64_t Start)
    : Out(Out), Identity(std::move(Id)), Start(Start), CaughtUp(Start) {
  Process.Id = 1;
  Process.Track = Identity.Hash | 1;
  Process.AddsTimes = false;
  repeat();
}

void Trace::describeProcess() {
  Packet P(*this, Process, NeedsState);
  Message Descriptor(E, packet::TrackDescriptor);
  E.varint(1, Process.Track);
  Message ProcessDescriptor(E, 3);
  E.varint(1, Identity.Pid);
  for (const std::string &Word : Identity.CommandLine)
    E.string(2, Word);
  E.string(6, Identity.Name);
}

void Trace::writeClocks(uint64_t At, bool WithAdding) {
  const uint64_t Ago = now() - At, FromStart = At > Start ? At - Start : 0;
  Message Snapshot(E, packet::ClockSnapshot);
  auto Write = [this](uint64_t Id, uint64_t Time) {
    Message Clock(E, 1);
    E.varint(1, Id);
    E.varint(2, Time);
    if (Id == AddingClock)
      E.varint(3, 1); // is_incremental
  };
  Write(TraceClock, FromStart);
  if (WithAdding)
    Write(AddingClock, FromStart);
  Write(3, At);
  Write(1, readClock(CLOCK_REALTIME) - Ago);
  Write(6, readClock(CLOCK_BOOTTIME) - Ago);
}

void Trace::clockSnapshot() {
  CaughtUp = now();
  Packet P(*this, Process, NeedsState);
  writeClocks(CaughtUp, /*WithAdding=*/false);
}

// The snapshot is of an instant before the events that are about to be written,
// so that their times can be added to it. It must not be earlier than the
// sequence's last snapshot, or Perfetto distrusts its clocks.
void Trace::startSequence(Sequence &S) {
  S.Repeat = Repeats;
  S.Time = CaughtUp - Start;
  Packet P(*this, S, StateCleared);
  writeClocks(S.AddsTimes ? CaughtUp : now(), S.AddsTimes);
  {
    Message Defaults(E, packet::Defaults);
    E.varint(packet::TimestampClockId, S.AddsTimes ? AddingClock : TraceClock);
    if (S.Track) {
      Message EventDefaults(E, packet::TrackEvent);
      E.varint(event::Track, S.Track);
    }
  }
  if (!S.Track)
    return;
  Message Interned(E, packet::InternedData);
  for (unsigned I = CudaApi; I <= Nvtx; ++I) {
    Message Entry(E, interned::Categories);
    E.varint(1, I);
    E.string(2, CategoryNames[I]);
  }
  Message Entry(E, interned::AnnotationNames);
  E.varint(1, FramesName);
  E.string(2, "frames");
}

void Trace::restartIfDue(Sequence &S) {
  if (S.Repeat == Repeats &&
      S.Names.size() + S.Places.size() + S.Stacks.size() + S.Queues.size() <
          DictionaryLimit)
    return;
  S.Names = S.Places = S.Domains = S.Stacks = S.Queues = IidMap();
  startSequence(S);
  if (S.Tid)
    describeThread(S);
}

void Trace::describeThread(Sequence &S) {
  char Path[64], Name[64] = "";
  snprintf(Path, sizeof Path, "/proc/self/task/%u/comm", S.Tid);
  if (FILE *File = fopen(Path, "re")) {
    if (size_t Size = fread(Name, 1, sizeof Name - 1, File))
      Name[Name[Size - 1] == '\n' ? Size - 1 : Size] = '\0';
    fclose(File);
  }
  if (Name[0]) // Otherwise the thread has ended.
    S.ThreadName = Name;
  Packet P(*this, S, NeedsState);
  Message Descriptor(E, packet::TrackDescriptor);
  E.varint(1, S.Track);
  E.varint(5, Process.Track);
  Message Thread(E, 4);
  E.varint(1, Identity.Pid);
  E.varint(2, S.Tid);
  if (!S.ThreadName.empty())
    E.string(5, S.ThreadName);
}

Trace::Sequence &Trace::addSequence() {
  Sequences.push_back(std::make_unique<Sequence>());
  Sequence &S = *Sequences.back();
  S.Id = Process.Id + static_cast<uint32_t>(Sequences.size());
  return S;
}

Trace::Sequence &Trace::threadSequence(uint32_t Tid, Source From) {
  const uint64_t Key = uint64_t(Tid) << 1 | static_cast<uint64_t>(From);
  if (!LastSequence || LastThread != Key) {
    IidMap::Result Index = Threads.get(Key);
    if (Index.IsNew) {
      Sequence &S = addSequence();
      S.Track = mix(Identity.Hash, Tid) | 1;
      S.Tid = Tid;
      ThreadSequences.push_back(&S);
    }
    LastThread = Key;
    LastSequence = ThreadSequences[Index.Iid - 1];
  }
  restartIfDue(*LastSequence);
  return *LastSequence;
}

// Returns the number of the operation's queue, from 1.
uint32_t Trace::queue(const GpuOperation &Op) {
  return Queues.get(mix(mix(Op.Device, Op.Context), Op.Stream)).Iid;
}

Trace::Sequence &Trace::queueSequence(uint32_t Queue) {
  if (Queue > QueueSequences.size() && Queue <= MostQueueSequences)
    QueueSequences.push_back(&addSequence()); // Queues are numbered in order.
  Sequence &S =
      Queue <= QueueSequences.size() ? *QueueSequences[Queue - 1] : Process;
  restartIfDue(S);
  return S;
}

void Trace::repeat() {
  if (Packer)
    flush();
  ++Repeats;
  {
    Packet P(*this);
    E.bytes(packet::SynchronizationMarker, Marker);
    E.varint(packet::SequenceId, Process.Id);
  }
  restartIfDue(Process);
  describeProcess();
  for (uint32_t I = 0; I < Lanes.size(); ++I)
    describeLane(I);
  for (const auto &[Key, Json] : Standing)
    metadata(Key.first, Json);
  if (Packer)
    write(/*MayPack=*/false);
}

} // namespace autoprof::runtime
