// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Perfetto trace is a series of self-delimiting packets. Each belongs to a
// sequence, and a sequence has its own dictionary: packets refer to "name 7",
// which an earlier packet of the sequence defined. So the reader keeps a small
// state for each sequence and feeds a TimelineBuilder.
//
// The input may be cut off, damaged, or written by somebody else. Whatever
// protozero finds invalid inside a packet throws; the packet is then counted as
// damaged and left out. After a packet that does not end inside the file, and
// in a file without a beginning (a tail), reading continues at the next marker:
// what follows one does not depend on what came before.
#include "trace/Readers.h"

#include "config/ErrorKind.h"
#include "trace/import/Names.h"
#include "trace/input/ByteSource.h"
#include "trace/pftrace/Metadata.h"
#include "trace/pftrace/PftraceEvent.h"

#include <set>

using namespace autoprof::trace;
using llvm::StringRef;
using protozero::pbf_reader;
using protozero::pbf_wire_type;

namespace {

/// How the packet begins that docs/trace-format.md calls a marker.
constexpr StringRef Marker("\x0a\x15\xa2\x02\x10"
                           "\x82\x47\x7a\x76\xb2\x8d\x42\xba"
                           "\x81\xdc\x33\x32\x6d\x57\xa0\x79",
                           21);

/// Where the first one is at the latest, in what was cut off at the front: they
/// are 32 MiB and one flush apart. Other writers' files have none.
constexpr size_t FarthestMarker = size_t(128) << 20;

class Reader {
  TimelineBuilder B;
  std::unordered_map<uint32_t, Sequence> Sequences;
  std::unordered_map<uint64_t, uint32_t> ThreadOfTrack;
  std::optional<int64_t> Base; ///< Monotonic time of the trace's zero.
  std::set<int64_t> Processes; ///< Pids.
  Sequence *Last = nullptr;
  uint32_t LastId = 0;
  size_t Packets = 0;
  unsigned Depth = 0; ///< In compressed packets.
  llvm::function_ref<void(size_t)> Consumed;
  const char *Begin = nullptr; ///< Of all bytes.
  size_t Told = 0;             ///< Consumed knows of so many.

