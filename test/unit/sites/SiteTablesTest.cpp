// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sites/SiteTables.h"

#include "gtest/gtest.h"

using namespace autoprof;
using sites::Row;

namespace {

TEST(SiteTables, DecodesRows) {
  std::vector<Row> Rows;
  sites::parseTable("0x00000000000000ff|sync|12|3|src/a%7c.cu|ns::f|"
                    "cudaFree;0x0000000000000001|loop|4|1|b.cu|main|;",
                    Rows);
  ASSERT_EQ(Rows.size(), 2u);
  EXPECT_EQ(Rows[0].Id, 255u);
  EXPECT_EQ(Rows[0].Kind, "sync");
  EXPECT_EQ(Rows[0].Line, 12u);
  EXPECT_EQ(Rows[0].Column, 3u);
  EXPECT_EQ(Rows[0].File, "src/a|.cu");
  EXPECT_EQ(Rows[0].Function, "ns::f");
  EXPECT_EQ(Rows[0].Callee, "cudaFree");
  EXPECT_FALSE(Rows[0].isRange());
  EXPECT_TRUE(Rows[1].isRange());
}

TEST(SiteTables, LeavesOutWhatIsMalformed) {
  std::vector<Row> Rows;
  for (const char *Table :
       {"", ";", "|||||||", "0xzz|sync|1|1|a|f|c", "255|sync|1|1|a|f|c",
        "0x1|sync|-1|1|a|f|c", "0x1|sync|1|1|a|f", "0x1|sync|1|x|a|f|c",
        "0x11111111111111111|sync|1|1|a|f|c"})
    sites::parseTable(Table, Rows);
  EXPECT_TRUE(Rows.empty());
  // A percent sign that begins no code is one.
  sites::parseTable("0x1|sync|1|1|100%|f%4|c%", Rows);
  ASSERT_EQ(Rows.size(), 1u);
  EXPECT_EQ(Rows[0].File, "100%");
  EXPECT_EQ(Rows[0].Function, "f%4");
}

} // namespace
