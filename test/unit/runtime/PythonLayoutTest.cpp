// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What interpreters export; test/runtime/python-versions.test has real ones.
#include "runtime/stacks/PythonLayout.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace autoprof::runtime;

namespace {

struct Exported {
  uint64_t Words[DebugOffsetWords] = {};
};

/// As CPython 3.14.10 (0x030e0af0) exports them on x86-64.
Exported python14() {
  Exported E;
  memcpy(E.Words, "xdebugpy", 8);
  E.Words[1] = 0x030e0af0;
  E.Words[26] = 72; // current_frame
  const uint64_t Frame[] = {88, 8, 0, 56, 80, 74};
  const uint64_t Code[] = {216, 112, 120, 128, 136, 68, 52, 96, 104, 208};
  const uint64_t Object[] = {16, 8}, Bytes[] = {40, 16, 32};
  const uint64_t Unicode[] = {64, 32, 16, 40};
  memcpy(E.Words + 31, Frame, sizeof Frame);
  memcpy(E.Words + 39, Code, sizeof Code);
  memcpy(E.Words + 50, Object, sizeof Object);
  memcpy(E.Words + 74, Bytes, sizeof Bytes);
  memcpy(E.Words + 77, Unicode, sizeof Unicode);
  return E;
}

bool isKnown(const Exported &E, unsigned Minor) {
  PythonLayout L;
  return readDebugOffsets(E.Words, Minor, L);
}

} // namespace

TEST(PythonLayout, BeforeTheExportThereAreTables) {
  PythonLayout L;
  for (unsigned Minor = 9; Minor <= 12; ++Minor) {
    EXPECT_TRUE(findPythonLayout(Minor, L));
    EXPECT_EQ(L.Minor, Minor);
  }
  EXPECT_FALSE(findPythonLayout(8, L));
  EXPECT_FALSE(findPythonLayout(13, L));
}

TEST(PythonLayout, IsReadFromTheExport) {
  PythonLayout L;
  ASSERT_TRUE(readDebugOffsets(python14().Words, 14, L));
  EXPECT_EQ(L.Minor, 14u);
  EXPECT_EQ(L.Lines, LineTable::Locations);
  EXPECT_EQ(L.Frame, 72u);
  EXPECT_EQ(L.CFrame, -1);
  EXPECT_EQ(L.Code, 0u);
  EXPECT_EQ(L.Caller, 8u);
  EXPECT_EQ(L.Instruction, 56u);
  EXPECT_EQ(L.Owner, 74);
  EXPECT_EQ(L.First, 68u);
  EXPECT_EQ(L.File, 112u);
  EXPECT_EQ(L.Name, 128u);
  EXPECT_EQ(L.Table, 136u);
  EXPECT_EQ(L.Basic, 208u);
  EXPECT_EQ(L.Ascii, 40u);
  EXPECT_EQ(L.Compact, 56u);
}

TEST(PythonLayout, IsNotGuessed) {
  EXPECT_TRUE(isKnown(python14(), 14));
  // The version that Python itself names is another one.
  EXPECT_FALSE(isKnown(python14(), 13));
  EXPECT_FALSE(isKnown(python14(), 15));

  Exported E = python14();
  E.Words[0] ^= 1; // The cookie.
  EXPECT_FALSE(isKnown(E, 14));
  E = python14();
  E.Words[1] = 0x030e00c3; // 3.14.0rc3
  EXPECT_FALSE(isKnown(E, 14));
  E = python14();
  E.Words[1] = 0x031000f0; // 3.16.0, of which nothing is known.
  EXPECT_FALSE(isKnown(E, 16));
  E = python14();
  E.Words[2] = 1; // Free-threaded.
  EXPECT_FALSE(isKnown(E, 14));
}

TEST(PythonLayout, IsNotTakenWhereOtherFieldsMoved) {
  for (size_t Word : {51, 75, 76, 78, 79}) {
    Exported E = python14();
    E.Words[Word] += 8;
    EXPECT_FALSE(isKnown(E, 14)) << Word;
  }
  for (size_t Word : {26, 32, 33, 34, 36, 40, 42, 43, 44, 48, 80}) {
    Exported E = python14();
    E.Words[Word] = 1u << 20; // Of no field.
    EXPECT_FALSE(isKnown(E, 14)) << Word;
  }
}
