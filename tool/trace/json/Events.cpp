// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/json/Events.h"

#include "trace/json/Numbers.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

using namespace autoprof::trace;
using llvm::StringRef;

namespace {

/// Containers inside one another; a profiler's have 5.
constexpr unsigned MaxDepth = 256;
/// Of one text: the parser keeps it in memory.
constexpr uint64_t MaxText = 64 << 20;

/// What the parser reads from. It sees a NUL at the end.
class ByteStream {
  const ByteReader &Read;
  std::vector<char> Buffer;
  const char *Next = nullptr, *End = nullptr;
  uint64_t Before = 0; ///< Bytes in front of the buffer.
  uint64_t Limit = MaxText;

  void refill() {
    Before += size_t(End - Buffer.data());
    size_t Size = Before < Limit ? Read(Buffer.data(), Buffer.size() - 1) : 0;
    Next = Buffer.data();
    End = Next + Size;
    Buffer[Size] = 0;
  }

public:
  // The parser chose these names.
  // NOLINTBEGIN(readability-identifier-naming)
  using Ch = char;
  explicit ByteStream(const ByteReader &Read) : Read(Read), Buffer(1 << 20) {
    Next = End = Buffer.data();
    refill();
  }
  Ch Peek() const { return *Next; }
  Ch Take() {
    Ch C = *Next;
    if (Next == End)
      return C;
    ++Next;
    if (Next == End)
      refill();
    return C;
  }
  size_t Tell() const { return Before + size_t(Next - Buffer.data()); }

  /// The parser came to the end of a value: the next may be long again.
  void allowMore() { Limit = Before + MaxText; }
  bool isTooLong() const { return Before >= Limit; }
  /// Reads and counts what is left.
  uint64_t drain() {
    Limit = ~uint64_t(0);
    do
      refill();
    while (Next != End);
    return Before;
  }

