// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A protobuf writer of a few dozen lines. Perfetto's events are small and
// numerous, and a general writer costs ten times as much.
//
// Nested messages: a message's length precedes it and is not known until it
// ends. One byte is reserved for it; the rare message of 128 bytes or more is
// moved to make room. Fields are written in place, without a second pass or a
// buffer per message.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace autoprof::runtime {

/// A growing byte buffer that never throws: if memory runs out it stays as it
/// is, and `failed()` is true. Not thread-safe.
class Encoder {
public:
  Encoder() = default;
  Encoder(const Encoder &) = delete;
  Encoder &operator=(const Encoder &) = delete;
  ~Encoder() { free(Data); }

  const uint8_t *data() const { return Data; }
  size_t size() const { return Size; }
  bool failed() const { return Failed; }

  /// Drops everything after the first `NewSize` bytes.
  void truncate(size_t NewSize) {
    Size = NewSize;
    Failed = false;
  }

  /// Appends field `Number` with wire type varint.
  void varint(uint32_t Number, uint64_t Value) {
    if (!reserve(20))
      return;
    put(Number << 3);
    put(Value);
  }

  /// Appends field `Number` with wire type length-delimited and these bytes.
  void bytes(uint32_t Number, std::string_view Bytes);

  /// Appends field `Number` with wire type length-delimited: `Text` as valid
  /// UTF-8. Other bytes become '?', because readers would reject the whole
  /// packet.
  void string(uint32_t Number, std::string_view Text);

  /// Opens the message in field `Number`; returns the argument for end().
  size_t begin(uint32_t Number) {
    if (!reserve(10))
      return Size;
    put(Number << 3 | 2);
    Data[Size++] = 0;
    return Size;
  }

  void end(size_t Start) {
    size_t Length = Size - Start;
    if (Length < 0x80 && !Failed)
      Data[Start - 1] = static_cast<uint8_t>(Length);
    else
      endLong(Start);
  }

private:
  void put(uint64_t Value) {
    while (Value >= 0x80) {
      Data[Size++] = static_cast<uint8_t>(Value | 0x80);
      Value >>= 7;
    }
    Data[Size++] = static_cast<uint8_t>(Value);
  }

  bool reserve(size_t Extra) {
    return Size + Extra <= Capacity ? !Failed : grow(Extra);
  }

  bool grow(size_t Extra);
  void endLong(size_t Start);

  uint8_t *Data = nullptr;
  size_t Size = 0;
  size_t Capacity = 0;
  bool Failed = false;
};

/// Keeps a message open during the object's life.
class Message {
  Encoder &Out;
  size_t Start;

public:
  Message(Encoder &Out, uint32_t Number) : Out(Out), Start(Out.begin(Number)) {}
  Message(const Message &) = delete;
  Message &operator=(const Message &) = delete;
  ~Message() { Out.end(Start); }
};

} // namespace autoprof::runtime
