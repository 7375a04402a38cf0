// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading Python's frames without Python.
// While it waits for the GPU, a call mostly runs without the GIL: PyTorch and
// ctypes release it around such calls. Python's own functions
// (PyThreadState_GetFrame, PyFrame_GetCode, PyCode_Addr2Line) are then
// forbidden, because they change reference counts without atomics while other
// threads run. Taking the GIL is forbidden too: it would make the program wait
// where it did not, or forever. So this file only reads. What it reads cannot
// change meanwhile:
//
// * The frames of the calling thread: only that thread pushes and pops them,
//   and it is here, below them, in a C function.
// * Their code objects: the frames hold a reference, and the fields that are
//   read (names, first line, line table) never change during a code object's
//   life.
//
// The thread's state comes from PyGILState_GetThisThreadState, which may be
// called without the GIL (it reads a thread-specific value). When the
// interpreter ends, it frees the states of threads that are still running
// without telling them: from then on nothing is read.
//
// The drawback is that these structures are private to Python (PythonLayout.h).
// An unknown version gives no frames, and neither does an interpreter of a
// known version with another layout (free threading): sizes and types are
// compared with what the interpreter itself exports. A wrong line is worse than
// none.
//
// In case these checks are not enough, the first stacks are read with extra
// care (CarefulMemory.h).
//
// The frames of another thread do change while they are read, which takes tens
// of microseconds, and everything is read through the kernel: a frame that is
// gone gives no line, or that of the frame in its place, which runs at that
// moment, too.
#include "runtime/stacks/PythonStack.h"

#include "runtime/stacks/CarefulMemory.h"
#include "runtime/stacks/SourcePosition.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <string>
#include <utility>

