// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/stacks/SourcePosition.h"

namespace autoprof::runtime {

// Walking a table takes 4 us in a function of 60 lines, and a stack in PyTorch
// has many such frames. So positions are cached. Code objects come and go, and
// a new one may take the address of another that is gone, so the cache is keyed
// by the bytes of the table: wherever these are the same, the position is
// right. Hashing them is fifty times as fast as walking them.
namespace {

/// The cache of positions from tables in the format of 3.11, shared by all
/// threads without locks: an entry is two words, which other threads may write
/// meanwhile; one is combined with the key, so that words of different entries
/// do not match. Positions that do not fit into a word are not kept.
class PositionMemo {
  static constexpr size_t Size = 1024; // 16 KiB
  struct Entry {
    // Key and Value, combined by exclusive or.
    std::atomic<uint64_t> KeyAndValue;
    std::atomic<uint64_t> Value; // 0: the entry is empty.
  };
  static Entry Entries[Size];
  const uint64_t Key;
  Entry &Mine;

  static uint64_t mix(uint64_t A, uint64_t B) {
    A = (A ^ B) * 0x9e3779b97f4a7c15;
    return A ^ A >> 32;
  }

public:
  PositionMemo(const char *Table, size_t Bytes, long Offset, int Line)
      : Key(hash(Table, Bytes, Offset, Line)), Mine(Entries[Key % Size]) {}

  static uint64_t hash(const char *Table, size_t Bytes, long Offset, int Line) {
    uint64_t Lanes[4] = {Bytes, static_cast<uint64_t>(Offset),
                         static_cast<uint64_t>(Line), 0};
    uint64_t Words[4];
    constexpr size_t Chunk = sizeof Words;
    for (; Bytes >= Chunk; Bytes -= Chunk) {
      memcpy(Words, Table, Chunk);
      Table += Chunk;
      for (size_t I = 0; I < 4; ++I)
        Lanes[I] = mix(Lanes[I], Words[I]);
    }
    Words[0] = Words[1] = Words[2] = Words[3] = 0;
    if (Bytes) // An empty table may have no address.
      memcpy(Words, Table, Bytes);
    for (size_t I = 0; I < 4; ++I)
      Lanes[I] = mix(Lanes[I], Words[I]);
    return mix(mix(Lanes[0], Lanes[1]), mix(Lanes[2], Lanes[3]));
  }

  bool find(SourcePosition &P) const {
    const uint64_t Value = Mine.Value.load(std::memory_order_relaxed);
    if (!Value ||
        (Mine.KeyAndValue.load(std::memory_order_relaxed) ^ Value) != Key)
      return false;
    P.Line = static_cast<int>(Value & 0xFFFFF);
    P.EndLine = P.Line + static_cast<int>(Value >> 20 & 0xFFF);
    P.Column = static_cast<int>(Value >> 32 & 0xFFFF);
    P.EndColumn = static_cast<int>(Value >> 48);
    return true;
  }