  Sequence &sequence(uint32_t Id);
  uint32_t thread(uint64_t Track);
  void apply(const Packet &P);
  void readCompressed(data_view Bytes);
  void readTrack(data_view Bytes);
  void readGpuOp(Sequence &S, int64_t Time, data_view Bytes);
  void readEvent(Sequence &S, int64_t Time, data_view Bytes);
  void beginSlice(Sequence &S, int64_t Time, const Event &E);
  void endSlice(Sequence &S, int64_t Time);
  void readInstant(Sequence &S, int64_t Time, const Event &E);
  void bindSite(Sequence &S, const SiteBinding &Binding);
  void readMetadata(Sequence &S, const Event &E);
  uint32_t defaultThread(Sequence &S);
  void readStack(Sequence &S, int64_t Time, const Event &E);
  void readMemory(const Sequence &S, int64_t Time, const Event &E);
  size_t readPackets(StringRef Bytes);
  void forgetSequences();
  void tellConsumed(const char *UpTo);

public:
  Reader(llvm::function_ref<void(size_t)> Consumed, const Selection &Select)
      : Consumed(Consumed) {
    B.Select = Select;
  }
  llvm::Expected<Timeline> read(StringRef Bytes);
};

Sequence &Reader::sequence(uint32_t Id) {
  // Packets of a sequence come in batches.
  if (!Last || LastId != Id) {
    Last = &Sequences[Id];
    LastId = Id;
  }
  return *Last;
}

uint32_t Reader::thread(uint64_t Track) {
  auto [It, New] = ThreadOfTrack.try_emplace(Track, 0);
  if (New)
    It->second = B.addThread(-1, "");
  return It->second;
}

void Reader::readTrack(data_view Bytes) {
  uint64_t Uuid = 0;
  std::string Name;
  int64_t Tid = -1;
  bool IsThread = false;
  for (pbf_reader R(Bytes); R.next();) {
    if (R.tag() == 1) {
      Uuid = R.get_uint64();
    } else if (R.tag() == 4) {
      IsThread = true;
      for (pbf_reader Inner = R.get_message(); Inner.next();) {
        if (Inner.tag() == 2)
          Tid = Inner.get_int32();
        else if (Inner.tag() == 5)
          Name = Inner.get_string();
        else
          Inner.skip();
      }
    } else {
      R.skip();
    }
  }
  if (!IsThread)
    return;
  Thread &T = B.T.Threads[thread(Uuid)];
  T.Tid = Tid;
  T.Name = Name;
}

void Reader::readGpuOp(Sequence &S, int64_t Time, data_view Bytes) {
  uint64_t EventId = 0, Duration = 0;
  uint32_t Queue = None, Stage = None;
  for (Fields R(Bytes); R.next();) {
    switch (R.tag()) {
    case 1:
      EventId = R.number();
      break;
    case 2:
      Duration = R.number();
      break;
    case 13:
      Queue = S.Queues.find(R.number());
      break;
    case 14:
      Stage = S.Stages.find(R.number());
      break;
    default:
      R.skip();
    }
  }
  if (Queue == None || Stage == None || Duration > uint64_t(MaxTime)) {
    ++B.T.Unread.EventsInvalid;
    return;
  }
  B.addOp(Queue, Stage, Time, Time + int64_t(Duration), EventId);
}

uint32_t Reader::defaultThread(Sequence &S) {
  if (S.DefaultThread == None)
    S.DefaultThread = thread(S.DefaultTrack);
  return S.DefaultThread;
}

void Reader::beginSlice(Sequence &S, int64_t Time, const Event &E) {
  uint32_t Thread = None;
  if (E.Kind == Category::Other) {
    // Left out when it ends: its track is not a thread.
  } else if (E.HasTrack) {
    Thread = thread(E.Track);
    B.T.Threads[Thread].IsLane |= E.Kind == Category::Nvtx;
  } else {
    Thread = defaultThread(S);
  }
  uint32_t Site = E.Site;
  if (Site == None && E.Location)
    Site = S.Locations.find(E.Location); // As older recordings bind it.
  Category Kind = E.Kind;
  if (Kind == Category::None)
    Kind = E.Site == None ? Category::Api : Category::Site;
  S.Open.push_back({Time, E.EventId, E.Name, Site, Thread, Kind, E.Domain});
}

void Reader::endSlice(Sequence &S, int64_t Time) {
  if (S.Open.empty()) {
    ++B.T.Unread.SlicesUnpaired;
    return;
  }
  OpenSlice O = S.Open.pop_back_val();
  HostKind Kind;
  switch (O.Kind) {
  case Category::Api:
    Kind = HostKind::Api;
    break;
  case Category::Driver:
    Kind = HostKind::Driver;
    break;
  case Category::Site:
    Kind = HostKind::Site;
    break;
  case Category::Range:
    Kind = HostKind::Range;
    break;
  case Category::Nvtx:
    if (auto Operator = markedOperator(B.T.Strings[O.Name])) {
      const uint32_t Name = B.T.Strings.intern(Operator->Name);
      B.addOperator(O.Thread, {O.Start, Time, Name,
                               B.T.Strings.intern(Operator->Shapes)});
      return;
    }
    Kind = HostKind::Range;
    O.Site = B.userRange(O.Domain, O.Name);
    break;
  default:
    return;
  }
  B.addHost(Kind, O.Thread, O.Start, Time, O.Name, O.Site, O.EventId);
}

void Reader::bindSite(Sequence &S, const SiteBinding &Binding) {
  const uint32_t Site = B.site(Binding.SiteId);
  if (!Binding.ToName) {
    S.Locations.set(Binding.Iid, Site);
    return;
  }
  S.SitesOfNames.set(Binding.Iid, Site);
  const std::string &Callee = B.T.Sites[Site].Callee;
  if (!Callee.empty())
    S.Callees.set(Binding.Iid, B.T.Strings.intern(Callee));
}

void Reader::readMetadata(Sequence &S, const Event &E) {
  StringRef Name = B.T.Strings[E.Name];
  for (data_view Bytes : E.Annotations) {
    Annotation A = readAnnotation(S, B.T.Strings, Bytes);
    if (A.Name != "json")
      continue;
    bool Good = true;
    if (Name == "site") {
      std::optional<SiteBinding> Binding = parseSiteBinding(A.Text);
      Good = Binding.has_value();
      if (Good)
        bindSite(S, *Binding);
    } else {
      Good = applyMetadata(B, Name, A.Text);
      if (Good && Name == "process")
        Processes.insert(B.T.Info.Pid);
    }
    if (!Good)
      ++B.T.Unread.PacketsDamaged;
  }
}

/// The stack of a call, or a sample of a thread.
void Reader::readStack(Sequence &S, int64_t Time, const Event &E) {
  const bool IsSample = B.T.Strings[E.Name] == "sample";
  ThreadSample Sample;
  Sample.Time = Time;
  for (data_view Bytes : E.Annotations) {
    Annotation A = readAnnotation(S, B.T.Strings, Bytes);
    if (A.Name == "frames" && IsSample)
      Sample.Frames = B.T.Strings.intern(A.Text);
    else if (A.Name == "frames" && !A.Text.empty())
      B.addStack(A.Text, E.EventId);
    else if (A.Name == "state")
      Sample.State = ThreadState(
          std::min<uint64_t>(A.Number, unsigned(ThreadState::OnTimer)));
    else if (A.Name == "cpu_ns")
      Sample.Cpu = int64_t(A.Number);
    else if (A.Name == "delayed_ns")
      Sample.Delayed = int64_t(A.Number);
  }
  if (!IsSample)
    return;
  Sample.Thread = E.HasTrack ? thread(E.Track) : defaultThread(S);
  B.addSample(Sample);
}

void Reader::readMemory(const Sequence &S, int64_t Time, const Event &E) {
  MemoryEvent M;
  M.Time = Time;
  M.IsRelease = B.T.Strings[E.Name] == "free";
  for (data_view Bytes : E.Annotations) {
    Annotation A = readAnnotation(S, B.T.Strings, Bytes);
    if (A.Name == "kind")
      M.Kind = memoryOf(A.Text);
    else if (A.Name == "device")
      M.Device = uint32_t(A.Number);
    else if (A.Name == "address")
      M.Address = A.Number;
    else if (A.Name == "bytes")
      M.Bytes = A.Number;
  }
  // No machine has more; damage may say so.
  constexpr uint64_t MostBytes = uint64_t(1) << 50;
  if (M.Bytes > MostBytes)
    ++B.T.Unread.EventsInvalid;
  else
    B.addMemory(M, E.EventId);
}

void Reader::readInstant(Sequence &S, int64_t Time, const Event &E) {
  if (E.Kind == Category::Metadata)
    return readMetadata(S, E);
  if (E.Kind == Category::Stack)
    return readStack(S, Time, E);
  if (E.Kind == Category::Memory)
    return readMemory(S, Time, E);
  if (E.Kind != Category::Sync && E.Kind != Category::Overhead)
    return;
  uint64_t Type = 0, Kind = 0, Duration = 0;
  std::optional<uint64_t> Stream, Context, Tid;
  for (data_view Bytes : E.Annotations) {
    Annotation A = readAnnotation(S, B.T.Strings, Bytes);
    if (A.Name == "type")
      Type = A.Number;
    else if (A.Name == "kind")
      Kind = A.Number;
    else if (A.Name == "duration")
      Duration = A.Number;
    else if (A.Name == "stream")
      Stream = A.Number;
    else if (A.Name == "context")
      Context = A.Number;
    else if (A.Name == "tid")
      Tid = A.Number;
  }
  if (Duration > uint64_t(MaxTime)) {
    ++B.T.Unread.EventsInvalid;
    return;
  }
  if (E.Kind == Category::Overhead) {
    B.T.Overheads.push_back({Time, Time + int64_t(Duration), overheadOf(Kind),
                             Tid ? int64_t(*Tid) : -1});
    return;
  }
  SyncRecord Record;
  Record.Start = Time;
  Record.Duration = int64_t(Duration);
  Record.Type = SyncType(Type);
  // CUPTI writes -1 where a record has no stream.
  if (Stream && *Stream < None)
    Record.Stream = uint32_t(*Stream);
  if (Context && *Context < None)
    Record.Context = uint32_t(*Context);
  B.addSync(Record, E.EventId);
}

void Reader::readEvent(Sequence &S, int64_t Time, data_view Bytes) {
  Event E = readTrackEvent(S, B.T.Strings, Bytes);
  switch (E.Type) {
  case 1:
    return beginSlice(S, Time, E);
  case 2:
    return endSlice(S, Time);
  case 3:
    return readInstant(S, Time, E);
  default: // Counters and what later versions add.
    return;
  }
}

/// What one packet may become, which is at most 512 KB when Perfetto packs it.
constexpr size_t MostInPacket = size_t(64) << 20;

/// Many packets as one. They hold none of the same kind, nor a marker.
void Reader::readCompressed(data_view Bytes) {
  std::string Inner = inflated(ref(Bytes), MostInPacket);
  ++Depth;
  bool Whole = Depth == 1 && Inner.size() <= MostInPacket &&
               readPackets(Inner) == Inner.size();
  --Depth;
  if (!Whole || Inner.empty())
    ++B.T.Unread.PacketsDamaged;
}

void Reader::apply(const Packet &P) {
  if (P.Compressed.data())
    return readCompressed(P.Compressed);
  Sequence &S = sequence(P.Sequence);
  if (P.Flags & 1)
    S.forgetNames();
  // What a packet defines holds for the packet itself.
  if (P.Clocks.data())
    S.readClocks(Base, B.T.Info.Epoch, P.Clocks);
  if (P.Defaults.data())
    S.readDefaults(P.Defaults);
  if (P.Interned.data())
    S.readInterned(B, P.Interned);
  if (P.Track.data())
    readTrack(P.Track);
  if (!P.GpuOp.data() && !P.Event.data())
    return;
  std::optional<int64_t> Time = S.time(P.Time, P.Clock);
  if (!Time) {
    ++B.T.Unread.EventsInvalid;
    return;
  }
  if (P.GpuOp.data())
    readGpuOp(S, *Time, P.GpuOp);
  if (P.Event.data())
    readEvent(S, *Time, P.Event);
}

llvm::Error failure(const llvm::Twine &Sentence) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Sentence);
}

