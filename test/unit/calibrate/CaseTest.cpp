// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calibrate/Case.h"
#include "calibrate/Bench.h"
#include "calibrate/Library.h"
#include "catalogue/Catalogue.h"
#include "catalogue/Measured.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

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
    // What nvcc compiles needs no library to be opened.
    if (C.Compiled.empty())
      EXPECT_NE(libraryNamed(C.library()), nullptr) << C.Call;
  }
}

TEST(Cases, NoneStandsTwice) {
  std::set<std::pair<std::string, std::string>> Seen;
  for (const Case &C : allCases().All)
    EXPECT_TRUE(Seen.insert({C.Call, C.Arguments}).second)
        << C.Call << C.Arguments;
}

/// Of one library, in lower case, as Cases::NotBuilt has them; "": those that
/// Library.cpp does not open.
class CasesOf : public testing::TestWithParam<std::string> {};

TEST_P(CasesOf, CoverEveryCallThatWasMeasuredBefore) {
  if (llvm::is_contained(allCases().NotBuilt, GetParam()))
    GTEST_SKIP() << "built without the headers of " << GetParam();
  std::set<std::string> Calls;
  for (const Case &C : allCases().All)
    Calls.insert(C.Call);
  for (const catalogue::Semantics &On : catalogue::shipped())
    for (const catalogue::Observation &O : On.Observations) {
      const Library *L = libraryOf(O.Call);
      if ((L ? L->Name.str() : "") == GetParam())
        EXPECT_TRUE(Calls.count(O.Call)) << O.Call;
    }
}

std::vector<std::string> libraryNames() {
  std::vector<std::string> Names{""};
  for (const Library &L : libraries())
    Names.push_back(L.Name.str());
  return Names;
}

INSTANTIATE_TEST_SUITE_P(Libraries, CasesOf, testing::ValuesIn(libraryNames()),
                         [](const auto &Info) {
                           return Info.param.empty() ? "none" : Info.param;
                         });

TEST(Cases, WhatNvccCompilesIsInItsSource) {
  for (const Case &C : allCases().All) {
    if (C.Compiled.empty())
      continue;
    auto Source = llvm::MemoryBuffer::getFile(
        AUTOPROF_SOURCE_DIR "/bench/calibrate/compiled/" + C.Compiled + ".cu");
    ASSERT_TRUE(bool(Source)) << C.Compiled;
    llvm::StringRef Base = C.Function, Text = (*Source)->getBuffer();
    bool OfPolicies = Base.consume_back("_default") ||
                      Base.consume_back("_on") || Base.consume_back("_nosync");
    std::string Defined = (OfPolicies ? "AUTOPROF_POLICIES(" + Base + ")"
                                      : "AUTOPROF_CASE(" + Base + ",")
                              .str();
    EXPECT_TRUE(Text.contains(Defined)) << C.Compiled << ": " << Defined;
  }
}

TEST(Cases, WhatNvccCompilesIsOpenedByItsName) {
  Bench B;
  B.CompiledFolder = "nowhere";
  for (const Case &C : allCases().All) {
    if (C.Compiled.empty())
      continue;
    clearFailure();
    C.Body(B);
    EXPECT_TRUE(failure().starts_with("cannot use what nvcc made of " +
                                      C.Compiled + ".cu: "))
        << failure().str();
  }
}

TEST(Cases, FactsArePossible) {
  for (const Case &C : allCases().All)
    EXPECT_FALSE(catalogue::settled(C.Known).impossible())
        << C.Call << C.Arguments;
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