  void keep(const SourcePosition &P) const {
    const int Lines = P.EndLine - P.Line;
    if (P.Line <= 0 || P.Line > 0xFFFFF || Lines < 0 || Lines > 0xFFF ||
        P.Column > 0xFFFF || P.EndColumn > 0xFFFF)
      return;
    const uint64_t Value = static_cast<uint64_t>(P.EndColumn) << 48 |
                           static_cast<uint64_t>(P.Column) << 32 |
                           static_cast<uint64_t>(Lines) << 20 |
                           static_cast<uint64_t>(P.Line);
    Mine.Value.store(Value, std::memory_order_relaxed);
    Mine.KeyAndValue.store(Key ^ Value, std::memory_order_relaxed);
  }
};
PositionMemo::Entry PositionMemo::Entries[Size];

/// Walks a table that may be cut off at any byte.
class TableReader {
  const CarefulMemory &Memory;
  const char *Cur;
  const char *End;

public:
  TableReader(const CarefulMemory &Memory, const void *Begin, size_t Size)
      : Memory(Memory), Cur(static_cast<const char *>(Begin)), End(Cur + Size) {
  }
  bool next(uint8_t &Byte) {
    if (Cur >= End || !Memory.read(Cur, &Byte, 1))
      return false;
    ++Cur;
    return true;
  }
  bool nextVarint(uint32_t &Value) {
    uint8_t Byte = 0;
    Value = 0;
    for (unsigned Shift = 0; Shift < 30; Shift += 6) {
      if (!next(Byte))
        return false;
      Value |= static_cast<uint32_t>(Byte & 63) << Shift;
      if (!(Byte & 64))
        return true;
    }
    return false;
  }
  bool nextSigned(int &Value) {
    uint32_t Raw;
    if (!nextVarint(Raw))
      return false;
    int Half = static_cast<int>(Raw >> 1);
    Value = Raw & 1 ? -Half : Half;
    return true;
  }
};

} // namespace

// The format is described in Objects/lnotab_notes.txt of 3.9.
static SourcePosition positionInLnotab(TableReader R, long Offset, int Line) {
  long Address = 0;
  for (uint8_t Step, Delta; R.next(Step) && R.next(Delta);) {
    Address += Step;
    if (Address > Offset)
      break;
    Line += static_cast<int8_t>(Delta);
  }
  return {Line};
}

// The format is described in Objects/lnotab_notes.txt of 3.10.
static SourcePosition positionInRanges(TableReader R, long Offset, int Line) {
  long End = 0;
  for (uint8_t Step, Delta; R.next(Step) && R.next(Delta);) {
    const bool HasLine = Delta != 0x80; // 0x80 is -128.
    if (HasLine)
      Line += static_cast<int8_t>(Delta);
    End += Step;
    if (Offset < End)
      return {HasLine ? Line : 0};
  }
  return {};
}

// Reads one entry of the table of 3.11. `P` is the position of the previous
// entry and becomes that of this one. In the table, columns count from 0, and
// the end is after the last byte. Returns false if the table is cut off.
static bool readLocation(TableReader &R, unsigned Code, SourcePosition &P) {
  uint8_t First = 0, Second = 0;
  int Delta = 0;
  P.Column = P.EndColumn = 0;
  if (Code < 10) { // On the same line as before.
    if (!R.next(First))
      return false;
    P.Column = static_cast<int>(Code << 3 | (First >> 4 & 7)) + 1;
    P.EndColumn = P.Column - 1 + (First & 15);
  } else if (Code < 13) {
    if (!R.next(First) || !R.next(Second))
      return false;
    Delta = static_cast<int>(Code) - 10;
    P.Column = First + 1;
    P.EndColumn = Second;
  } else if (Code < 15 && !R.nextSigned(Delta)) {
    return false;
  }
  P.Line += Delta;
  P.EndLine = P.Line;
  if (Code != 14)
    return true;
  uint32_t Lines, Column, EndColumn;
  if (!R.nextVarint(Lines) || !R.nextVarint(Column) || !R.nextVarint(EndColumn))
    return false;
  P.EndLine += static_cast<int>(Lines);
  if (Column && EndColumn) { // 0: no column; else the column plus one.
    P.Column = static_cast<int>(Column);
    P.EndColumn = static_cast<int>(EndColumn) - 1;
  }
  return true;
}

// The format is described in Objects/locations.md of 3.11 and
// InternalDocs/code_objects.md of 3.14.
static SourcePosition positionInLocations(TableReader R, long Offset,
                                          int Line) {
  SourcePosition P = {Line};
  long End = 0;
  for (uint8_t First; R.next(First);) {
    const unsigned Code = First >> 3 & 15;
    if (!readLocation(R, Code, P))
      return {};
    End += 2L * ((First & 7) + 1);
    if (Offset >= End)
      continue;
    if (Code == 15)
      return {};
    const bool IsEmpty = P.EndLine == P.Line && P.EndColumn < P.Column;
    return IsEmpty ? SourcePosition{P.Line, P.Line} : P;
  }
  return {};
}

static SourcePosition findInTable(LineTable Format, const CarefulMemory &Memory,
                                  const void *Table, size_t Size, long Offset,
                                  int FirstLine) {
  const TableReader R(Memory, Table, Size);
  switch (Format) {
  case LineTable::Lnotab:
    return positionInLnotab(R, Offset, FirstLine);
  case LineTable::Ranges:
    return positionInRanges(R, Offset, FirstLine);
  case LineTable::Locations:
    return positionInLocations(R, Offset, FirstLine);
  }
  return {};
}

SourcePosition findPosition(LineTable Format, const CarefulMemory &Memory,
                            const void *Table, size_t Size, long Offset,
                            int FirstLine) {
  if (Format != LineTable::Locations || Memory.isCareful())
    return findInTable(Format, Memory, Table, Size, Offset, FirstLine);
  const PositionMemo Memo(static_cast<const char *>(Table), Size, Offset,
                          FirstLine);
  SourcePosition P;
  if (!Memo.find(P)) {
    P = findInTable(Format, Memory, Table, Size, Offset, FirstLine);
    Memo.keep(P);
  }
  return P;
}

} // namespace autoprof::runtime
