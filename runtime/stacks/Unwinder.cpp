// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources: DWARF 5, 6.4 (call frame information) and 2.5 (expressions); Linux
// Standard Base 5, 10.6 (.eh_frame and .eh_frame_hdr).
#include "runtime/stacks/Unwinder.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>

namespace autoprof::runtime {

namespace {

/// As in glibc's dlfcn.h, which older ones lack.
struct FoundObject {
  unsigned long long Flags;
  void *Begin, *End, *LinkMap;
  const uint8_t *Table; ///< Segment PT_GNU_EH_FRAME.
  unsigned long long Reserved[7];
};
using FindObject = int (*)(void *, FoundObject *);

/// Reads a table; does not read past its end.
struct Bytes {
  const uint8_t *At, *End;

  template <typename T> T get() {
    T Value = {};
    if (size_t(End - At) < sizeof Value) {
      At = End;
      return Value;
    }
    memcpy(&Value, At, sizeof Value);
    At += sizeof Value;
    return Value;
  }
  uint64_t uleb() {
    uint64_t Value = 0;
    for (unsigned Shift = 0; At < End; Shift += 7) {
      const uint8_t Byte = *At++;
      Value |= Shift < 64 ? uint64_t(Byte & 0x7f) << Shift : 0;
      if (!(Byte & 0x80))
        break;
    }
    return Value;
  }
  int64_t sleb() {
    const uint8_t *Start = At;
    uint64_t Value = uleb();
    const unsigned Bits = 7 * unsigned(At - Start);
    if (At > Start && (At[-1] & 0x40) && Bits < 64)
      Value |= ~uint64_t(0) << Bits;
    return int64_t(Value);
  }
  void skip(uint64_t Size) { At += std::min(Size, uint64_t(End - At)); }
  Bytes block() {
    const uint64_t Size = uleb();
    Bytes Part = {At, At};
    skip(Size);
    Part.End = At;
    return Part;
  }
};

/// How the caller's value of a register is found.
struct Rule {
  enum : uint8_t { Same, Lost, AtOffset, AtExpression, IsExpression } Kind;
  int64_t Offset; ///< From the CFA.
  Bytes Expression;
};

struct Row {
  /// AtOffset: from CfaRegister, not in memory.
  Rule Cfa = {Rule::Lost, 0, {}};
  uint64_t CfaRegister = 0;
  Rule R[MachineState::Count] = {};
};

/// What the tables say about one function.
struct Function {
  uintptr_t Begin = 0;
  uint64_t CodeUnit = 1;
  int64_t DataUnit = 1;
  bool IsSignalFrame = false;  ///< It returns to an interrupted instruction.
  Bytes Common = {}, Own = {}; ///< Instructions.
};

class Frames {
  const StackBounds &Stack;
  MachineState S;

