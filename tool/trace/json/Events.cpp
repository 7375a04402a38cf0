// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/json/Events.h"

#include "trace/json/Numbers.h"
#include "trace/json/Tokens.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace autoprof::trace;
using llvm::StringRef;

namespace {

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
  Triple, ///< Grid or block.
  Nested  ///< Lists in lists, as text.
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
    {"Input Dims", Scope::Nested,
     [](State &S, StringRef Text) {
       std::string &All = S.Event.InputShapes;
       if (Text != "]" && !All.empty() && All.back() != '[')
         All += ", ";
       All += Text;
     }},
    {"autoprof shapes", Scope::None, text<&JsonEvent::InputShapes>},
    {"Bytes", Scope::None, integer<&JsonEvent::MemoryBytes>},
    {"Device Type", Scope::None, integer<&JsonEvent::MemoryDevice>},
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
  return S == Scope::Devices || S == Scope::Events || S == Scope::Triple ||
         S == Scope::Nested;
}

/// Takes the pieces of the document, one after the other.
class Handler {
  const std::function<void(const JsonEvent &)> &Callback;
  State S;
  llvm::SmallVector<Scope, 8> Open;    ///< Containers that are read.
  unsigned Skipped = 0;                ///< Containers inside that are not.
  const struct Key *Current = nullptr; ///< Null: one that is not read.

  Scope inside() const;

public:
  Handler(JsonHead &Head,
          const std::function<void(const JsonEvent &)> &Callback)
      : Callback(Callback), S{Head} {}

  void scalar(StringRef Text) {
    if (!Skipped && Current && Current->Set &&
        (Current->Opens == Scope::None || Current->Opens == Open.back()))
      Current->Set(S, Text);
  }
  void open(bool IsObject);
  /// Whether an event has ended.
  bool close();
  void key(StringRef Name);
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
  case Scope::Nested:
    return Scope::Nested;
  default:
    return Current ? Current->Opens : Scope::None;
  }
}

void Handler::open(bool IsObject) {
  if (Skipped) {
    ++Skipped;
    return;
  }
  const Scope Container = !Open.empty() ? inside()
                          : IsObject    ? Scope::File
                                        : Scope::Events;
  if (Container == Scope::None || isList(Container) == IsObject) {
    Skipped = 1;
    return;
  }
  Open.push_back(Container);
  S.Axis = 0;
  if (Container == Scope::Nested)
    Current->Set(S, "[");
  else if (Container != Scope::Triple)
    Current = nullptr;
  S.Head.HasEvents |= Container == Scope::Events;
  if (Container == Scope::Event)
    S.Event.clear();
  if (Container == Scope::Device)
    S.Head.Devices.emplace_back();
}

bool Handler::close() {
  if (Skipped) {
    --Skipped;
    return false;
  }
  const Scope Ended = Open.pop_back_val();
  if (Ended == Scope::Nested) {
    Current->Set(S, "]");
    return false;
  }
  Current = nullptr;
  if (Ended != Scope::Event)
    return false;
  Callback(S.Event);
  return true;
}

void Handler::key(StringRef Name) {
  if (Skipped)
    return;
  llvm::ArrayRef<struct Key> Known = keysIn(Open.back());
  Current = llvm::find_if(
      Known, [Name](const struct Key &K) { return K.Name == Name; });
  if (Current == Known.end())
    Current = nullptr;
}

} // namespace

void JsonEvent::clear() {
  Phase = 0;
  for (std::string *Text : {&Category, &Name, &Pid, &Tid, &ArgName, &ArgJson,
                            &InputShapes, &File, &Function})
    Text->clear(); // Keeps the memory for the next.
  Start = Duration = Id = std::nullopt;
  HasFraction = false;
  Site = 0;
  IsLane = false;
  Line = 0;
  Shape = LaunchShape();
  Correlation = Device = Context = Stream = Bytes = MemoryBytes = MemoryDevice =
      std::nullopt;
}

JsonEnd autoprof::trace::readJsonEvents(
    const ByteReader &Read, JsonHead &Head,
    const std::function<void(const JsonEvent &)> &Callback) {
  JsonTokens Tokens(Read);
  Handler Events(Head, Callback);
  JsonEnd End;
  for (;;)
    switch (Tokens.next()) {
    case JsonTokens::Object:
      Events.open(/*IsObject=*/true);
      continue;
    case JsonTokens::List:
      Events.open(/*IsObject=*/false);
      continue;
    case JsonTokens::Close:
      if (Events.close())
        End.Good = Tokens.position();
      continue;
    case JsonTokens::Key:
      Events.key(Tokens.text());
      continue;
    case JsonTokens::Value:
      Events.scalar(Tokens.text());
      continue;
    case JsonTokens::Word:
      continue;
    case JsonTokens::Done:
      End.Good = Tokens.position();
      End.Bytes = Tokens.drain();
      return End;
    case JsonTokens::Problem:
      End.Problem = Tokens.problem();
      End.Bytes = Tokens.drain();
      // A file without its last bracket is not whole.
      End.Good =
          std::min(End.Good, End.Bytes - std::min<uint64_t>(End.Bytes, 1));
      return End;
    }
}
