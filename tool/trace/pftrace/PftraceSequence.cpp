// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/pftrace/PftraceSequence.h"
#include "support/LLVMVersion.h"

#include "llvm/ADT/StringExtras.h"

using namespace autoprof::trace;
using llvm::StringRef;
using protozero::pbf_reader;

namespace {

constexpr uint32_t RealtimeClock = 1, MonotonicClock = 3, SequenceClock = 64,
                   AddingClock = 65;

std::pair<uint64_t, data_view> readNamed(data_view Bytes) {
  std::pair<uint64_t, data_view> Result{0, {}};
  for (pbf_reader R(Bytes); R.next();) {
    if (R.tag() == 1)
      Result.first = R.get_uint64();
    else if (R.tag() == 2)
      Result.second = R.get_view();
    else
      R.skip();
  }
  return Result;
}

/// The reverse of word().
template <typename Enum> Enum fromWord(StringRef S, Enum Last, Enum Otherwise) {
  for (unsigned I = 0; I <= unsigned(Last); ++I)
    if (word(Enum(I)) == S)
      return Enum(I);
  return Otherwise;
}

Direction directionOf(StringRef S) {
  return autoprof::StringSwitch<Direction>(S)
      .Case("HtoA", Direction::HtoD)
      .Case("AtoH", Direction::DtoH)
      .Cases({"AtoA", "AtoD", "DtoA"}, Direction::DtoD)
      .Default(fromWord(S, Direction::PtoP, Direction::Unknown));
}

/// "80,1,1".
void readTriple(StringRef Text, uint32_t (&Out)[3]) {
  for (uint32_t &Part : Out) {
    StringRef Number;
    std::tie(Number, Text) = Text.split(',');
    if (Number.getAsInteger(10, Part))
      Part = 0;
  }
}

/// A word of a kernel's description.
void readShape(StringRef Key, StringRef Value, LaunchShape &Out) {
  uint64_t Bytes;
  if (Key == "grid")
    readTriple(Value, Out.Grid);
  else if (Key == "block")
    readTriple(Value, Out.Block);
  else if (Key == "regs")
    Value.getAsInteger(10, Out.Registers);
  else if (Key == "smem" && !Value.getAsInteger(10, Bytes))
    Out.Shared = Bytes;
}

} // namespace

MemoryKind autoprof::trace::memoryOf(StringRef S) {
  return S == "array" ? MemoryKind::Device
                      : fromWord(S, MemoryKind::Managed, MemoryKind::Unknown);
}

Category autoprof::trace::categoryOf(StringRef Name) {
  return autoprof::StringSwitch<Category>(Name)
      .Case("cuda_api", Category::Api)
      .Case("cuda_driver", Category::Driver)
      .Case("site", Category::Site)
      .Case("range", Category::Range)
      .Case("cuda_sync", Category::Sync)
      .Case("overhead", Category::Overhead)
      .Case("autoprof", Category::Metadata)
      .Case("stack", Category::Stack)
      .Case("memory", Category::Memory)
      .Case("nvtx", Category::Nvtx)
      .StartsWith("nvtx:", Category::Nvtx)
      .Default(Category::Other);
}

/// A queue or a stage, told apart by the words of its description.
void Sequence::readSpecification(TimelineBuilder &B, data_view Bytes) {
  uint64_t Iid = 0;
  StringRef Name, Description;
  for (pbf_reader R(Bytes); R.next();) {
    if (R.tag() == 1)
      Iid = R.get_uint64();
    else if (R.tag() == 2)
      Name = ref(R.get_view());
    else if (R.tag() == 3)
      Description = ref(R.get_view());
    else
      R.skip();
  }
  Stage Result;
  Result.Name = B.T.Strings.intern(Name);
  uint32_t Device = 0, Context = 0, Stream = None;
  bool IsOp = false;
  StringRef Kind;
  for (StringRef Word : llvm::split(Description, ' ')) {
    auto [Key, Value] = Word.split('=');
    if (Key == "op") {
      IsOp = true;
      Result.Kind = fromWord(Value, OpKind::Other, OpKind::Other);
    } else if (Key == "kind") {
      Kind = Value;
    } else if (Key == "src") {
      Result.Source = memoryOf(Value);
    } else if (Key == "dst") {
      Result.Destination = memoryOf(Value);
    } else if (Key == "bytes") {
      Value.getAsInteger(10, Result.Bytes);
    } else if (Key == "device") {
      Value.getAsInteger(10, Device);
    } else if (Key == "context") {
      Value.getAsInteger(10, Context);
    } else if (Key == "stream") {
      Value.getAsInteger(10, Stream);
    } else {
      readShape(Key, Value, Result.Shape);
    }
  }
  if (Result.Kind == OpKind::Copy)
    Result.Dir = directionOf(Kind);
  else if (Result.Kind == OpKind::Set)
    Result.Destination = memoryOf(Kind);
  if (IsOp)
    Stages.set(Iid, B.addStage(Result));
  else if (Stream != None)
    Queues.set(Iid, B.queue(Device, Context, Stream));
}

