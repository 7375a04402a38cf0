// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Persistent.h"

#include "gtest/gtest.h"

#include <map>
#include <random>

using namespace autoprof::audit;

namespace {

using Map = PersistentMap<std::string, int>;

std::map<std::string, int> contents(const Map &M) {
  std::map<std::string, int> Result;
  M.forEach([&](const std::string &Key, int V) { Result[Key] = V; });
  return Result;
}

int sum(const std::string &, const int *A, const int *B) {
  return (A ? *A : 100) + (B ? *B : 1000);
}

} // namespace

TEST(Persistent, IsAMap) {
  std::mt19937 Random(1);
  Map M;
  std::map<std::string, int> Expected;
  for (int I = 0; I < 3000; ++I) {
    const std::string Key = std::to_string(Random() % 200);
    if (Random() % 3 == 0) {
      M.erase(Key);
      Expected.erase(Key);
    } else {
      M.set(Key, I);
      Expected[Key] = I;
    }
    ASSERT_EQ(M.find(Key) != nullptr, Expected.count(Key) == 1);
  }
  EXPECT_EQ(contents(M), Expected);
}

TEST(Persistent, MergesWithWhatOnlyOneHas) {
  Map A, B, Copy;
  for (int I = 0; I < 50; ++I)
    A.set(std::to_string(I), I);
  Copy = A;
  for (int I = 40; I < 60; ++I)
    B.set(std::to_string(I), I);
  A.merge<true>(B, sum, [](int X, int Y) { return X == Y; });
  EXPECT_EQ(*A.find("7"), 7 + 1000);
  EXPECT_EQ(*A.find("45"), 90);
  EXPECT_EQ(*A.find("55"), 100 + 55);
  EXPECT_EQ(*Copy.find("45"), 45);
  EXPECT_EQ(contents(A).size(), 60u);
}

TEST(Persistent, StaysTheSameIfNothingChanges) {
  PersistentSet A, B, Of;
  for (int I = 0; I < 100; ++I)
    A.insert(std::to_string(I));
  B = A;
  B.insert("100");
  PersistentSet Before = A;
  A.insert("50");
  EXPECT_TRUE(A.isSame(Before));
  Before = B;
  B.insert(A);
  EXPECT_TRUE(B.isSame(Before));
  A.insert(B);
  EXPECT_FALSE(A.empty());
  Of.insert(A);
  EXPECT_TRUE(Of.isSame(A));
}

TEST(Persistent, VisitsFromAKey) {
  PersistentMap<std::string, int> M;
  for (const char *Key : {"a", "b", "c", "d"})
    M.set(Key, 1);
  std::string Seen;
  M.forEachFrom("b", [&](const std::string &Key, int) {
    Seen += Key;
    return Key != "c";
  });
  EXPECT_EQ(Seen, "bc");
}