  // Where tables are wrong, also what is not to be read by the function.
  __attribute__((no_sanitize("address", "thread"))) bool
  read(uintptr_t Address, uintptr_t &Value) const {
    if (Address < Stack.Low || Address > Stack.High - sizeof Value ||
        Address % sizeof Value)
      return false;
    Value = *reinterpret_cast<const uintptr_t *>(Address);
    return true;
  }
  bool evaluate(Bytes Text, uintptr_t Value, uintptr_t &Result) const;
  bool valueOf(const Rule &Rule, uintptr_t Cfa, unsigned Register,
               uintptr_t &Value) const;

public:
  Frames(const MachineState &S, const StackBounds &Stack)
      : Stack(Stack), S(S) {}
  uintptr_t address() const { return S.R[MachineState::Address]; }
  /// To the caller. Returns false if there is none, or it cannot be found.
  bool up(bool &IsInterrupted);
};

} // namespace

static FindObject Find;

bool prepareUnwinding() {
#ifdef __x86_64__
  static const auto Found =
      reinterpret_cast<FindObject>(dlsym(RTLD_DEFAULT, "_dl_find_object"));
  Find = Found;
#endif
  return Find != nullptr;
}

// Size of a pointer in the encoding of .eh_frame; 0: unknown.
static size_t sizeOf(uint8_t Encoding) {
  constexpr uint8_t Sizes[] = {8, 0, 0, 4, 8, 0, 0, 0};
  return Sizes[Encoding & 0x07];
}

// The entry of the function that contains `Address`, from the sorted table in
// the one form that linkers write.
static const uint8_t *findEntry(uintptr_t Address, uintptr_t &Begin) {
  FoundObject Object;
  if (Find(reinterpret_cast<void *>(Address), &Object) != 0 || !Object.Table)
    return nullptr;
  constexpr uint8_t Header[] = {1, 0x1b, 0x03, 0x3b};
  const uint8_t *Table = Object.Table;
  if (memcmp(Table, Header, sizeof Header) != 0)
    return nullptr;
  uint32_t Count;
  memcpy(&Count, Table + 8, sizeof Count);
  const int64_t Wanted = int64_t(Address - reinterpret_cast<uintptr_t>(Table));
  int32_t Pair[2];
  uint32_t From = 0, To = Count; // The last one that begins before it.
  while (To - From > 1) {
    const uint32_t Middle = From + (To - From) / 2;
    memcpy(Pair, Table + 12 + 8 * size_t(Middle), sizeof Pair);
    (Pair[0] <= Wanted ? From : To) = Middle;
  }
  memcpy(Pair, Table + 12 + 8 * size_t(From), sizeof Pair);
  if (Count == 0 || Pair[0] > Wanted)
    return nullptr;
  Begin = reinterpret_cast<uintptr_t>(Table) + uintptr_t(intptr_t(Pair[0]));
  return Table + Pair[1];
}

// The bytes of an entry after its length.
static Bytes entryAt(const uint8_t *At) {
  uint32_t Length;
  memcpy(&Length, At, sizeof Length);
  if (Length == 0 || Length >= 0xfffffff0)
    return {At, At};
  return {At + 4, At + 4 + Length};
}

// Reads the entry that functions have in common. Returns the encoding of their
// addresses, or 0xff.
static uint8_t readCommon(Bytes In, Function &F) {
  if (In.get<uint32_t>() != 0)
    return 0xff;
  const uint8_t Version = In.get<uint8_t>();
  const char *Kind = reinterpret_cast<const char *>(In.At);
  while (In.At < In.End && *In.At)
    ++In.At;
  In.skip(1);
  F.CodeUnit = In.uleb();
  F.DataUnit = In.sleb();
  const uint64_t Return = Version == 1 ? In.get<uint8_t>() : In.uleb();
  if ((Version != 1 && Version != 3) || Return != MachineState::Address ||
      *Kind != 'z')
    return 0xff;
  uint8_t Encoding = 0;
  Bytes More = In.block();
  for (const char *K = Kind + 1; *K; ++K)
    if (*K == 'R')
      Encoding = More.get<uint8_t>();
    else if (*K == 'P')
      More.skip(sizeOf(More.get<uint8_t>()));
    else if (*K == 'L')
      More.get<uint8_t>();
    else if (*K == 'S')
      F.IsSignalFrame = true;
    else
      return 0xff;
  F.Common = In;
  return Encoding;
}

static bool findFunction(uintptr_t Address, Function &F) {
  const uint8_t *Entry = findEntry(Address, F.Begin);
  if (!Entry)
    return false;
  Bytes In = entryAt(Entry);
  const uint8_t *Here = In.At;
  const uint32_t Back = In.get<uint32_t>();
  if (Back == 0)
    return false;
  const uint8_t Encoding = readCommon(entryAt(Here - Back), F);
  const size_t Size = sizeOf(Encoding);
  if (Encoding == 0xff || Size == 0)
    return false;
  In.skip(Size); // Begin is in the table.
  const uint64_t Length = Size == 8 ? In.get<uint64_t>() : In.get<uint32_t>();
  In.block();
  F.Own = In;
  return Address - F.Begin < Length;
}

namespace {

/// Runs the instructions up to an address (DWARF 5, 6.4.2).
class RowFinder {
  const Function &F;
  const uintptr_t Address;
  static constexpr unsigned MostKept = 2;
  Row Kept[MostKept];
  unsigned NumKept = 0;
  Row Initial;