/// Up to the first packet that does not end inside of `Bytes`: returns where it
/// begins.
size_t Reader::readPackets(StringRef Bytes) {
  size_t Good = 0;
  pbf_reader R(Bytes.data(), Bytes.size());
  try {
    while (R.next()) {
      if (R.tag() == 1 && R.wire_type() == pbf_wire_type::length_delimited) {
        data_view Content = R.get_view();
        uint32_t Id = 0;
        ++Packets;
        try {
          apply(readPacketFields(Content, Id));
        } catch (const protozero::exception &) {
          ++B.T.Unread.PacketsDamaged;
          // Times that are added to what was not read would be wrong.
          sequence(Id).Sum.reset();
        }
      } else {
        R.skip();
      }
      Good = Bytes.size() - R.length();
      if (!Depth)
        tellConsumed(Bytes.data() + Good);
    }
  } catch (const protozero::exception &) {
    return Good;
  }
  return Good;
}

void Reader::tellConsumed(const char *UpTo) {
  constexpr size_t Chunk = size_t(4) << 20;
  size_t Done = UpTo - Begin;
  if (!Consumed || Done - Told < Chunk)
    return;
  Told = Done;
  Consumed(Done);
}

void Reader::forgetSequences() {
  for (const auto &[Id, S] : Sequences)
    B.T.Unread.SlicesUnpaired += S.Open.size();
  Sequences.clear();
  Last = nullptr;
}

