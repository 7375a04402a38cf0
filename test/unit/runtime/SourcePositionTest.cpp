// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of CPython 3.11.7, and what its co_positions() says of them.
#include "runtime/stacks/SourcePosition.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace autoprof::runtime;

namespace {

// def f(a, b):
//     x = a.item() + b(
//         1,
//         2)
//     try:
//         return x
//     finally:
//         print(a)
const std::vector<uint8_t> F = {
    128, 0,   216, 8,   9,   143, 6,   138, 6,  137, 8,   140, 8,
    144, 49,  144, 49,  216, 8,   9,   216, 8,  9,   241, 5,   2,
    20,  11,  244, 0,   2,   20,  11,  241, 0,  2,   9,   11,  128,
    65,  240, 6,   3,   5,   17,  216, 15,  16, 229, 8,   13,  136,
    97,  137, 8,   140, 8,   136, 8,   136, 8,  248, 141, 5,   136,
    97,  137, 8,   140, 8,   136, 8,   136, 8,  248, 248, 248};

// Line 203 of a function that begins in line 1, from column 309 on.
const std::vector<uint8_t> G = {
    128, 0,   216, 6,   7,   128, 33,  240, 82,  6,   0,   118, 4,
    119, 4,   247, 0,   0,   118, 4,   124, 4,   242, 0,   0,   118,
    4,   124, 4,   241, 0,   0,   118, 4,   126, 4,   244, 0,   0,
    118, 4,   126, 4,   240, 0,   0,   3,   126, 4};

std::string text(const std::vector<uint8_t> &Table, long Offset) {
  const CarefulMemory Memory;
  const SourcePosition P =
      findPosition(LineTable::Locations, Memory, Table.data(), Table.size(),
                   Offset, /*FirstLine=*/1);
  return std::to_string(P.Line) + ":" + std::to_string(P.Column) + "-" +
         std::to_string(P.EndLine) + ":" + std::to_string(P.EndColumn);
}

void checkPositions() {
  EXPECT_EQ(text(F, 8), "2:9-2:14");   // a.item
  EXPECT_EQ(text(F, 26), "2:9-2:16");  // a.item()
  EXPECT_EQ(text(F, 46), "4:9-4:9");   // 2
  EXPECT_EQ(text(F, 60), "2:20-4:10"); // b( 1, 2)
  EXPECT_EQ(text(F, 62), "2:9-4:10");  // All of it.
  EXPECT_EQ(text(F, 86), "8:9-8:16");  // print(a)
  EXPECT_EQ(text(F, 104), "0:0-0:0");  // Of no line.
  EXPECT_EQ(text(F, 0), "1:0-1:0");    // Of an empty expression.
  EXPECT_EQ(text(F, 5000), "0:0-0:0"); // Behind the table.
  EXPECT_EQ(text(G, 30), "203:310-203:317");
  EXPECT_EQ(text(G, 44), "203:3-203:317");
}

} // namespace

TEST(SourcePosition, IsThatOfTheInstruction) {
  checkPositions();
  for (int I = 0; I < 64; ++I)
    CarefulMemory::countStack();
  ASSERT_FALSE(CarefulMemory().isCareful());
  checkPositions(); // Found in the table,
  checkPositions(); // and remembered.
}

TEST(SourcePosition, IsNotRememberedForOtherTables) {
  std::vector<uint8_t> Table = F;
  EXPECT_EQ(text(Table, 26), "2:9-2:16");
  std::copy(G.begin(), G.end(), Table.begin()); // In the same place.
  EXPECT_EQ(text(Table, 26), "203:310-203:315");
  for (size_t I = 0; I < F.size(); ++I) { // Nor of one that is nearly the same.
    Table = F;
    Table[I] ^= 1;
    const CarefulMemory Memory;
    std::vector<uint8_t> Fresh = Table;
    Fresh.push_back(248); // Another size: not known yet.
    EXPECT_EQ(text(Table, 26), text(Fresh, 26)) << I;
  }
}

TEST(SourcePosition, StaysWithinTheTable) {
  for (const auto *Table : {&F, &G})
    for (size_t Size = 0; Size < Table->size(); ++Size) {
      const std::vector<uint8_t> Part(Table->begin(),
                                      Table->begin() + long(Size));
      for (long Offset = 0; Offset < 160; Offset += 2)
        text(Part, Offset); // The address sanitizer watches.
    }
}

TEST(SourcePosition, HasNoColumnsBefore311) {
  const CarefulMemory Memory;
  const uint8_t Ranges[] = {4, 1, 6, 2, 2, 0x80};
  auto Line = [&](LineTable Format, long Offset) {
    const SourcePosition P =
        findPosition(Format, Memory, Ranges, sizeof Ranges, Offset, 10);
    EXPECT_EQ(P.Column, 0);
    return P.Line;
  };
  EXPECT_EQ(Line(LineTable::Ranges, 0), 11);
  EXPECT_EQ(Line(LineTable::Ranges, 4), 13);
  EXPECT_EQ(Line(LineTable::Ranges, 10), 0);
  EXPECT_EQ(Line(LineTable::Lnotab, 0), 10);
  EXPECT_EQ(Line(LineTable::Lnotab, 4), 11);
  EXPECT_EQ(Line(LineTable::Lnotab, 10), 13);
}
