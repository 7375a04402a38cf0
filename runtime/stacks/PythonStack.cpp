// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading Python's frames without Python
// --------------------------------------
// A call that waits for the GPU mostly runs without the GIL: PyTorch and ctypes
// give it up around such calls. Python's own functions (PyThreadState_GetFrame,
// PyFrame_GetCode, PyCode_Addr2Line) are then forbidden: they count references
// without atomics, and other threads run. Taking the GIL is forbidden too: it
// would make the program wait where it did not, or for ever. So this file only
// reads. What it reads cannot change meanwhile:
//
// * The frames of the calling thread: only that thread pushes and pops them,
//   and it is here, below them, in a C function.
// * Their code objects: the frames hold a reference, and what is read of them
//   (names, first line, line table) never changes in a code object's life.
//
// The thread's state comes from PyGILState_GetThisThreadState, which is made to
// be called without the GIL (it reads a thread-specific value).
//
// The price is that the structures are Python's private ones (PythonLayout.h).
// Another version gives no frames, and so does an interpreter with another
// layout of a known version (free threading): sizes and types are compared with
// what the interpreter itself exports. A wrong line is worse than none.
//
// Should that not be enough, the first stacks are read through the kernel
// (process_vm_readv), which fails on a bad address where a load would crash.
#include "runtime/stacks/PythonStack.h"

#include "runtime/stacks/PythonLayout.h"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <sys/uio.h>
#include <unistd.h>

namespace autoprof::runtime {

namespace {

struct Python {
  bool IsKnown = false; ///< The layout is.
  PythonLayout Layout;
  void *(*ThreadState)() = nullptr;
  const void *CodeType = nullptr, *UnicodeType = nullptr, *BytesType = nullptr;
};

/// Reads memory; false where there is none.
class Memory {
  static constexpr int CarefulStacks = 64;
  static std::atomic<int> StacksRead;
  const bool Careful =
      StacksRead.load(std::memory_order_relaxed) < CarefulStacks;

public:
  bool read(const void *From, void *To, size_t Size) const {
    if (!From)
      return false;
    if (!Careful) {
      memcpy(To, From, Size);
      return true;
    }
    iovec Local = {To, Size}, Remote = {const_cast<void *>(From), Size};
    return process_vm_readv(getpid(), &Local, 1, &Remote, 1, 0) ==
           static_cast<ssize_t>(Size);
  }

  template <typename T>
  bool read(const void *Object, size_t Offset, T &To) const {
    return Object && read(static_cast<const char *>(Object) + Offset,
                          static_cast<void *>(&To), sizeof To);
  }

  bool isOf(const void *Object, const void *Type) const {
    const void *ItsType = nullptr;
    return read(Object, python_offset::Type, ItsType) && ItsType == Type;
  }

