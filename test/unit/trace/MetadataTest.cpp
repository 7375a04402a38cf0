// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/pftrace/Metadata.h"

#include <gtest/gtest.h>

using namespace autoprof::trace;

TEST(SiteRows, ReadsEachRow) {
  TimelineBuilder B;
  EXPECT_EQ(applySiteRows(B, "0x000000000000002a|launch|3|5|a.cu|f(int)|k;"
                             "0x2b|copy|4|7|b%7Cc.cu|g|cudaMemcpy;"),
            2u);
  ASSERT_EQ(B.T.Sites.size(), 2u);
  EXPECT_EQ(B.T.Sites[0].Id, 42u);
  EXPECT_EQ(B.T.Sites[0].Line, 3u);
  EXPECT_EQ(B.T.Sites[0].Function, "f(int)");
  EXPECT_EQ(B.T.Sites[1].File, "b|c.cu");
}

TEST(SiteRows, AStepIsNoPlace) {
  TimelineBuilder B;
  EXPECT_EQ(B.T.Info.step(), "");
  EXPECT_EQ(applySiteRows(B, "0x1|step|0|0||autoprof_step|range:step;"), 1u);
  EXPECT_EQ(B.T.Info.step(), "range:step");
  applySiteRows(B, "0x2|step|0|0|||function:a%7Cb;");
  applySiteRows(B, "0x2|step|0|0|||function:a%7Cb;");
  EXPECT_EQ(B.T.Info.step(), "function:a|b");
  applySiteRows(B, "0x3|step|0|0|||function:c;");
  EXPECT_EQ(B.T.Info.step(), "range:step");
  EXPECT_TRUE(B.T.Sites.empty());
}

TEST(SiteRows, SkipsBrokenRows) {
  TimelineBuilder B;
  EXPECT_EQ(applySiteRows(B, "0x1|copy|4|7|a.cu|g;"       // A field too few.
                             "2|copy|4|7|a.cu|g|f;"       // No 0x.
                             "0x0|copy|4|7|a.cu|g|f;"     // No id.
                             "0x3|copy|x|7|a.cu|g|f;"     // No line.
                             ";;0x4|copy|1|1|%|%4|%zz;"), // Odd escapes stay.
            1u);
  EXPECT_EQ(B.T.Sites.at(0).Callee, "%zz");
}

TEST(Metadata, RejectsWhatIsNotJsonAndKeepsTheTables) {
  TimelineBuilder B;
  EXPECT_FALSE(applyMetadata(B, "stream", "{\"id\":"));
  EXPECT_FALSE(applyMetadata(B, "stream", "[]"));
  EXPECT_FALSE(applyMetadata(B, "stream",
                             "{\"id\":-1,\"context\":1,"
                             "\"device\":0}"));
  EXPECT_FALSE(applyMetadata(B, "device", "{\"id\":99999999999}"));
  EXPECT_TRUE(applyMetadata(B, "from-a-later-version", "{"));
  EXPECT_TRUE(B.T.Queues.empty());
  EXPECT_TRUE(B.T.Devices.empty());
}

TEST(Metadata, TheLastTotalOfAThrottledRangeHolds) {
  TimelineBuilder B;
  for (const char *Total :
       {R"({"id":"0x2a","runs":5,"ns":70})", R"({"id":"0x2b","runs":9,"ns":1})",
        R"({"id":"0x2a","runs":8,"ns":90})"})
    EXPECT_TRUE(applyMetadata(B, "throttled", Total));
  EXPECT_FALSE(applyMetadata(B, "throttled", R"({"id":"0x2a","runs":-1})"));
  EXPECT_FALSE(applyMetadata(B, "throttled", R"({"runs":1,"ns":1})"));
  applySiteRows(B, "0x2a|loop|4|7|a.cu|g|;");
  ASSERT_EQ(B.T.Throttled.size(), 2u);
  EXPECT_EQ(B.T.Throttled[0].Runs, 8u);
  EXPECT_EQ(B.T.Throttled[0].Time, 90);
  EXPECT_EQ(B.T.Sites[B.T.Throttled[0].Site].File, "a.cu");
  EXPECT_TRUE(B.T.isThrottled(B.T.Throttled[1].Site));
}

