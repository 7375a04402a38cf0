// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/json/Events.h"

#include "trace/json/Fields.h"
#include "trace/json/Numbers.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

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

/// The parser's callbacks, from value to value.
class Handler {
  enum class Scope : uint8_t {
    File,
    Devices,
    Device,
    Distributed,
    Events,
    Event,
    Args,
    Triple ///< Grid or block.
  };
  ByteStream &Bytes;
  JsonHead &Head;
  const std::function<void(const JsonEvent &)> &Callback;
  llvm::SmallVector<Scope, 8> Open; ///< Containers that are read.
  unsigned Skipped = 0;             ///< Containers inside that are not.
  Field Current = Field::Other;
  JsonEvent Event;

  unsigned Axis = 0; ///< The next of a triple.

  bool open(bool IsObject);
  bool close();
  std::optional<Scope> inside(bool IsObject) const;
  void value(StringRef Text);
  void eventValue(StringRef Text);
  void argument(StringRef Text);
  void headValue(StringRef Text);
  void deviceValue(Device &D, StringRef Text);

public:
  uint64_t Good = 0;
  bool TooDeep = false;

  Handler(ByteStream &Bytes, JsonHead &Head,
          const std::function<void(const JsonEvent &)> &Callback)
      : Bytes(Bytes), Head(Head), Callback(Callback) {}

