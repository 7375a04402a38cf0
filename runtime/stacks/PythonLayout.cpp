// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/stacks/PythonLayout.h"

#include <cstring>
#include <initializer_list>

namespace autoprof::runtime {

static constexpr PythonLayout Layouts[] = {
    {9, LineTable::Lnotab, 24, -1, 32, 24, 104, -1, 40, 104, 112, 120, 176, 48,
     72},
    {10, LineTable::Ranges, 24, -1, 32, 24, 96, -1, 40, 104, 112, 120, 176, 48,
     72},
    {11, LineTable::Locations, 56, 8, 32, 48, 56, 69, 72, 112, 128, 136, 184,
     48, 72},
    {12, LineTable::Locations, 56, 0, 0, 8, 56, 70, 68, 112, 128, 136, 192, 40,
     56},
};

bool findPythonLayout(unsigned Minor, PythonLayout &Layout) {
  for (const PythonLayout &L : Layouts)
    if (L.Minor == Minor) {
      Layout = L;
      return true;
    }
  return false;
}

namespace {

/// Where each group begins, in words of _Py_DebugOffsets. New versions add
/// fields at the ends of groups and groups between others; the fields read
/// below have kept their places within their groups.
struct Groups {
  unsigned Minor;
  uint8_t Thread, Frame, Code, Object, Bytes, Unicode;
};

} // namespace

static constexpr Groups KnownGroups[] = {
    {13, 19, 28, 34, 44, 64, 67},
    {14, 22, 31, 39, 50, 74, 77},
    {15, 22, 39, 47, 58, 86, 89},
};
static_assert(KnownGroups[2].Unicode + 4 <= DebugOffsetWords,
              "the last word that is read");

// Only releases: layouts change up to the last release candidate.
static bool isRelease(uint64_t Version, unsigned Minor) {
  constexpr unsigned Final = 15;
  return Version >> 16 == (3u << 8 | Minor) && (Version >> 4 & 15) == Final;
}

bool readDebugOffsets(const uint64_t (&Words)[DebugOffsetWords], unsigned Minor,
                      PythonLayout &Layout) {
  const Groups *Known = nullptr;
  for (const Groups &G : KnownGroups)
    if (G.Minor == Minor)
      Known = &G;
  const bool IsFreeThreaded = Words[2];
  if (!Known || memcmp(Words, "xdebugpy", 8) != 0 ||
      !isRelease(Words[1], Minor) || IsFreeThreaded)
    return false;
  const uint64_t *Frame = Words + Known->Frame, *Code = Words + Known->Code;
  const uint64_t *Bytes = Words + Known->Bytes;
  const uint64_t *Unicode = Words + Known->Unicode;
  if (Words[Known->Object + 1] != python_offset::Type ||
      Bytes[1] != python_offset::Size || Bytes[2] != python_offset::Bytes ||
      Unicode[1] != python_offset::UnicodeState ||
      Unicode[2] != python_offset::Size)
    return false;
  const uint64_t CurrentFrame = Words[Known->Thread + 4];
  const uint64_t Ascii = Unicode[3];
  for (uint64_t Offset : {CurrentFrame, Frame[1], Frame[2], Frame[3], Frame[5],
                          Code[1], Code[3], Code[4], Code[5], Code[9], Ascii})
    if (Offset > 4096)
      return false;
  auto Short = [](uint64_t Offset) { return static_cast<uint16_t>(Offset); };
  Layout = {Minor, LineTable::Locations, Short(CurrentFrame), -1,
            Short(Frame[2]), Short(Frame[1]), Short(Frame[3]),
            static_cast<int16_t>(Frame[5]), Short(Code[5]), Short(Code[1]),
            Short(Code[3]), Short(Code[4]), Short(Code[9]), Short(Ascii),
            // It has two more pointers.
            Short(Ascii + 16)};
  return true;
}

} // namespace autoprof::runtime
