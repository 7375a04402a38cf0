// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/Match.h"

#include <gtest/gtest.h>

#include <map>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::None;

namespace {

/// A table built like the compiler's: ids from file, function, callee and
/// ordinal.
struct Program {
  std::vector<trace::Site> Table;
  std::map<std::string, unsigned> Ordinals;

  uint32_t add(const std::string &File, const std::string &Function,
               const std::string &Callee, uint32_t Line, bool HasId = true) {
    trace::Site S;
    S.Kind = "copy";
    S.File = File;
    S.Function = Function;
    S.Callee = Callee;
    S.Line = Line;
    std::string Key = File + "|" + Function + "|" + Callee;
    Key += "|" + std::to_string(Ordinals[Key]++);
    S.Id = HasId ? std::hash<std::string>()(Key) | 1 : 0;
    Table.push_back(std::move(S));
    return uint32_t(Table.size() - 1);
  }
};

void addStep(Program &P, const std::string &File, const std::string &Function,
             uint32_t Line) {
  P.add(File, Function, "forward", Line);
  P.add(File, Function, "cudaMemcpy", Line + 5);
  P.add(File, Function, "update", Line + 9);
}

} // namespace

TEST(Match, MovedLinesKeepTheirIds) {
  Program Base, New;
  addStep(Base, "a.cu", "step", 10);
  addStep(New, "a.cu", "step", 110);
  for (uint32_t I = 0; I < 3; ++I) {
    Match M = matchSites(Base.Table, New.Table)[I];
    EXPECT_EQ(M.Base, I);
    EXPECT_EQ(M.Guess, "");
  }
}

TEST(Match, ARenamedFileIsAGuess) {
  Program Base, New;
  addStep(Base, "a.cu", "step", 10);
  addStep(New, "src/b.cu", "step", 10);
  for (const Match &M : matchSites(Base.Table, New.Table))
    EXPECT_EQ(M.Guess, "its file was a.cu");
}

TEST(Match, ARenamedFunctionIsAGuess) {
  Program Base, New;
  addStep(Base, "a.cu", "step", 10);
  addStep(New, "a.cu", "trainStep", 10);
  std::vector<Match> All = matchSites(Base.Table, New.Table);
  for (uint32_t I = 0; I < 3; ++I) {
    EXPECT_EQ(All[I].Base, I);
    EXPECT_EQ(All[I].Guess, "its function was step");
  }
}

TEST(Match, AnotherFunctionIsNotARenamedOne) {
  Program Base, New;
  addStep(Base, "a.cu", "step", 10);
  New.add("a.cu", "save", "cudaMemcpy", 70);
  New.add("a.cu", "save", "cudaFree", 71);
  for (const Match &M : matchSites(Base.Table, New.Table))
    EXPECT_EQ(M.Base, None);
}

TEST(Match, OfTwoEquallyLikelyOnesNone) {
  Program Base, New;
  addStep(Base, "a.cu", "step", 10);
  addStep(New, "a.cu", "stepA", 10);
  addStep(New, "a.cu", "stepB", 50);
  for (const Match &M : matchSites(Base.Table, New.Table))
    EXPECT_EQ(M.Base, None);
}

TEST(Match, AnInsertedCallDoesNotTakeTheOldOnesPlace) {
  Program Base, New;
  addStep(Base, "a.cu", "step", 10); // forward, cudaMemcpy, update
  uint32_t Inserted = New.add("a.cu", "step", "cudaMemcpy", 9);
  addStep(New, "a.cu", "step", 10);
  // The inserted call has the old one's id now.
  ASSERT_EQ(New.Table[Inserted].Id, Base.Table[1].Id);
  std::vector<Match> All = matchSites(Base.Table, New.Table);
  EXPECT_EQ(All[Inserted].Base, None);
  EXPECT_EQ(All[2].Base, 1u);
  EXPECT_EQ(All[2].Guess, "equal calls were added or removed before it");
  EXPECT_EQ(All[1].Guess, "");
  EXPECT_EQ(All[3].Guess, "");
}

TEST(Match, WhichOfTwoEqualCallsIsNewMayNotBeKnown) {
  Program Base, New;
  Base.add("a.cu", "step", "cudaMemcpy", 20);
  New.add("a.cu", "step", "cudaMemcpy", 20);
  New.add("a.cu", "step", "cudaMemcpy", 21);
  std::vector<Match> All = matchSites(Base.Table, New.Table);
  EXPECT_EQ(All[0].Base, 0u); // By id; but stated:
  EXPECT_EQ(All[0].Guess, "step calls cudaMemcpy 2 times instead of 1, so "
                          "the calls cannot be told apart");
  EXPECT_EQ(All[1].Base, None);
}

TEST(Match, TwoEqualCallsOnBothSidesAreSure) {
  Program Base, New;
  for (Program *P : {&Base, &New}) {
    P->add("a.cu", "step", "cudaMemcpy", P == &Base ? 20 : 30);
    P->add("a.cu", "step", "cudaMemcpy", P == &Base ? 21 : 35);
  }
  std::vector<Match> All = matchSites(Base.Table, New.Table);
  for (uint32_t I = 0; I < 2; ++I) {
    EXPECT_EQ(All[I].Base, I);
    EXPECT_EQ(All[I].Guess, "");
  }
}

TEST(Match, WithoutIdsLinesAreSureAndMovedLinesAGuess) {
  Program Base, New;
  Base.add("loop.py", "train", "cudaMemcpyAsync", 7, false);
  New.add("loop.py", "train", "cudaMemcpyAsync", 7, false);
  Base.add("loop.py", "eval", "cudaMemcpyAsync", 20, false);
  New.add("loop.py", "eval", "cudaMemcpyAsync", 22, false);
  std::vector<Match> All = matchSites(Base.Table, New.Table);
  EXPECT_EQ(All[0].Base, 0u);
  EXPECT_EQ(All[0].Guess, "");
  EXPECT_EQ(All[1].Base, 1u);
  EXPECT_EQ(All[1].Guess, "the lines above it changed");
}