  // The parser's form of a stream also has writing; it is never called.
  Ch *PutBegin() { return nullptr; }
  void Put(Ch) {}
  void Flush() {}
  size_t PutEnd(Ch *) { return 0; }
  // NOLINTEND(readability-identifier-naming)
};

/// 0 where it is none, or too large for what CUDA has.
uint32_t unsignedNumber(StringRef Text) {
  int64_t N = parseInteger(Text).value_or(0);
  return N < 0 || N > UINT32_MAX ? 0 : uint32_t(N);
}

enum class Scope : uint8_t {
  None,
  File,
  Devices,
  Device,
  Distributed,
  Events,
  Event,
  Args,
  Triple ///< Grid or block.
};

/// What was read so far.
struct State {
  JsonHead &Head;
  JsonEvent Event = {};
  unsigned Axis = 0; ///< The next of a triple.
};

/// A key that is read; all others are skipped.
struct Key {
  StringRef Name;
  Scope Opens; ///< The container that is its value; None: text or a number.
  /// Takes the value, or one of a triple; null: the container is enough.
  void (*Set)(State &, StringRef Text);
};

template <std::string JsonEvent::*Member> void text(State &S, StringRef Text) {
  (S.Event.*Member).assign(Text.data(), Text.size());
}
template <std::optional<int64_t> JsonEvent::*Member>
void integer(State &S, StringRef Text) {
  S.Event.*Member = parseInteger(Text);
}
template <uint32_t (LaunchShape::*Member)[3]>
void axis(State &S, StringRef Text) {
  uint32_t (&Triple)[3] = S.Event.Shape.*Member;
  if (S.Axis < std::size(Triple))
    Triple[S.Axis++] = unsignedNumber(Text);
}
template <uint32_t Device::*Member> void ofDevice(State &S, StringRef Text) {
  S.Head.Devices.back().*Member = unsignedNumber(Text);
}

constexpr Key FileKeys[] = {
    {"traceEvents", Scope::Events, nullptr},
    {"deviceProperties", Scope::Devices, nullptr},
    {"distributedInfo", Scope::Distributed, nullptr},
    {"host_name", Scope::None,
     [](State &S, StringRef Text) { S.Head.Host = Text.str(); }},
    {"hostname", Scope::None,
     [](State &S, StringRef Text) { S.Head.Host = Text.str(); }},
    {"baseTimeNanoseconds", Scope::None,
     [](State &S, StringRef Text) { S.Head.Base = parseInteger(Text); }}};

constexpr Key DistributedKeys[] = {
    {"rank", Scope::None,
     [](State &S, StringRef Text) { S.Head.Rank = parseInteger(Text); }},
    {"world_size", Scope::None,
     [](State &S, StringRef Text) { S.Head.Ranks = parseInteger(Text); }}};

constexpr Key DeviceKeys[] = {
    {"id", Scope::None, ofDevice<&Device::Id>},
    {"name", Scope::None,
     [](State &S, StringRef Text) { S.Head.Devices.back().Name = Text.str(); }},
    {"totalGlobalMem", Scope::None,
     [](State &S, StringRef Text) {
       S.Head.Devices.back().MemoryBytes =
           uint64_t(std::max<int64_t>(0, parseInteger(Text).value_or(0)));
     }},
    {"computeMajor", Scope::None, ofDevice<&Device::ComputeMajor>},
    {"computeMinor", Scope::None, ofDevice<&Device::ComputeMinor>},
    {"numSms", Scope::None, ofDevice<&Device::Sms>},
    {"maxThreadsPerMultiprocessor", Scope::None,
     [](State &S, StringRef Text) {
       S.Head.Devices.back().WarpsPerSm = unsignedNumber(Text) / 32;
     }},
    {"regsPerMultiprocessor", Scope::None, ofDevice<&Device::RegistersPerSm>},
    {"sharedMemPerMultiprocessor", Scope::None, [](State &S, StringRef Text) {
       S.Head.Devices.back().SharedPerSm = unsignedNumber(Text);
     }}};

constexpr Key EventKeys[] = {{"ph", Scope::None,
                              [](State &S, StringRef Text) {
                                S.Event.Phase = Text.size() == 1 ? Text[0] : 0;
                              }},
                             {"cat", Scope::None, text<&JsonEvent::Category>},
                             {"name", Scope::None, text<&JsonEvent::Name>},
                             {"pid", Scope::None, text<&JsonEvent::Pid>},
                             {"tid", Scope::None, text<&JsonEvent::Tid>},
                             {"ts", Scope::None,
                              [](State &S, StringRef Text) {
                                S.Event.Start = parseMicroseconds(Text);
                                S.Event.HasFraction = Text.contains('.');
                              }},
                             {"dur", Scope::None,
                              [](State &S, StringRef Text) {
                                S.Event.Duration = parseMicroseconds(Text);
                              }},
                             {"id", Scope::None, integer<&JsonEvent::Id>},
                             {"args", Scope::Args, nullptr}};

constexpr Key ArgsKeys[] = {
    {"correlation", Scope::None, integer<&JsonEvent::Correlation>},
    {"device", Scope::None, integer<&JsonEvent::Device>},
    {"context", Scope::None, integer<&JsonEvent::Context>},
    {"stream", Scope::None, integer<&JsonEvent::Stream>},
    {"bytes", Scope::None, integer<&JsonEvent::Bytes>},
    {"name", Scope::None, text<&JsonEvent::ArgName>},
    {"json", Scope::None, text<&JsonEvent::ArgJson>},
    {"grid", Scope::Triple, axis<&LaunchShape::Grid>},
    {"block", Scope::Triple, axis<&LaunchShape::Block>},
    {"registers per thread", Scope::None,
     [](State &S, StringRef Text) {
       S.Event.Shape.Registers = unsignedNumber(Text);
     }},
    {"shared memory", Scope::None,
     [](State &S, StringRef Text) {
       if (std::optional<int64_t> N = parseInteger(Text); N && *N >= 0)
         S.Event.Shape.Shared = uint64_t(*N);
     }},
    {"autoprof site", Scope::None,
     [](State &S, StringRef Text) {
       if (!Text.consume_front("0x") || Text.getAsInteger(16, S.Event.Site))
         S.Event.Site = 0;
     }},
    {"autoprof lane", Scope::None,
     [](State &S, StringRef) { S.Event.IsLane = true; }},
    {"file", Scope::None, text<&JsonEvent::File>},
    {"function", Scope::None, text<&JsonEvent::Function>},
    {"line", Scope::None,
     [](State &S, StringRef Text) { S.Event.Line = unsignedNumber(Text); }}};

llvm::ArrayRef<Key> keysIn(Scope S) {
  switch (S) {
  case Scope::File:
    return FileKeys;
  case Scope::Device:
    return DeviceKeys;
  case Scope::Distributed:
    return DistributedKeys;
  case Scope::Event:
    return EventKeys;
  case Scope::Args:
    return ArgsKeys;
  default:
    return {};
  }
}

bool isList(Scope S) {
  return S == Scope::Devices || S == Scope::Events || S == Scope::Triple;
}

/// The parser's callbacks, from value to value.
class Handler {
  ByteStream &Bytes;
  const std::function<void(const JsonEvent &)> &Callback;
  State S;
  llvm::SmallVector<Scope, 8> Open;    ///< Containers that are read.
  unsigned Skipped = 0;                ///< Containers inside that are not.
  const struct Key *Current = nullptr; ///< Null: one that is not read.

  bool open(bool IsObject);
  bool close();
  Scope inside() const;

public:
  uint64_t Good = 0;
  bool TooDeep = false;

