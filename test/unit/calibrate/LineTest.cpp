// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calibrate/Line.h"

#include <gtest/gtest.h>

using namespace autoprof::calibrate;

namespace {

template <typename T> std::string errorOf(llvm::Expected<T> E) {
  return E ? "" : llvm::toString(E.takeError());
}

} // namespace

TEST(Line, RepliesComeThrough) {
  Reply R;
  R.LastWords = true;
  R.O.FirstNs = 9'000;
  R.O.IdleNs = 1'000;
  R.O.BehindNs = {20'000'000, 1'200, std::nullopt, 1'300};
  R.O.Blocked = {true, false, std::nullopt, false};
  R.O.Slow = true;
  llvm::Expected<Reply> Read = readReply(write(R));
  ASSERT_TRUE(bool(Read)) << llvm::toString(Read.takeError());
  EXPECT_TRUE(Read->LastWords);
  EXPECT_EQ(Read->O.FirstNs, R.O.FirstNs);
  EXPECT_EQ(Read->O.IdleNs, R.O.IdleNs);
  EXPECT_EQ(Read->O.BehindNs, R.O.BehindNs);
  EXPECT_EQ(Read->O.Blocked, R.O.Blocked);
  EXPECT_TRUE(Read->O.Slow);
}

TEST(Line, AnErrorOfTheMachineComesThroughWhateverItsBytes) {
  Hello H;
  H.Error = "no driver: \xff\n";
  llvm::Expected<Hello> Read = readHello(write(H));
  ASSERT_TRUE(bool(Read));
  EXPECT_NE(Read->Error.find("no driver"), std::string::npos);
}

TEST(Line, NonsenseIsAnError) {
  const char *Nonsense = "the measuring process wrote nonsense";
  for (const char *Text : {"", "NCCL version 2.28", "[]", "{\"idle_ns\": -4}",
                           "{\"idle_ns\": \"x\"}", "{\"idle_ns\": 1e300}"})
    EXPECT_EQ(errorOf(readReply(Text)), Nonsense) << Text;
  EXPECT_EQ(errorOf(readHello("NCCL version 2.28")), Nonsense);
}
