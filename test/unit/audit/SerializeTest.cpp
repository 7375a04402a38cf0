// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Model.h"

#include <gtest/gtest.h>

using namespace autoprof::audit;

static TranslationUnit sample() {
  TranslationUnit TU;
  TU.MainFile = "/project/a.cu";
  TU.Root = "/project/";
  TU.PerThreadStream = true;
  Function F;
  F.Usr = "c:@F@train#";
  F.Name = "train";
  F.Unread = true;
  Scope Loop;
  Loop.Class = Scope::Loop;
  Loop.When = Term::of(Term::Less, {Term::constant(-3), Term()});
  F.Scopes.push_back(Loop);
  Site S;
  S.Id = 0xfedcba9876543210;
  S.Row = "cudaMemcpy";
  S.Location = {"/project/a.cu", 7, 3, 99};
  S.Scope = 0;
  Arg A;
  A.Text = "p";
  A.Val = Value::fromSlot("P:f#0");
  A.Number = Term::constant(int64_t(-1) << 40);
  S.Args.push_back(A);
  S.Facts.push_back({autoprof::catalogue::Fact::Source, Value::fromMask(4)});
  F.Sites.push_back(S);
  F.Blocks.push_back({{{Event::SiteReached, 0, S.Location}}, {1}});
  TU.Functions.push_back(std::make_shared<Function>(F));
  TU.Flows.push_back({"P:f#0", Value::anything()});
  return TU;
}

TEST(Serialize, GivesBackWhatItWasGiven) {
  const std::string Bytes = encode(sample());
  SharedFunctions Known;
  std::optional<TranslationUnit> Back = decode(Bytes, Known);
  ASSERT_TRUE(Back);
  EXPECT_EQ(encode(*Back), Bytes);
  ASSERT_EQ(Back->Functions.size(), 1u);
  const Function &F = *Back->Functions[0];
  EXPECT_TRUE(F.Unread);
  EXPECT_EQ(F.Scopes[0].Parent, -1);
  EXPECT_EQ(F.Scopes[0].When, sample().Functions[0]->Scopes[0].When);
  ASSERT_EQ(F.Sites.size(), 1u);
  EXPECT_EQ(F.Sites[0].Id, 0xfedcba9876543210);
  EXPECT_EQ(F.Sites[0].Location.Column, 3u);
  EXPECT_EQ(F.Sites[0].Args[0].Number.Number, int64_t(-1) << 40);
  EXPECT_EQ(F.Sites[0].Args[0].Cell, -1);
  EXPECT_EQ(F.Blocks[0].Next, std::vector<unsigned>{1});
  EXPECT_TRUE(Back->Flows[0].Val.Unknown);
  EXPECT_TRUE(Back->PerThreadStream);
}

TEST(Serialize, KeepsEqualFunctionsOnce) {
  TranslationUnit Other = sample();
  Other.MainFile = "/project/b.cu";
  Function Changed = *Other.Functions[0];
  Changed.Scopes[0].Text = "other";
  Other.Functions.push_back(std::make_shared<Function>(Changed));
  SharedFunctions Known;
  const std::optional<TranslationUnit> A = decode(encode(sample()), Known),
                                       B = decode(encode(Other), Known);
  ASSERT_TRUE(A && B);
  EXPECT_EQ(A->Functions[0], B->Functions[0]);
  EXPECT_EQ(Known.size(), 2u);
  EXPECT_EQ(B->Functions[1]->Scopes[0].Text, "other");
}

TEST(Serialize, RefusesDamage) {
  const std::string Bytes = encode(sample());
  SharedFunctions Known;
  for (size_t Length = 0; Length < Bytes.size(); ++Length)
    EXPECT_FALSE(decode(Bytes.substr(0, Length), Known)) << Length;
  EXPECT_FALSE(decode(Bytes + "x", Known));
  // Any byte may be wrong: that must neither crash nor take all memory.
  for (size_t At = 0; At < Bytes.size(); ++At)
    for (char Wrong : {'\0', '\x7f', '\xff'}) {
      std::string Damaged = Bytes;
      Damaged[At] = Wrong;
      decode(Damaged, Known);
    }
}