TEST(Metadata, WindowsAreTheTimesBetweenTheirEdges) {
  auto Read = [](std::initializer_list<std::pair<bool, int>> Edges) {
    TimelineBuilder B;
    for (auto [Opens, At] : Edges)
      EXPECT_TRUE(applyMetadata(
          B, "window",
          std::string("{\"open\":") + (Opens ? "true" : "false") +
              ",\"at_ns\":" + std::to_string(At) + ",\"plan\":\"p\"}"));
    return B.T.Recorded;
  };
  EXPECT_FALSE(Read({}).Limited);
  Windows Closed = Read({{false, 0}}); // It never opened.
  EXPECT_TRUE(Closed.Limited);
  EXPECT_TRUE(Closed.List.empty());
  Windows Two = Read({{false, 0}, {true, 5}, {false, 9}, {true, 20}});
  ASSERT_EQ(Two.List.size(), 2u);
  EXPECT_EQ(Two.List[0].Start, 5);
  EXPECT_EQ(Two.List[0].End, 9);
  EXPECT_EQ(Two.missing(0, 30), 5 + 11);
  Windows Stopped = Read({{false, 7}, {true, 12}}); // Open from the start.
  ASSERT_EQ(Stopped.List.size(), 2u);
  EXPECT_EQ(Stopped.List[0].Start, 0);
  EXPECT_EQ(Stopped.List[0].End, 7);
  TimelineBuilder Ring; // The older half comes first.
  EXPECT_TRUE(applyMetadata(Ring, "ring", "{\"from_ns\":70,\"plan\":\"p\"}"));
  EXPECT_TRUE(applyMetadata(Ring, "ring", "{\"from_ns\":90,\"plan\":\"p\"}"));
  Windows Kept = Ring.finish().Recorded;
  EXPECT_TRUE(Kept.Limited);
  EXPECT_EQ(Kept.missing(0, 100), 70);
  for (const char *Edge :
       {"{\"open\":false,\"at_ns\":0}", "{\"open\":true,\"at_ns\":10}",
        "{\"open\":false,\"at_ns\":20}", "{\"open\":true,\"at_ns\":60}"})
    EXPECT_TRUE(applyMetadata(Ring, "window", Edge));
  EXPECT_TRUE(applyMetadata(Ring, "ring", "{\"from_ns\":70}"));
  Kept = Ring.finish().Recorded;
  ASSERT_EQ(Kept.List.size(), 1u);
  EXPECT_EQ(Kept.List[0].Start, 70);
  TimelineBuilder B;
  EXPECT_FALSE(applyMetadata(B, "ring", "{\"from_ns\":-1}"));
  EXPECT_FALSE(applyMetadata(B, "window", "{\"open\":1,\"at_ns\":3}"));
  EXPECT_FALSE(applyMetadata(B, "window", "{\"open\":true,\"at_ns\":-3}"));
  EXPECT_FALSE(applyMetadata(B, "steps", "{}"));
  EXPECT_FALSE(applyMetadata(B, "launch_cost", "{\"launch_ns\":-1}"));
  EXPECT_EQ(B.T.Recorded.LaunchCost, std::nullopt);
}

TEST(Metadata, ConstantsOfTheMachineAreKept) {
  TimelineBuilder B;
  EXPECT_FALSE(applyMetadata(B, "machine", "{\"copies\":[]}"));
  EXPECT_FALSE(applyMetadata(B, "machine", "[]"));
  EXPECT_EQ(B.T.Constants, "");
  EXPECT_TRUE(
      applyMetadata(B, "machine", "{\"schema\": \"s/1\", \"copies\": [1]}"));
  EXPECT_EQ(B.T.Constants, "{\"copies\":[1],\"schema\":\"s/1\"}");
}

TEST(Metadata, CostsOfTheRecorderAreChecked) {
  TimelineBuilder B;
  EXPECT_FALSE(applyMetadata(B, "recorder_cost", "{}"));
  EXPECT_FALSE(
      applyMetadata(B, "recorder_cost", "{\"recorded\":{\"launch_ns\":3}}"));
  EXPECT_FALSE(B.T.OwnCosts);
}
