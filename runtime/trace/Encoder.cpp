// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/trace/Encoder.h"

namespace autoprof::runtime {

bool Encoder::grow(size_t Extra) {
  if (Failed)
    return false;
  size_t Wanted = Capacity ? Capacity * 2 : 64u << 10;
  while (Wanted < Size + Extra)
    Wanted *= 2;
  void *Grown = realloc(Data, Wanted);
  if (!Grown) {
    Failed = true;
    return false;
  }
  Data = static_cast<uint8_t *>(Grown);
  Capacity = Wanted;
  return true;
}

void Encoder::endLong(size_t Start) {
  size_t Length = Size - Start;
  unsigned Extra = 0;
  for (size_t Rest = Length; Rest >= 0x80; Rest >>= 7)
    ++Extra;
  if (!reserve(Extra))
    return;
  memmove(Data + Start + Extra, Data + Start, Length);
  size_t End = Size + Extra;
  Size = Start - 1;
  put(Length);
  Size = End;
}

// Length of the UTF-8 sequence at `Text[Pos]`, or 0 if there is none (RFC 3629:
// no overlong forms, no surrogates, nothing above U+10FFFF).
static unsigned sequenceLength(std::string_view Text, size_t Pos) {
  auto Byte = [&](size_t I) -> unsigned {
    return Pos + I < Text.size() ? static_cast<uint8_t>(Text[Pos + I]) : 0;
  };
  auto Follows = [&](size_t I) { return (Byte(I) & 0xC0) == 0x80; };
  unsigned First = Byte(0);
  if (First < 0x80)
    return 1;
  if (First >= 0xC2 && First <= 0xDF)
    return Follows(1) ? 2 : 0;
  if (First >= 0xE0 && First <= 0xEF) {
    unsigned Low = First == 0xE0 ? 0xA0 : 0x80;
    unsigned High = First == 0xED ? 0x9F : 0xBF;
    return Byte(1) >= Low && Byte(1) <= High && Follows(2) ? 3 : 0;
  }
  if (First >= 0xF0 && First <= 0xF4) {
    unsigned Low = First == 0xF0 ? 0x90 : 0x80;
    unsigned High = First == 0xF4 ? 0x8F : 0xBF;
    bool Second = Byte(1) >= Low && Byte(1) <= High;
    return Second && Follows(2) && Follows(3) ? 4 : 0;
  }
  return 0;
}

void Encoder::bytes(uint32_t Number, std::string_view Bytes) {
  if (!reserve(Bytes.size() + 20))
    return;
  put(Number << 3 | 2);
  put(Bytes.size());
  memcpy(Data + Size, Bytes.data(), Bytes.size());
  Size += Bytes.size();
}

void Encoder::string(uint32_t Number, std::string_view Text) {
  if (!reserve(Text.size() + 20))
    return;
  put(Number << 3 | 2);
  put(Text.size());
  for (size_t Pos = 0; Pos < Text.size();) {
    unsigned Length = sequenceLength(Text, Pos);
    if (Length == 0) {
      Data[Size++] = '?';
      ++Pos;
      continue;
    }
    memcpy(Data + Size, Text.data() + Pos, Length);
    Size += Length;
    Pos += Length;
  }
}

} // namespace autoprof::runtime