llvm::Expected<Timeline> Reader::read(StringRef Bytes) {
  B.T.Unread.FileBytes = Bytes.size();
  Begin = Bytes.data();
  // A slice takes 55 to 75 bytes. Room that is not used takes no memory;
  // growing would copy what is there. For a window, the number is unknown.
  if (!B.Select.Keep)
    B.reserve(std::min<size_t>(Bytes.size() / 50, B.Select.MaxEvents));
  StringRef Rest = Bytes;
  if (!Rest.starts_with(Marker)) {
    const size_t Next = Rest.take_front(FarthestMarker).find(Marker);
    Rest = Rest.drop_front(Next == StringRef::npos ? 0 : Next);
    B.T.Unread.BytesSkipped = Bytes.size() - Rest.size();
  }
  for (;;) {
    Rest = Rest.drop_front(readPackets(Rest));
    forgetSequences();
    // What is at the front does not end in the file, even if it is a marker.
    size_t Next = Rest.find(Marker, 1);
    if (Next == StringRef::npos)
      break;
    B.T.Unread.BytesSkipped += Next;
    Rest = Rest.drop_front(Next);
  }
  B.T.Unread.BytesDropped = Rest.size();
  if (Processes.size() == 1)
    return B.finish();
  if (Processes.size() > 1)
    return failure("it holds several processes; give each process's own file");
  if (B.T.Unread.BytesDropped == Bytes.size() || !Packets)
    return llvm::make_error<autoprof::ErrorOf<Format>>(
        "it is not a trace: autoprof reads the .pftrace files that 'autoprof "
        "run' records, JSON files of PyTorch's profiler, and SQLite exports of "
        "Nsight Systems");
  if (B.T.Unread.BytesDropped || B.T.Unread.PacketsDamaged)
    return failure("it is damaged or cut off before its first record; record "
                   "it again");
  return failure("it is a Perfetto trace that 'autoprof run' did not record: "
                 "record the program with it, or with a profiler that "
                 "docs/import.md names");
}

} // namespace

llvm::Expected<Timeline>
autoprof::trace::readPftrace(StringRef Bytes,
                             llvm::function_ref<void(size_t)> Consumed,
                             const Selection &Select) {
  return Reader(Consumed, Select).read(Bytes);
}