  bool scalar(StringRef Text) {
    Bytes.allowMore();
    if (!Skipped)
      value(Text);
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

/// What begins now, if it is read; `Open` and `Current` say where.
std::optional<Handler::Scope> Handler::inside(bool IsObject) const {
  if (Open.empty())
    return IsObject ? Scope::File : Scope::Events;
  switch (Open.back()) {
  case Scope::File:
    if (Current == Field::Events && !IsObject)
      return Scope::Events;
    if (Current == Field::Devices && !IsObject)
      return Scope::Devices;
    if (Current == Field::Distributed && IsObject)
      return Scope::Distributed;
    break;
  case Scope::Devices:
    if (IsObject)
      return Scope::Device;
    break;
  case Scope::Events:
    if (IsObject)
      return Scope::Event;
    break;
  case Scope::Event:
    if (Current == Field::Args && IsObject)
      return Scope::Args;
    break;
  case Scope::Args:
    if ((Current == Field::Grid || Current == Field::Block) && !IsObject)
      return Scope::Triple;
    break;
  default:
    break;
  }
  return std::nullopt;
}

bool Handler::open(bool IsObject) {
  Bytes.allowMore();
  if (Skipped) {
    TooDeep = ++Skipped > MaxDepth;
    return !TooDeep;
  }
  std::optional<Scope> Container = inside(IsObject);
  if (!Container) {
    Skipped = 1;
    return true;
  }
  Open.push_back(*Container);
  Axis = 0;
  if (*Container != Scope::Triple)
    Current = Field::Other;
  Head.HasEvents |= *Container == Scope::Events;
  if (*Container == Scope::Event)
    Event.clear();
  if (*Container == Scope::Device)
    Head.Devices.emplace_back();
  return true;
}

bool Handler::close() {
  Bytes.allowMore();
  if (Skipped) {
    --Skipped;
    return true;
  }
  if (Open.pop_back_val() == Scope::Event) {
    Good = Bytes.Tell();
    Callback(Event);
  }
  return true;
}

bool Handler::Key(const char *Text, rapidjson::SizeType Size, bool) {
  Bytes.allowMore();
  if (Skipped)
    return true;
  StringRef K(Text, Size);
  switch (Open.back()) {
  case Scope::File:
    Current = fileField(K);
    if (StringRef Producer = producer(K); !Producer.empty())
      Head.Producer = Producer.str();
    break;
  case Scope::Event:
    Current = eventField(K);
    break;
  case Scope::Args:
    Current = argsField(K);
    break;
  default:
    Current = headField(K);
  }
  return true;
}

void Handler::value(StringRef Text) {
  if (Open.empty())
    return;
  switch (Open.back()) {
  case Scope::Event:
    return eventValue(Text);
  case Scope::Args:
    return argument(Text);
  case Scope::Triple: {
    auto &Triple =
        Current == Field::Grid ? Event.Shape.Grid : Event.Shape.Block;
    if (Axis < std::size(Triple))
      Triple[Axis++] = unsignedNumber(Text);
    return;
  }
  case Scope::File:
    if (Current == Field::Host)
      Head.Host = Text.str();
    if (Current == Field::Base)
      Head.Base = parseInteger(Text);
    return;
  default:
    return headValue(Text);
  }
}

void Handler::eventValue(StringRef Text) {
  switch (Current) {
  case Field::Phase:
    Event.Phase = Text.size() == 1 ? Text[0] : 0;
    break;
  case Field::Category:
    Event.Category.assign(Text.data(), Text.size());
    break;
  case Field::Name:
    Event.Name.assign(Text.data(), Text.size());
    break;
  case Field::Pid:
    Event.Pid.assign(Text.data(), Text.size());
    break;
  case Field::Tid:
    Event.Tid.assign(Text.data(), Text.size());
    break;
  case Field::Start:
    Event.Start = parseMicroseconds(Text);
    Event.HasFraction = Text.contains('.');
    break;
  case Field::Duration:
    Event.Duration = parseMicroseconds(Text);
    break;
  case Field::Id:
    Event.Id = parseInteger(Text);
    break;
  default:
    break;
  }
}

void Handler::argument(StringRef Text) {
  switch (Current) {
  case Field::Correlation:
    Event.Correlation = parseInteger(Text);
    break;
  case Field::Device:
    Event.Device = parseInteger(Text);
    break;
  case Field::Context:
    Event.Context = parseInteger(Text);
    break;
  case Field::Stream:
    Event.Stream = parseInteger(Text);
    break;
  case Field::Bytes:
    Event.Bytes = parseInteger(Text);
    break;
  case Field::Name:
    Event.ArgName.assign(Text.data(), Text.size());
    break;
  case Field::Json:
    Event.ArgJson.assign(Text.data(), Text.size());
    break;
  case Field::Registers:
    Event.Shape.Registers = unsignedNumber(Text);
    break;
  case Field::Shared:
    if (std::optional<int64_t> N = parseInteger(Text); N && *N >= 0)
      Event.Shape.Shared = uint64_t(*N);
    break;
  case Field::Lane:
    Event.IsLane = true;
    break;
  case Field::File:
    Event.File.assign(Text.data(), Text.size());
    break;
  case Field::Function:
    Event.Function.assign(Text.data(), Text.size());
    break;
  case Field::Line:
    Event.Line = unsignedNumber(Text);
    break;
  case Field::Site:
    if (!Text.consume_front("0x") || Text.getAsInteger(16, Event.Site))
      Event.Site = 0;
    break;
  default:
    break;
  }
}

void Handler::deviceValue(Device &D, StringRef Text) {
  switch (Current) {
  case Field::Id:
    D.Id = unsignedNumber(Text);
    break;
  case Field::Name:
    D.Name = Text.str();
    break;
  case Field::Memory:
    D.MemoryBytes =
        uint64_t(std::max<int64_t>(0, parseInteger(Text).value_or(0)));
    break;
  case Field::ComputeMajor:
    D.ComputeMajor = unsignedNumber(Text);
    break;
  case Field::ComputeMinor:
    D.ComputeMinor = unsignedNumber(Text);
    break;
  case Field::Sms:
    D.Sms = unsignedNumber(Text);
    break;
  case Field::ThreadsPerSm:
    D.WarpsPerSm = unsignedNumber(Text) / 32;
    break;
  case Field::RegistersPerSm:
    D.RegistersPerSm = unsignedNumber(Text);
    break;
  case Field::SharedPerSm:
    D.SharedPerSm = unsignedNumber(Text);
    break;
  default:
    break;
  }
}

void Handler::headValue(StringRef Text) {
  if (Open.back() == Scope::Device)
    return deviceValue(Head.Devices.back(), Text);
  if (Open.back() != Scope::Distributed)
    return;
  if (Current == Field::Rank)
    Head.Rank = parseInteger(Text);
  if (Current == Field::Ranks)
    Head.Ranks = parseInteger(Text);
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
