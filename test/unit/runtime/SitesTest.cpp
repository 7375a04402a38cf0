// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probes/Sites.h"

#include <cinttypes>
#include <cstdio>
#include <gtest/gtest.h>

using namespace autoprof::runtime;

TEST(Sites, ReadsRows) {
  EXPECT_EQ(
      addSites(
          "0x00000000000000a1|copy|88|5|src/train.cu|train_step|cudaMemcpy;"
          "0x00000000000000a2|function|10|1|src/train.cu|ns::train%7Bx%7D|;"
          "0x00000000000000a3|loop|12|3|src/train.cu|train|;"
          "0x00000000000000a4|launch|13|7|src/train.cu|train|k;"),
      4u);
  Site *S = findSite(0xa1);
  ASSERT_NE(S, nullptr);
  EXPECT_EQ(S->File, "src/train.cu");
  EXPECT_EQ(S->Line, 88u);
  EXPECT_EQ(S->Callee, "cudaMemcpy");
  EXPECT_EQ(S->Label, "cudaMemcpy train.cu:88");
  EXPECT_FALSE(S->IsRange || S->IsLaunch);
  EXPECT_EQ(findSite(0xa2)->Label, "ns::train{x}");
  EXPECT_TRUE(findSite(0xa2)->IsRange);
  EXPECT_EQ(findSite(0xa3)->Label, "train loop at train.cu:12");
  EXPECT_TRUE(findSite(0xa4)->IsLaunch);
  EXPECT_EQ(findSite(0xa5), nullptr);
}

TEST(Sites, KeepsTheFirstRowOfAnId) {
  EXPECT_EQ(addSites("0x00000000000000b1|copy|1|1|a.h|f|g;"), 1u);
  EXPECT_EQ(addSites("0x00000000000000b1|copy|2|1|b.h|f|g;"), 0u);
  EXPECT_EQ(findSite(0xb1)->Line, 1u);
}

TEST(Sites, LeavesMalformedRowsOut) {
  for (const char *Bad : {"", ";", ";;;", "x", "0x1|copy|1|1|a|f|g;",
                          "0x00000000000000c1|copy|1;",
                          "0x00000000000000cz|copy|1|1|a|f|g;", "||||||;"})
    EXPECT_EQ(addSites(Bad), 0u) << Bad;
  EXPECT_EQ(addSites("junk;0x00000000000000c2|copy|1|1|a|f|g;junk"), 1u);
}

TEST(Sites, FindsEachOfMany) {
  const unsigned Many = 5000;
  for (unsigned I = 0; I < Many; ++I) {
    char Row[96];
    snprintf(Row, sizeof Row, "0x%016" PRIx64 "|copy|%u|1|a.cu|f|g;",
             uint64_t(I + 1) << 32, I);
    ASSERT_EQ(addSites(Row), 1u);
  }
  for (unsigned I = 0; I < Many; ++I) {
    Site *S = findSite(uint64_t(I + 1) << 32);
    ASSERT_NE(S, nullptr);
    EXPECT_EQ(S->Line, I);
  }
}
