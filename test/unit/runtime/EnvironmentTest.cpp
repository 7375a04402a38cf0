// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/control/Environment.h"

#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <unistd.h>

using namespace autoprof::runtime;

static std::map<std::string, std::string> Variables;

static const char *get(const char *Name) {
  auto It = Variables.find(Name);
  return It == Variables.end() ? nullptr : It->second.c_str();
}

static Settings read(std::map<std::string, std::string> Given) {
  Variables = std::move(Given);
  return readSettings(get);
}

TEST(Environment, RecordsOnlyWhenAnOutputIsNamed) {
  EXPECT_EQ(read({}).RecordingMode, Mode::Nvtx);
  EXPECT_EQ(read({{"AUTOPROF_MODE", "full"}}).RecordingMode, Mode::Nvtx);
  EXPECT_EQ(read({{"AUTOPROF_OUTPUT", "a"}}).RecordingMode, Mode::Full);
  EXPECT_EQ(read({{"AUTOPROF_OUTPUT", "a"}, {"AUTOPROF_MODE", "light"}})
                .RecordingMode,
            Mode::Light);
  EXPECT_EQ(
      read({{"AUTOPROF_OUTPUT", "a"}, {"AUTOPROF_MODE", "nvtx"}}).RecordingMode,
      Mode::Nvtx);
}

TEST(Environment, RankNumbersComeFromOneLauncher) {
  EXPECT_EQ(read({}).Numbers.Rank, "");
  RankNumbers N = read({{"RANK", "3"},
                        {"LOCAL_RANK", "1"},
                        {"WORLD_SIZE", "8"},
                        {"SLURM_PROCID", "0"}})
                      .Numbers;
  EXPECT_EQ(N.Rank, "3");
  EXPECT_EQ(N.Local, "1");
  EXPECT_EQ(N.All, "8");
  // RANK alone may mean anything.
  EXPECT_EQ(read({{"RANK", "3"}}).Numbers.Rank, "");
  N = read({{"RANK", "high"}, {"WORLD_SIZE", "8"}, {"PMI_RANK", "2"}}).Numbers;
  EXPECT_EQ(N.Rank, "2");
  EXPECT_EQ(N.All, "");
  EXPECT_EQ(read({{"OMPI_COMM_WORLD_RANK", "5"}}).Numbers.Rank, "5");
  EXPECT_EQ(read({{"SLURM_PROCID", "-1"}}).Numbers.Rank, "");
}

TEST(Environment, Disable) {
  EXPECT_FALSE(read({}).Disabled);
  EXPECT_FALSE(read({{"AUTOPROF_DISABLE", "0"}}).Disabled);
  EXPECT_FALSE(read({{"AUTOPROF_DISABLE", ""}}).Disabled);
  EXPECT_TRUE(read({{"AUTOPROF_DISABLE", "1"}}).Disabled);
}

TEST(Environment, SaysWhatItDoesNotUnderstandAndGoesOn) {
  Settings S = read({{"AUTOPROF_OUTPUT", "a"},
                     {"AUTOPROF_MODE", "fast"},
                     {"AUTOPROF_LOG_LEVEL", "loud"},
                     {"AUTOPROF_MAX_MEMORY", "lots"}});
  EXPECT_EQ(S.RecordingMode, Mode::Full);
  EXPECT_EQ(S.Level, LogLevel::Warn);
  EXPECT_EQ(S.MaxMemory, 256u << 20);
  ASSERT_EQ(S.Problems.size(), 3u);
  EXPECT_NE(S.Problems[1].find("AUTOPROF_MODE=fast"), std::string::npos);
}

TEST(Environment, Graphs) {
  auto Records = [](const char *Text, const char *Steps = "") {
    return read({{"AUTOPROF_GRAPHS", Text}, {"AUTOPROF_STEPS", Steps}}).Graphs;
  };
  EXPECT_EQ(Records(""), GraphRecords::Launches);
  EXPECT_EQ(Records("auto"), GraphRecords::Launches);
  EXPECT_EQ(Records("node"), GraphRecords::Nodes);
  EXPECT_EQ(Records("auto", "3:8"), GraphRecords::Nodes);
  EXPECT_EQ(Records("graph", "3:8"), GraphRecords::Launches);
  EXPECT_EQ(Records("nodes"), GraphRecords::Launches);
  EXPECT_EQ(read({{"AUTOPROF_GRAPHS", "nodes"}}).Problems.size(), 1u);
}

TEST(Environment, Throttle) {
  auto Runs = [](const char *Text) {
    return read({{"AUTOPROF_THROTTLE", Text}}).ThrottleAfter;
  };
  EXPECT_EQ(Runs("200"), 200u);
  EXPECT_EQ(Runs("off"), 0u);
  EXPECT_EQ(Runs(""), DefaultThrottle);
  EXPECT_EQ(Runs("-1"), DefaultThrottle);
  EXPECT_EQ(read({{"AUTOPROF_THROTTLE", "1k"}}).Problems.size(), 1u);
}

TEST(Environment, StacksPause) {
  auto Pause = [](const char *Text) {
    return read({{"AUTOPROF_STACKS_PAUSE", Text}}).StackPauseNs;
  };
  EXPECT_EQ(read({}).StackPauseNs, 50'000u);
  EXPECT_EQ(Pause("200us"), 200'000u);
  EXPECT_EQ(Pause("1.5ms"), 1'500'000u);
  EXPECT_EQ(Pause("off"), UINT64_MAX);
  for (const char *Text : {"0", "500ns", "0us", "50 us", "on", "-1us"}) {
    EXPECT_EQ(Pause(Text), 50'000u) << Text;
    EXPECT_EQ(read({{"AUTOPROF_STACKS_PAUSE", Text}}).Problems.size(), 1u);
  }
}

TEST(Environment, MemorySizes) {
  auto Memory = [](const char *Text) {
    return read({{"AUTOPROF_MAX_MEMORY", Text}}).MaxMemory;
  };
  EXPECT_EQ(Memory("16777216"), 16u << 20);
  EXPECT_EQ(Memory("64M"), 64u << 20);
  EXPECT_EQ(Memory("2G"), 2ull << 30);
  for (const char *Bad :
       {"-1", "1", "1K", "64MB", "M", "99999999999999999999G"})
    EXPECT_EQ(Memory(Bad), 256u << 20) << Bad;
}

TEST(Environment, ExpandsTheOutput) {
  Variables = {{"RANK", "3"}};
  std::vector<std::string> Problems;
  std::string Pid = std::to_string(getpid());
  char Host[256] = "";
  gethostname(Host, sizeof Host - 1);
  EXPECT_EQ(expandOutput("/d/r%q{RANK}-%p%%.pftrace", "/x", get, Problems),
            "/d/r3-" + Pid + "%.pftrace");
  EXPECT_EQ(expandOutput("%h", "/x", get, Problems), std::string("/x/") + Host);
  EXPECT_EQ(expandOutput("a", "", get, Problems), "a");
  EXPECT_TRUE(Problems.empty());
}

TEST(Environment, KeepsWhatItCannotExpand) {
  Variables.clear();
  std::vector<std::string> Problems;
  EXPECT_EQ(expandOutput("/a%q{NOPE}", "", get, Problems), "/aunset");
  EXPECT_EQ(expandOutput("/a%z", "", get, Problems), "/a%z");
  EXPECT_EQ(expandOutput("/a%q{open", "", get, Problems), "/a%q{open");
  EXPECT_EQ(expandOutput("/a%", "", get, Problems), "/a%");
  EXPECT_EQ(Problems.size(), 4u);
}
