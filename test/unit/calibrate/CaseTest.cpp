// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calibrate/Case.h"
#include "calibrate/Library.h"
#include "catalogue/Catalogue.h"

#include <gtest/gtest.h>

#include <set>

using namespace autoprof;
using namespace autoprof::calibrate;

TEST(Cases, EachIsACallOfTheCatalogueUnderItsOwnName) {
  for (const Case &C : allCases().All) {
    const catalogue::Row *R = catalogue::lookup(C.Call);
    ASSERT_NE(R, nullptr) << C.Call;
    if (!llvm::StringRef(R->Name).ends_with("*"))
      EXPECT_EQ(llvm::StringRef(R->Name), C.Call);
    EXPECT_NE(libraryNamed(C.library()), nullptr) << C.Call;
  }
}

TEST(Cases, NoneStandsTwice) {
  std::set<std::pair<std::string, std::string>> Seen;
  for (const Case &C : allCases().All)
    EXPECT_TRUE(Seen.insert({C.Call, C.What}).second) << C.Call << C.What;
}

TEST(Cases, FactsArePossible) {
  for (const Case &C : allCases().All)
    EXPECT_FALSE(catalogue::settled(C.With).impossible()) << C.Call << C.What;
}

TEST(Cases, ThoseThatDestroyStandLast) {
  bool Destroying = false;
  for (const Case &C : allCases().All) {
    EXPECT_GE(C.Destroys, Destroying) << C.Call;
    Destroying = C.Destroys;
  }
}

TEST(Cases, SizesReadWell) {
  EXPECT_EQ(sizeText(1), "1 B");
  EXPECT_EQ(sizeText(4 * KiB), "4 KiB");
  EXPECT_EQ(sizeText(64 * KiB - 1), "64 KiB - 1");
  EXPECT_EQ(sizeText(64 * KiB + 1), "64 KiB + 1");
  EXPECT_EQ(sizeText(64 * MiB), "64 MiB");
}