  Handler(ByteStream &Bytes, JsonHead &Head,
          const std::function<void(const JsonEvent &)> &Callback)
      : Bytes(Bytes), Callback(Callback), S{Head} {}

  bool scalar(StringRef Text) {
    Bytes.allowMore();
    if (!Skipped && Current && Current->Set &&
        (Current->Opens == Scope::None || Current->Opens == Open.back()))
      Current->Set(S, Text);
    return true;
  }
  // NOLINTBEGIN(readability-identifier-naming)
  bool String(const char *Text, rapidjson::SizeType Size, bool) {
    return scalar(StringRef(Text, Size));
  }
  bool RawNumber(const char *Text, rapidjson::SizeType Size, bool) {
    return scalar(StringRef(Text, Size));
  }
  bool Key(const char *Text, rapidjson::SizeType Size, bool);
  bool Null() { return true; }
  bool Bool(bool) { return true; }
  bool StartObject() { return open(true); }
  bool StartArray() { return open(false); }
  bool EndObject(rapidjson::SizeType) { return close(); }
  bool EndArray(rapidjson::SizeType) { return close(); }

  // Numbers come as RawNumber.
  bool Int(int) { return true; }
  bool Uint(unsigned) { return true; }
  bool Int64(int64_t) { return true; }
  bool Uint64(uint64_t) { return true; }
  bool Double(double) { return true; }
  // NOLINTEND(readability-identifier-naming)
};

/// What is read if a container begins now.
Scope Handler::inside() const {
  switch (Open.back()) {
  case Scope::Devices:
    return Scope::Device;
  case Scope::Events:
    return Scope::Event;
  case Scope::Triple:
    return Scope::None;
  default:
    return Current ? Current->Opens : Scope::None;
  }
}

bool Handler::open(bool IsObject) {
  Bytes.allowMore();
  if (Skipped) {
    TooDeep = ++Skipped > MaxDepth;
    return !TooDeep;
  }
  const Scope Container = !Open.empty() ? inside()
                          : IsObject    ? Scope::File
                                        : Scope::Events;
  if (Container == Scope::None || isList(Container) == IsObject) {
    Skipped = 1;
    return true;
  }
  Open.push_back(Container);
  S.Axis = 0;
  if (Container != Scope::Triple)
    Current = nullptr;
  S.Head.HasEvents |= Container == Scope::Events;
  if (Container == Scope::Event)
    S.Event.clear();
  if (Container == Scope::Device)
    S.Head.Devices.emplace_back();
  return true;
}

bool Handler::close() {
  Bytes.allowMore();
  if (Skipped) {
    --Skipped;
    return true;
  }
  Current = nullptr;
  if (Open.pop_back_val() == Scope::Event) {
    Good = Bytes.Tell();
    Callback(S.Event);
  }
  return true;
}

bool Handler::Key(const char *Text, rapidjson::SizeType Size, bool) {
  Bytes.allowMore();
  if (Skipped)
    return true;
  const StringRef Name(Text, Size);
  llvm::ArrayRef<struct Key> Known = keysIn(Open.back());
  Current = llvm::find_if(
      Known, [Name](const struct Key &K) { return K.Name == Name; });
  if (Current == Known.end())
    Current = nullptr;
  return true;
}

} // namespace

void JsonEvent::clear() {
  Phase = 0;
  for (std::string *Text :
       {&Category, &Name, &Pid, &Tid, &ArgName, &ArgJson, &File, &Function})
    Text->clear(); // Keeps the memory for the next.
  Start = Duration = Id = std::nullopt;
  HasFraction = false;
  Site = 0;
  IsLane = false;
  Line = 0;
  Shape = LaunchShape();
  Correlation = Device = Context = Stream = Bytes = std::nullopt;
}

JsonEnd autoprof::trace::readJsonEvents(
    const ByteReader &Read, JsonHead &Head,
    const std::function<void(const JsonEvent &)> &Callback) {
  using namespace rapidjson;
  ByteStream Bytes(Read);
  Handler Events(Bytes, Head, Callback);
  Reader Parser;
  // Iterative: nesting must not use up the machine's stack.
  constexpr unsigned Flags = kParseNumbersAsStringsFlag | kParseNanAndInfFlag |
                             kParseIterativeFlag | kParseTrailingCommasFlag;
  ParseResult Status = Parser.Parse<Flags>(Bytes, Events);
  JsonEnd End;
  if (Status.IsError()) {
    if (Events.TooDeep)
      End.Problem = "it is nested deeper than any trace";
    else if (Bytes.isTooLong())
      End.Problem = "a text in it is longer than any trace's";
    else
      End.Problem = GetParseError_En(Status.Code());
    End.Problem += " (at byte " + std::to_string(Status.Offset()) + ")";
  }
  End.Good = Status.IsError() ? Events.Good : Bytes.Tell();
  End.Bytes = Bytes.drain();
  return End;
}