void Sequence::readInterned(TimelineBuilder &B, data_view Bytes) {
  for (pbf_reader R(Bytes); R.next();) {
    switch (R.tag()) {
    case 1: {
      auto [Iid, Name] = readNamed(R.get_view());
      StringRef Domain = ref(Name).split(':').second;
      Categories.set(
          Iid, packCategory(categoryOf(ref(Name)), B.T.Strings.intern(Domain)));
      break;
    }
    case 2: {
      auto [Iid, Name] = readNamed(R.get_view());
      // The name of a site includes its place, for readers in Perfetto: the
      // callee replaces it.
      uint32_t Callee = Callees.find(Iid);
      Names.set(Iid, Callee != None ? Callee : B.T.Strings.intern(ref(Name)));
      break;
    }
    case 3: {
      auto [Iid, Name] = readNamed(R.get_view());
      Annotations.set(Iid, B.T.Strings.intern(ref(Name)));
      break;
    }
    case 29: {
      auto [Iid, Text] = readNamed(R.get_view());
      Texts.set(Iid, B.T.Strings.intern(ref(Text)));
      break;
    }
    case 24:
      readSpecification(B, R.get_view());
      break;
    default:
      R.skip();
    }
  }
}

void Sequence::forgetNames() {
  Names = Categories = Annotations = Texts = Locations = Queues = Stages =
      SitesOfNames = Callees = IidMap();
}

void Sequence::readDefaults(data_view Bytes) {
  for (pbf_reader R(Bytes); R.next();) {
    if (R.tag() == 58) {
      DefaultClock = R.get_uint32();
      continue;
    }
    if (R.tag() != 11) {
      R.skip();
      continue;
    }
    for (pbf_reader Inner = R.get_message(); Inner.next();) {
      if (Inner.tag() == 11)
        DefaultTrack = Inner.get_uint64();
      else
        Inner.skip();
    }
    DefaultThread = None;
  }
}

/// Times of a sequence count from its own zero; the snapshot places that zero
/// on the monotonic clock, which all sequences of one machine share.
void Sequence::readClocks(std::optional<int64_t> &Base,
                          std::optional<int64_t> &Epoch, data_view Bytes) {
  std::optional<int64_t> Monotonic, TraceTime, Realtime;
  for (pbf_reader R(Bytes); R.next();) {
    if (R.tag() != 1) {
      R.skip();
      continue;
    }
    uint32_t Clock = 0;
    uint64_t Time = 0;
    for (pbf_reader Inner = R.get_message(); Inner.next();) {
      if (Inner.tag() == 1)
        Clock = Inner.get_uint32();
      else if (Inner.tag() == 2)
        Time = Inner.get_uint64();
      else
        Inner.skip();
    }
    if (Time < uint64_t(MaxClock) && Clock == MonotonicClock)
      Monotonic = int64_t(Time);
    else if (Time < uint64_t(MaxClock) && Clock == RealtimeClock)
      Realtime = int64_t(Time);
    else if (Time < uint64_t(MaxTime) && Clock == SequenceClock)
      TraceTime = int64_t(Time);
    else if (Time < uint64_t(MaxTime) && Clock == AddingClock)
      Sum = int64_t(Time);
  }
  if (!Monotonic || !TraceTime)
    return;
  int64_t Zero = *Monotonic - *TraceTime;
  if (!Base) {
    Base = Zero;
    if (Realtime)
      Epoch = *Realtime - *TraceTime;
  }
  Offset = Zero - *Base;
}

std::optional<int64_t> Sequence::time(uint64_t Timestamp, uint32_t Clock) {
  if (Timestamp > uint64_t(MaxTime))
    return std::nullopt;
  if ((Clock ? Clock : DefaultClock) != AddingClock)
    return int64_t(Timestamp) + Offset;
  if (!Sum || *Sum + int64_t(Timestamp) > MaxTime)
    return std::nullopt;
  *Sum += int64_t(Timestamp);
  return *Sum + Offset;
}