  static void countStack() {
    StacksRead.fetch_add(1, std::memory_order_relaxed);
  }
};
std::atomic<int> Memory::StacksRead{0};

/// Appends to a text of limited size.
struct Writer {
  char *Cur, *End;
  bool put(char C) {
    if (Cur == End)
      return false;
    *Cur++ = C;
    return true;
  }
  // What would break the line or is not text is replaced.
  bool putCharacter(uint32_t C) {
    if (C < 0x20)
      return put('?');
    if (C < 0x80)
      return put(static_cast<char>(C));
    if (C < 0x800)
      return put(static_cast<char>(0xC0 | C >> 6)) && putTail(C, 0);
    if (C < 0x10000)
      return put(static_cast<char>(0xE0 | C >> 12)) && putTail(C, 6) &&
             putTail(C, 0);
    return put(static_cast<char>(0xF0 | (C >> 18 & 7))) && putTail(C, 12) &&
           putTail(C, 6) && putTail(C, 0);
  }
  bool putTail(uint32_t C, unsigned Shift) {
    return put(static_cast<char>(0x80 | (C >> Shift & 0x3F)));
  }
};

/// Walks a line table that may be cut off at any byte.
class TableReader {
  const Memory &Source;
  const char *Cur;
  const char *End;

public:
  TableReader(const Memory &Source, const void *Begin, size_t Size)
      : Source(Source), Cur(static_cast<const char *>(Begin)), End(Cur + Size) {
  }
  bool next(uint8_t &Byte) {
    if (Cur >= End || !Source.read(Cur, &Byte, 1))
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
  void skip(size_t Bytes) { Cur += Bytes; }
};

} // namespace

// Each: the line of the instruction at byte `Offset`, 0 if there is none.
// `Line` begins as the code's first.

// Objects/lnotab_notes.txt of 3.9.
static int lineInLnotab(TableReader R, long Offset, int Line) {
  long Address = 0;
  for (uint8_t Step, Delta; R.next(Step) && R.next(Delta);) {
    Address += Step;
    if (Address > Offset)
      break;
    Line += static_cast<int8_t>(Delta);
  }
  return Line;
}

// Objects/lnotab_notes.txt of 3.10.
static int lineInRanges(TableReader R, long Offset, int Line) {
  long End = 0;
  for (uint8_t Step, Delta; R.next(Step) && R.next(Delta);) {
    const bool HasLine = Delta != 0x80; // -128
    if (HasLine)
      Line += static_cast<int8_t>(Delta);
    End += Step;
    if (Offset < End)
      return HasLine ? Line : 0;
  }
  return 0;
}

// Objects/locations.md of 3.11.
static int lineInLocations(TableReader R, long Offset, int Line) {
  long End = 0;
  for (uint8_t First; R.next(First);) {
    const unsigned Code = First >> 3 & 15;
    int Delta = 0;
    uint32_t Ignored;
    if (Code < 10) {
      R.skip(1);
    } else if (Code < 13) {
      Delta = static_cast<int>(Code) - 10;
      R.skip(2);
    } else if (Code < 15) {
      if (!R.nextSigned(Delta))
        return 0;
      if (Code == 14 && !(R.nextVarint(Ignored) && R.nextVarint(Ignored) &&
                          R.nextVarint(Ignored)))
        return 0;
    }
    Line += Delta;
    End += 2L * ((First & 7) + 1);
    if (Offset < End)
      return Code == 15 ? 0 : Line;
  }
  return 0;
}

static Python findPython() {
  Python P;
  auto Find = [](const char *Name) { return dlsym(RTLD_DEFAULT, Name); };
  auto Version = reinterpret_cast<const char *(*)()>(Find("Py_GetVersion"));
  P.ThreadState =
      reinterpret_cast<void *(*)()>(Find("PyGILState_GetThisThreadState"));
  P.CodeType = Find("PyCode_Type");
  P.UnicodeType = Find("PyUnicode_Type");
  P.BytesType = Find("PyBytes_Type");
  if (!Version || !P.ThreadState || !P.CodeType || !P.UnicodeType ||
      !P.BytesType)
    return P;
  unsigned Major = 0, Minor = 0;
  if (sscanf(Version(), "%u.%u", &Major, &Minor) != 2 || Major != 3)
    return P;
  const Memory M;
  uint64_t Words[DebugOffsetWords];
  size_t Basic = 0;
  P.IsKnown = (findPythonLayout(Minor, P.Layout) ||
               (M.read(Find("_PyRuntime"), Words, sizeof Words) &&
                readDebugOffsets(Words, Minor, P.Layout))) &&
              M.read(P.CodeType, python_offset::BasicSize, Basic) &&
              Basic == P.Layout.Basic;
  return P;
}

// Written once, never freed.
static std::atomic<const Python *> Known{nullptr};

void lookForPython() {
  if (Known.load(std::memory_order_acquire) ||
      !dlsym(RTLD_DEFAULT, "Py_GetVersion"))
    return;
  static const Python Found = findPython();
  Known.store(&Found, std::memory_order_release);
}

static const Python *python() {
  const Python *P = Known.load(std::memory_order_acquire);
  return P && P->IsKnown ? P : nullptr;
}

// False: it is no string, or there is no room.
static bool putString(const Python &P, const Memory &M, const void *Object,
                      Writer &Dest) {
  size_t Length = 0;
  uint32_t State = 0;
  if (!M.isOf(Object, P.UnicodeType) ||
      !M.read(Object, python_offset::Size, Length) ||
      !M.read(Object, python_offset::UnicodeState, State) || Length > 4096)
    return false;
  const unsigned Kind = State >> 2 & 7;
  const bool IsCompact = State >> 5 & 1, IsAscii = State >> 6 & 1;
  if (!IsCompact || (Kind != 1 && Kind != 2 && Kind != 4))
    return false;
  const char *Text = static_cast<const char *>(Object) +
                     (IsAscii ? P.Layout.Ascii : P.Layout.Compact);
  for (size_t I = 0; I < Length; ++I) {
    uint32_t C = 0;
    if (!M.read(Text + I * Kind, &C, Kind) || !Dest.putCharacter(C))
      return false;
  }
  return true;
}

static int lineOf(const Python &P, const Memory &M, const char *Frame,
                  const char *Code) {
  const PythonLayout &L = P.Layout;
  long Offset = 0;
  if (L.Lines == LineTable::Locations) {
    const char *Instruction = nullptr;
    size_t Units = 0;
    if (!M.read(Frame, L.Instruction, Instruction) ||
        !M.read(Code, python_offset::Size, Units))
      return 0;
    Offset = Instruction - (Code + L.Basic);
    if (Offset < 0 || static_cast<size_t>(Offset) >= Units * 2)
      return 0;
  } else {
    int Last = -1;
    if (!M.read(Frame, L.Instruction, Last) || Last < 0)
      return 0;
    Offset = L.Lines == LineTable::Ranges ? Last * 2L : Last;
  }
  const char *Table = nullptr;
  size_t Size = 0;
  int First = 0;
  if (!M.read(Code, L.Table, Table) || !M.isOf(Table, P.BytesType) ||
      !M.read(Table, python_offset::Size, Size) ||
      !M.read(Code, L.First, First))
    return 0;
  TableReader R(M, Table + python_offset::Bytes, Size);
  switch (L.Lines) {
  case LineTable::Lnotab:
    return lineInLnotab(R, Offset, First);
  case LineTable::Ranges:
    return lineInRanges(R, Offset, First);
  case LineTable::Locations:
    return lineInLocations(R, Offset, First);
  }
  return 0;
}

// "file:line function\n", or nothing.
static bool putFrame(const Python &P, const Memory &M, const char *Frame,
                     const char *Code, Writer &Dest) {
  int Line = lineOf(P, M, Frame, Code);
  const void *File = nullptr, *Name = nullptr;
  if (Line <= 0 || !M.read(Code, P.Layout.File, File) ||
      !M.read(Code, P.Layout.Name, Name))
    return false;
  Writer Out = Dest;
  char Digits[24];
  snprintf(Digits, sizeof Digits, ":%d ", Line);
  if (!putString(P, M, File, Out))
    return false;
  for (const char *D = Digits; *D; ++D)
    if (!Out.put(*D))
      return false;
  if (!putString(P, M, Name, Out) || !Out.put('\n'))
    return false;
  Dest = Out;
  return true;
}

size_t pythonStack(char *Text, size_t Size) {
  constexpr int MostFrames = 64;
  const Python *P = python();
  void *State = P ? P->ThreadState() : nullptr;
  if (!State)
    return 0;
  const PythonLayout &L = P->Layout;
  const Memory M;
  Writer Dest = {Text, Text + Size};
  const char *Frame = nullptr;
  if (!M.read(State, L.Frame, Frame) ||
      (L.CFrame >= 0 && !M.read(Frame, static_cast<size_t>(L.CFrame), Frame)))
    return 0;
  for (int I = 0; Frame && I < MostFrames; ++I) {
    const char *Code = nullptr, *Caller = nullptr;
    uint8_t Owner = 0;
    if (!M.read(Frame, L.Code, Code) || !M.read(Frame, L.Caller, Caller) ||
        (L.Owner >= 0 && !M.read(Frame, static_cast<size_t>(L.Owner), Owner)))
      return 0;
    // From 3.14 on the low bits say who owns the reference.
    Code = reinterpret_cast<const char *>(reinterpret_cast<uintptr_t>(Code) &
                                          ~uintptr_t(3));
    const bool IsFunction = Owner < 3;
    if (IsFunction &&
        (!M.isOf(Code, P->CodeType) || !putFrame(*P, M, Frame, Code, Dest)))
      break;
    Frame = Caller;
  }
  Memory::countStack();
  return static_cast<size_t>(Dest.Cur - Text);
}

} // namespace autoprof::runtime