  void set(uint64_t Register, Rule To) {
    if (Register < MachineState::Count)
      Now.R[Register] = To;
  }
  void reset(uint64_t Register) {
    if (Register < MachineState::Count)
      Now.R[Register] = Initial.R[Register];
  }
  void setCfa(uint64_t Register, int64_t Offset) {
    Now.Cfa = {Rule::AtOffset, Offset, {}};
    Now.CfaRegister = Register;
  }
  bool runOther(uint8_t Code, Bytes &In, uintptr_t &At);
  bool run(Bytes In);

public:
  Row Now;
  RowFinder(const Function &F, uintptr_t Address) : F(F), Address(Address) {}
  bool find() {
    if (!run(F.Common))
      return false;
    Initial = Now;
    return run(F.Own) && Now.Cfa.Kind != Rule::Lost;
  }
};

bool RowFinder::run(Bytes In) {
  uintptr_t At = F.Begin;
  while (In.At < In.End && At <= Address) {
    const uint8_t Code = In.get<uint8_t>();
    const uint8_t Low = Code & 0x3f;
    switch (Code & 0xc0) {
    case 0x40: // DW_CFA_advance_loc
      At += Low * F.CodeUnit;
      break;
    case 0x80: // DW_CFA_offset
      set(Low, {Rule::AtOffset, int64_t(In.uleb()) * F.DataUnit, {}});
      break;
    case 0xc0: // DW_CFA_restore
      reset(Low);
      break;
    default:
      if (!runOther(Code, In, At))
        return false;
    }
  }
  return true;
}

bool RowFinder::runOther(uint8_t Code, Bytes &In, uintptr_t &At) {
  // These begin with a register, or have nothing else.
  const bool HasRegister = Code >= 0x05 && Code != 0x0a && Code != 0x0b &&
                           Code != 0x0e && Code != 0x0f && Code != 0x2e;
  const uint64_t Register = HasRegister ? In.uleb() : 0;
  switch (Code) {
  case 0x00: // DW_CFA_nop
    break;
  case 0x02: // DW_CFA_advance_loc1, 2 and 4
  case 0x03:
  case 0x04:
    At += F.CodeUnit * (Code == 0x02   ? In.get<uint8_t>()
                        : Code == 0x03 ? In.get<uint16_t>()
                                       : In.get<uint32_t>());
    break;
  case 0x05: // DW_CFA_offset_extended and offset_extended_sf
  case 0x11:
    set(Register, {Rule::AtOffset,
                   (Code == 0x05 ? int64_t(In.uleb()) : In.sleb()) * F.DataUnit,
                   {}});
    break;
  case 0x06: // DW_CFA_restore_extended
    reset(Register);
    break;
  case 0x07: // DW_CFA_undefined and same_value
  case 0x08:
    set(Register, {Code == 0x07 ? Rule::Lost : Rule::Same, 0, {}});
    break;
  case 0x0a: // DW_CFA_remember_state
    if (NumKept == MostKept)
      return false;
    Kept[NumKept++] = Now;
    break;
  case 0x0b: // DW_CFA_restore_state
    if (NumKept == 0)
      return false;
    Now = Kept[--NumKept];
    break;
  case 0x0c: // DW_CFA_def_cfa
    setCfa(Register, int64_t(In.uleb()));
    break;
  case 0x0d: // DW_CFA_def_cfa_register
    setCfa(Register, Now.Cfa.Offset);
    break;
  case 0x0e: // DW_CFA_def_cfa_offset
    Now.Cfa.Offset = int64_t(In.uleb());
    break;
  case 0x0f: // DW_CFA_def_cfa_expression
    Now.Cfa = {Rule::IsExpression, 0, In.block()};
    break;
  case 0x10: // DW_CFA_expression and val_expression
  case 0x16:
    set(Register, {Code == 0x10 ? Rule::AtExpression : Rule::IsExpression, 0,
                   In.block()});
    break;
  case 0x2e: // DW_CFA_GNU_args_size
    In.uleb();
    break;
  default:
    return false;
  }
  return true;
}

// What compilers write for realigned stacks and signal frames: a register and
// an offset, or what is stored there.
bool Frames::evaluate(Bytes Text, uintptr_t Value, uintptr_t &Result) const {
  // Linkers': behind the push of an entry of the procedure linkage table.
  constexpr uint8_t Linkage[] = "\x77\x08\x80\0\x3f\x1a\x3b\x2a\x33\x24\x22";
  constexpr size_t Size = sizeof Linkage - 1;
  if (Text.End - Text.At == Size && memcmp(Text.At, Linkage, Size) == 0) {
    Result = S.R[MachineState::Stack] + (address() % 16 >= 11 ? 16 : 8);
    return true;
  }
  while (Text.At < Text.End) {
    const uint8_t Code = Text.get<uint8_t>();
    if (Code >= 0x70 && Code < 0x70 + MachineState::Count) // DW_OP_breg
      Value = S.R[Code - 0x70] + uintptr_t(Text.sleb());
    else if (Code == 0x23) // DW_OP_plus_uconst
      Value += Text.uleb();
    else if (Code != 0x06 || !read(Value, Value)) // DW_OP_deref
      return false;
  }
  Result = Value;
  return true;
}

bool Frames::valueOf(const Rule &By, uintptr_t Cfa, unsigned Register,
                     uintptr_t &Value) const {
  switch (By.Kind) {
  case Rule::Same:
    Value = S.R[Register];
    return true;
  case Rule::Lost:
    return false;
  case Rule::AtOffset:
    return read(Cfa + uintptr_t(By.Offset), Value);
  case Rule::AtExpression:
    return evaluate(By.Expression, Cfa, Value) && read(Value, Value);
  case Rule::IsExpression:
    return evaluate(By.Expression, Cfa, Value);
  }
  return false;
}

bool Frames::up(bool &IsInterrupted) {
  // A call may be the last instruction of a function.
  const uintptr_t Inside = address() - (IsInterrupted ? 0 : 1);
  Function F;
  if (!findFunction(Inside, F))
    return false;
  RowFinder At(F, Inside);
  if (!At.find())
    return false;
  const Row &Row = At.Now;
  uintptr_t Cfa;
  if (Row.Cfa.Kind == Rule::IsExpression) {
    if (!evaluate(Row.Cfa.Expression, 0, Cfa))
      return false;
  } else if (Row.CfaRegister < MachineState::Count) {
    Cfa = S.R[Row.CfaRegister] + uintptr_t(Row.Cfa.Offset);
  } else {
    return false;
  }
  if (Cfa <= S.R[MachineState::Stack]) // Stacks grow downwards.
    return false;
  MachineState Caller = S;
  for (unsigned I = 0; I < MachineState::Count; ++I)
    if (!valueOf(Row.R[I], Cfa, I, Caller.R[I]) && I == MachineState::Address)
      return false; // Of the outermost function, as it says, or unreadable.
  if (Row.R[MachineState::Stack].Kind == Rule::Same)
    Caller.R[MachineState::Stack] = Cfa;
  if (Row.R[MachineState::Address].Kind == Rule::Same ||
      !Caller.R[MachineState::Address])
    return false;
  S = Caller;
  IsInterrupted = F.IsSignalFrame;
  return true;
}

} // namespace

size_t unwind(const MachineState &Start, const StackBounds &Stack,
              uintptr_t *Addresses, size_t Most) {
  Frames At(Start, Stack);
  bool IsInterrupted = true;
  size_t Count = 0;
  do {
    if (Count == Most)
      break;
    Addresses[Count++] = At.address() - (IsInterrupted ? 0 : 1);
  } while (Find && At.up(IsInterrupted));
  return Count;
}

} // namespace autoprof::runtime