namespace autoprof::runtime {

namespace {

struct Python {
  bool IsKnown = false; ///< Layout is valid.
  PythonLayout Layout;
  void *(*ThreadState)() = nullptr;
  int (*IsFinalizing)() = nullptr;
  const void *CodeType = nullptr, *UnicodeType = nullptr, *BytesType = nullptr;
};

/// Appends to a text of limited size.
struct Writer {
  char *Cur, *End;
  bool put(char C) {
    if (Cur == End)
      return false;
    *Cur++ = C;
    return true;
  }
  // Characters that would break the line or are not text are replaced.
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
  bool putNumber(int N) {
    char Digits[12];
    size_t Count = 0;
    auto Rest = static_cast<unsigned>(N);
    do
      Digits[Count++] = static_cast<char>('0' + Rest % 10);
    while (Rest /= 10);
    while (Count > 0)
      if (!put(Digits[--Count]))
        return false;
    return true;
  }
  // Nearly all names are ASCII: they are copied in one piece, and then
  // characters that are not text are replaced.
  bool putAscii(const CarefulMemory &M, const char *Text, size_t Length) {
    if (Length > static_cast<size_t>(End - Cur) || !M.read(Text, Cur, Length))
      return false;
    char *const Begin = Cur;
    Cur += Length;
    unsigned Bad = 0;
    for (const char *C = Begin; C != Cur; ++C)
      Bad |= isNoText(*C);
    for (char *C = Begin; Bad && C != Cur; ++C)
      if (isNoText(*C))
        *C = '?';
    return true;
  }
  static bool isNoText(char C) {
    return static_cast<unsigned char>(C) - 0x20u >= 0x60;
  }
};

} // namespace

static Python findPython() {
  Python P;
  auto Find = [](const char *Name) { return dlsym(RTLD_DEFAULT, Name); };
  auto Version = reinterpret_cast<const char *(*)()>(Find("Py_GetVersion"));
  P.ThreadState =
      reinterpret_cast<void *(*)()>(Find("PyGILState_GetThisThreadState"));
  void *IsFinalizing = Find("Py_IsFinalizing"); // From 3.13 on.
  if (!IsFinalizing)
    IsFinalizing = Find("_Py_IsFinalizing");
  P.IsFinalizing = reinterpret_cast<int (*)()>(IsFinalizing);
  P.CodeType = Find("PyCode_Type");
  P.UnicodeType = Find("PyUnicode_Type");
  P.BytesType = Find("PyBytes_Type");
  if (!Version || !P.ThreadState || !P.IsFinalizing || !P.CodeType ||
      !P.UnicodeType || !P.BytesType)
    return P;
  unsigned Major = 0, Minor = 0;
  if (sscanf(Version(), "%u.%u", &Major, &Minor) != 2 || Major != 3)
    return P;
  const CarefulMemory M;
  uint64_t Words[DebugOffsetWords];
  size_t Basic = 0;
  P.IsKnown = (findPythonLayout(Minor, P.Layout) ||
               (M.read(Find("_PyRuntime"), Words, sizeof Words) &&
                readDebugOffsets(Words, Minor, P.Layout))) &&
              M.read(P.CodeType, python_offset::BasicSize, Basic) &&
              Basic == P.Layout.Basic;
  return P;
}

// Written only once, never freed.
static std::atomic<const Python *> Known{nullptr};

void lookForPython() {
  if (Known.load(std::memory_order_acquire) ||
      !dlsym(RTLD_DEFAULT, "Py_GetVersion"))
    return;
  static const Python Found = findPython();
  Known.store(&Found, std::memory_order_release);
}

bool hasPython() { return Known.load(std::memory_order_acquire); }

static const Python *python() {
  const Python *P = Known.load(std::memory_order_acquire);
  return P && P->IsKnown && !P->IsFinalizing() ? P : nullptr;
}

// Returns false if it is not a string, or there is no room.
static bool putString(const Python &P, const CarefulMemory &M,
                      const void *Object, Writer &Dest) {
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
  if (IsAscii && Kind == 1)
    return Dest.putAscii(M, Text, Length);
  for (size_t I = 0; I < Length; ++I) {
    uint32_t C = 0;
    if (!M.read(Text + I * Kind, &C, Kind) || !Dest.putCharacter(C))
      return false;
  }
  return true;
}

namespace {
/// What is needed of a frame.
struct FrameAt {
  const char *Code = nullptr;
  uint64_t Instruction = 0; ///< As the frame has it.
  bool IsFunction = false;
};
} // namespace

// `Caller` becomes the frame around it, or null.
static bool readFrame(const PythonLayout &L, const CarefulMemory &M,
                      const char *Frame, FrameAt &At, const char *&Caller) {
  // In one piece, because each read may be a system call.
  char Bytes[128] = {};
  const size_t Last = std::max(
      {L.Code, L.Caller, L.Instruction, static_cast<uint16_t>(L.Owner + 1)});
  const size_t Size = Last + sizeof(uint64_t);
  if (Size > sizeof Bytes || !M.read(Frame, Bytes, Size))
    return false;
  uint8_t Owner = 0;
  if (L.Owner >= 0)
    memcpy(&Owner, Bytes + L.Owner, sizeof Owner);
  uintptr_t Code = 0;
  memcpy(&Code, Bytes + L.Code, sizeof Code);
  memcpy(static_cast<void *>(&Caller), Bytes + L.Caller, sizeof Caller);
  if (L.Lines == LineTable::Locations) {
    memcpy(&At.Instruction, Bytes + L.Instruction, sizeof At.Instruction);
  } else {
    int Index = -1;
    memcpy(&Index, Bytes + L.Instruction, sizeof Index);
    At.Instruction = static_cast<uint64_t>(Index);
  }
  // From 3.14 on the low bits state who owns the reference.
  At.Code = reinterpret_cast<const char *>(Code & ~uintptr_t(3));
  At.IsFunction = Owner < 3;
  return true;
}

// The byte of the bytecode that the frame is at; -1: unknown.
static long offsetOf(const PythonLayout &L, const CarefulMemory &M,
                     const FrameAt &At) {
  if (L.Lines != LineTable::Locations) {
    const auto Last = static_cast<int>(At.Instruction);
    if (Last < 0)
      return -1;
    return L.Lines == LineTable::Ranges ? Last * 2L : Last;
  }
  size_t Units = 0;
  if (!M.read(At.Code, python_offset::Size, Units))
    return -1;
  const long Offset =
      reinterpret_cast<const char *>(At.Instruction) - (At.Code + L.Basic);
  return Offset >= 0 && static_cast<size_t>(Offset) < Units * 2 ? Offset : -1;
}

static SourcePosition positionOf(const Python &P, const CarefulMemory &M,
                                 const FrameAt &At) {
  const PythonLayout &L = P.Layout;
  const long Offset = offsetOf(L, M, At);
  const char *Table = nullptr;
  size_t Size = 0;
  int First = 0;
  if (Offset < 0 || !M.read(At.Code, L.Table, Table) ||
      !M.isOf(Table, P.BytesType) ||
      !M.read(Table, python_offset::Size, Size) ||
      !M.read(At.Code, L.First, First))
    return {};
  return findPosition(L.Lines, M, Table + python_offset::Bytes, Size, Offset,
                      First);
}

// ":88", ":88:14-24" or ":88:14-90:3".
static bool putPosition(const SourcePosition &At, Writer &Dest) {
  if (!Dest.put(':') || !Dest.putNumber(At.Line))
    return false;
  if (!At.Column)
    return true;
  if (!Dest.put(':') || !Dest.putNumber(At.Column) || !Dest.put('-'))
    return false;
  if (At.EndLine != At.Line && (!Dest.putNumber(At.EndLine) || !Dest.put(':')))
    return false;
  return Dest.putNumber(At.EndColumn);
}

// Writes "file:line:column-column function\n", or nothing.
static bool putFrame(const Python &P, const CarefulMemory &M, const FrameAt &At,
                     Writer &Dest) {
  const void *File = nullptr, *Name = nullptr;
  if (!M.isOf(At.Code, P.CodeType))
    return false;
  const SourcePosition Position = positionOf(P, M, At);
  if (Position.Line <= 0 || !M.read(At.Code, P.Layout.File, File) ||
      !M.read(At.Code, P.Layout.Name, Name))
    return false;
  Writer Out = Dest;
  if (!putString(P, M, File, Out) || !putPosition(Position, Out) ||
      !Out.put(' '))
    return false;
  if (!putString(P, M, Name, Out) || !Out.put('\n'))
    return false;
  Dest = Out;
  return true;
}

// Finds the innermost frame, which may not be that of a function. Returns false
// if there is none.
static bool innermost(const Python &P, const CarefulMemory &M, void *State,
                      const char *&Frame) {
  const PythonLayout &L = P.Layout;
  return M.read(State, L.Frame, Frame) &&
         (L.CFrame < 0 ||
          M.read(Frame, static_cast<size_t>(L.CFrame), Frame)) &&
         Frame;
}

uint64_t pythonPlace() {
  const Python *P = python();
  const CarefulMemory M;
  if (!P || M.isCareful())
    return 0;
  const PythonLayout &L = P->Layout;
  void *State = P->ThreadState();
  const char *Frame = nullptr;
  uint64_t Place = 0;
  if (!State || !innermost(*P, M, State, Frame))
    return 0;
  if (L.Lines == LineTable::Locations) // A pointer into the code.
    return M.read(Frame, L.Instruction, Place) ? Place : 0;
  int Last = 0;
  if (!M.read(Frame, L.Code, Place) || !M.read(Frame, L.Instruction, Last))
    return 0;
  return Place + static_cast<uint64_t>(Last);
}

constexpr int MostFrames = 64;

size_t pythonStack(char *Text, size_t Size) {
  const Python *P = python();
  void *State = P ? P->ThreadState() : nullptr;
  if (!State)
    return 0;
  const CarefulMemory M;
  Writer Dest = {Text, Text + Size};
  const char *Frame = nullptr;
  if (!innermost(*P, M, State, Frame))
    return 0;
  for (int I = 0; Frame && I < MostFrames; ++I) {
    FrameAt At;
    if (!readFrame(P->Layout, M, Frame, At, Frame))
      return 0;
    if (At.IsFunction && !putFrame(*P, M, At, Dest))
      break;
  }
  CarefulMemory::countStack();
  return static_cast<size_t>(Dest.Cur - Text);
}

// --- Of another thread

void *pythonThread() {
  const Python *P = python();
  return P ? P->ThreadState() : nullptr;
}

namespace {
/// The lines that were made of frames. Code may be freed, and other code get
/// its address; so its table and name are compared.
class KnownFrames {
  struct Known {
    const void *Table = nullptr, *Name = nullptr;
    std::string Text; ///< "": there is none.
  };
  std::map<std::pair<const char *, uint64_t>, Known> Frames;
  static constexpr size_t Most = 1 << 16;

public:
  const std::string &text(const Python &P, const CarefulMemory &M,
                          const FrameAt &At) {
    if (Frames.size() >= Most)
      Frames.clear();
    Known &K = Frames[{At.Code, At.Instruction}];
    Known Now;
    M.read(At.Code, P.Layout.Table, Now.Table);
    M.read(At.Code, P.Layout.Name, Now.Name);
    if (Now.Table && Now.Table == K.Table && Now.Name == K.Name)
      return K.Text;
    char Text[4096];
    Writer Dest = {Text, Text + sizeof Text};
    if (putFrame(P, M, At, Dest))
      Now.Text.assign(Text, static_cast<size_t>(Dest.Cur - Text));
    return (K = std::move(Now)).Text;
  }
};
} // namespace

std::string pythonStackOf(void *State) {
  static auto &Known = *new KnownFrames;
  static auto &Blocks = *new MemoryBlocks;
  const Python *P = python();
  Blocks.forget();
  const CarefulMemory M(Blocks);
  const char *Frame = nullptr;
  if (!P || !innermost(*P, M, State, Frame))
    return "";
  FrameAt Frames[MostFrames];
  int Count = 0;
  while (Frame && Count < MostFrames) {
    FrameAt &At = Frames[Count];
    if (!readFrame(P->Layout, M, Frame, At, Frame))
      break;
    Count += At.IsFunction;
  }
  std::string Text;
  for (int I = 0; I < Count; ++I)
    Text += Known.text(*P, M, Frames[I]);
  return Text;
}

} // namespace autoprof::runtime
