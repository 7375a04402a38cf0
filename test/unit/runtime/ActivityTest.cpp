// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cupti/Activity.h"

#include "Fabricated.h"
#include "runtime/support/Log.h"
#include "runtime/support/Loss.h"

#include <climits>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <protozero/pbf_reader.hpp>
#include <unistd.h>

using namespace autoprof::runtime;
using namespace fabricated;

namespace {

// Perfetto's field numbers, written down a second time so that the writer's
// are checked.
constexpr uint32_t Packet = 1, InternedData = 12, Stage = 53,
                   Specification = 24;

/// Decodes into a file and reads it back.
class ActivityTest : public ::testing::Test {
protected:
  char Path[64] = "/tmp/autoprof-activity-XXXXXX";
  Output File;
  std::unique_ptr<Trace> T;
  std::unique_ptr<ActivityDecoder> D;
  std::string Data;

  void SetUp() override {
    close(mkstemp(Path));
    unlink(Path);
    ASSERT_TRUE(File.open(Path));
    ProcessIdentity Process;
    Process.Hash = 0xABCDE;
    Process.Share = 5;
    T = std::make_unique<Trace>(File, Process, 1000);
    D = decoder(130001);
  }
  void TearDown() override {
    File.close();
    unlink(Path);
  }

  std::unique_ptr<ActivityDecoder> decoder(uint32_t Version) {
    Layout Records;
    EXPECT_TRUE(Layout::of(Version, Records));
    return std::make_unique<ActivityDecoder>(*T, Records, functionName);
  }

  const std::string &written() {
    T->flush();
    std::ifstream In(Path);
    Data.assign(std::istreambuf_iterator<char>(In), {});
    return Data;
  }

  /// Name of each interned GPU specification, then its description.
  std::vector<std::pair<std::string, std::string>> specifications() {
    std::vector<std::pair<std::string, std::string>> Found;
    protozero::pbf_reader Reader(written());
    while (Reader.next(Packet)) {
      protozero::pbf_reader P = Reader.get_message();
      while (P.next(InternedData)) {
        protozero::pbf_reader Interned = P.get_message();
        while (Interned.next(Specification)) {
          protozero::pbf_reader S = Interned.get_message();
          Found.emplace_back();
          while (S.next())
            if (S.tag() == 2)
              Found.back().first = S.get_string();
            else if (S.tag() == 3)
              Found.back().second = S.get_string();
            else
              S.skip();
        }
      }
    }
    return Found;
  }

  std::vector<uint64_t> eventIds() {
    std::vector<uint64_t> Ids;
    protozero::pbf_reader Reader(written());
    while (Reader.next(Packet)) {
      protozero::pbf_reader P = Reader.get_message();
      while (P.next(Stage)) {
        protozero::pbf_reader Event = P.get_message();
        while (Event.next(1))
          Ids.push_back(Event.get_uint64());
      }
    }
    return Ids;
  }
};

} // namespace

TEST(Layout, KnowsTheVersionsItReads) {
  Layout L;
  for (uint32_t Known : {19u, 26u, 28u, 130000u, 130001u, 130300u})
    EXPECT_TRUE(Layout::of(Known, L)) << Known;
  for (uint32_t Unknown : {0u, 18u, 100u, 120000u, 140000u})
    EXPECT_FALSE(Layout::of(Unknown, L)) << Unknown;
}

TEST(StripVersion, LeavesTheNameThatUsersWrite) {
  EXPECT_EQ(stripVersion("cudaMemcpy_v3020"), "cudaMemcpy");
  EXPECT_EQ(stripVersion("cudaMemcpy_ptds_v7000"), "cudaMemcpy");
  EXPECT_EQ(stripVersion("cudaStreamGetCaptureInfo_v2_ptsz_v11030"),
            "cudaStreamGetCaptureInfo");
  EXPECT_EQ(stripVersion("cuMemcpyHtoD_v2_ptds"), "cuMemcpyHtoD");
  EXPECT_EQ(stripVersion("cuMemsetD32"), "cuMemsetD32");
  EXPECT_EQ(stripVersion("cudaMemcpy2D"), "cudaMemcpy2D");
  EXPECT_EQ(stripVersion("_v7"), "");
  EXPECT_EQ(stripVersion(""), "");
}

TEST(CorrelationCounter, SurvivesWraps) {
  CorrelationCounter C;
  EXPECT_EQ(C.widen(0), 0u);
  EXPECT_EQ(C.widen(5), 5u);
  EXPECT_EQ(C.widen(3), 3u); // Late, not a wrap.
  EXPECT_EQ(C.widen(0x70000000), 0x70000000u);
  EXPECT_EQ(C.widen(0xE0000000), 0xE0000000u);
  EXPECT_EQ(C.widen(0xFFFFFFFF), 0xFFFFFFFFu);
  EXPECT_EQ(C.widen(2), 0x100000002u);
  EXPECT_EQ(C.widen(0xFFFFFFF0), 0xFFFFFFF0u); // A slow kernel of before.
  EXPECT_EQ(C.widen(3), 0x100000003u);
}

TEST(CorrelationCounter, MayBeginAnywhere) {
  CorrelationCounter C;
  EXPECT_EQ(C.widen(0xF0000000), 0xF0000000u);
  EXPECT_EQ(C.widen(0xF0000001), 0xF0000001u);
}

TEST_F(ActivityTest, DescribesKernelsCopiesAndSets) {
  decode(*D, kernel("_Z4stepPfi", 13, 2000, 3000, 1));
  decode(*D, kernel("_Z4stepPfi", 13, 3000, 4000, 2)); // Nothing new.
  decode(*D, copy(CUPTI_ACTIVITY_MEMCPY_KIND_DTOH,
                  CUPTI_ACTIVITY_MEMORY_KIND_DEVICE,
                  CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE, 4, 5000, 6000, 3));
  decode(*D, set(CUPTI_ACTIVITY_MEMORY_KIND_MANAGED, 64, 7000, 8000, 4));
  std::map<std::string, std::string> Found;
  for (const auto &[Name, Description] : specifications()) {
    EXPECT_EQ(Found.count(Name), 0u) << Name << " was interned twice";
    Found[Name] = Description;
  }
  EXPECT_EQ(Found.size(), 5u);
  EXPECT_EQ(Found["step(float*, int)"],
            "op=kernel grid=80,1,1 block=256,1,1 smem=1040 regs=32");
  EXPECT_EQ(Found["Memcpy DtoH (Device -> Pageable)"],
            "op=copy kind=DtoH src=device dst=pageable bytes=4");
  EXPECT_EQ(Found["Memset (Managed)"], "op=set kind=managed bytes=64");
  EXPECT_EQ(Found["stream 13"], "device=0 context=1 stream=13");
}

TEST_F(ActivityTest, DescribesGraphLaunches) {
  decode(*D, graph(2, 13, 2000, 3000, 1));
  decode(*D, graph(2, 13, 3000, 4000, 2));
  decode(*D, graph(4, 13, 4000, 5000, 3));
  // A graph that begins on the host, and one that is only there.
  CUpti_ActivityGraphTrace2 Host = graph(6, 13, 5000, 6000, 4);
  Host.deviceId = Host.contextId = INT_MAX;
  decode(*D, Host);
  Host.endDeviceId = Host.endContextId = INT_MAX;
  decode(*D, Host);
  std::map<std::string, std::string> Found;
  for (const auto &[Name, Description] : specifications())
    Found[Name] = Description;
  EXPECT_EQ(Found, (std::map<std::string, std::string>{
                       {"stream 13", "device=0 context=1 stream=13"},
                       {"CUDA graph 2", "op=graph graph=2"},
                       {"CUDA graph 4", "op=graph graph=4"},
                       {"CUDA graph 6", "op=graph graph=6"}}));
  EXPECT_EQ(eventIds().size(), 4u);
}

// Stream ids are unique in a context only, and streams may be made known before
// their context.
TEST_F(ActivityTest, KeepsContextsApart) {
  decode(*D, stream(13, 1, CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING));
  decode(*D, stream(13, 2, CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT));
  decode(*D, context(1, 7));
  CUpti_ActivityContext3 Second = context(2, 7);
  Second.deviceId = 1;
  decode(*D, Second);
  KernelRecord K = kernel("_Z4stepPfi", 13, 2000, 3000, 1);
  decode(*D, K);
  K.contextId = 2;
  K.deviceId = 1;
  decode(*D, K);
  const std::string &Bytes = written();
  for (const char *Expected :
       {"{\"id\":7,\"context\":1,\"device\":0,\"flag\":\"null\"}",
        "{\"id\":7,\"context\":2,\"device\":1,\"flag\":\"null\"}",
        "{\"id\":13,\"context\":1,\"device\":0,\"flag\":\"nonblocking\"}",
        "{\"id\":13,\"context\":2,\"device\":1,\"flag\":\"default\"}",
        "device=0 context=1 stream=13", "device=1 context=2 stream=13"})
    EXPECT_NE(Bytes.find(Expected), std::string::npos) << Expected;
}

TEST_F(ActivityTest, EventIdsHoldProcessEpochAndCorrelation) {
  decode(*D, kernel("k", 13, 2000, 3000, 0x7FFFFFFF));
  decode(*D, kernel("k", 13, 2000, 3000, 0xFFFFFFFF));
  decode(*D, kernel("k", 13, 2000, 3000, 1));
  EXPECT_EQ(eventIds(), (std::vector<uint64_t>{0x7FFFFFFFull * 64 + 5,
                                               0xFFFFFFFFull * 64 + 5,
                                               0x100000001ull * 64 + 5}));
}

TEST_F(ActivityTest, CountsRecordsWithoutTimes) {
  uint64_t Before = Lost.ZeroTimestamps;
  decode(*D, kernel("k", 13, 0, 0, 1));
  decode(*D, kernel("k", 13, 2000, 0, 2));
  decode(*D, api(CUPTI_ACTIVITY_KIND_RUNTIME, 1, 5, 2000, 0, 3));
  decode(*D, kernel("k", 13, 999, 2000, 4)); // Before the trace.
  EXPECT_EQ(Lost.ZeroTimestamps, Before + 4);
  EXPECT_TRUE(eventIds().empty());
}

TEST_F(ActivityTest, IgnoresKindsItDoesNotKnow) {
  CUpti_Activity Unknown = {};
  for (int Kind : {0, 39, 54, 999}) {
    Unknown.kind = static_cast<CUpti_ActivityKind>(Kind);
    D->decode(Unknown);
  }
  EXPECT_TRUE(specifications().empty());
}

// The name of a module that was unloaded may give its address to another.
TEST_F(ActivityTest, ComparesKernelNamesByContent) {
  char Name[] = "first";
  decode(*D, kernel(Name, 13, 2000, 3000, 1));
  strcpy(Name, "other");
  decode(*D, kernel(Name, 13, 3000, 4000, 2));
  std::vector<std::string> Names;
  for (const auto &[Name, Description] : specifications())
    Names.push_back(Name);
  EXPECT_EQ(Names, (std::vector<std::string>{"first", "stream 13", "other"}));
}

// With AddressSanitizer this also shows that no field behind the older, shorter
// records is read.
TEST_F(ActivityTest, ReadsTheShorterRecordsOfCuda12) {
  D = decoder(19);
  auto Short = [&](const auto &Record, size_t Size) {
    void *Bytes = malloc(Size);
    memcpy(Bytes, &Record, Size);
    D->decode(*static_cast<CUpti_Activity *>(Bytes));
    free(Bytes);
  };
  Short(kernel("k", 13, 2000, 3000, 1), sizeof(CUpti_ActivityKernel8));
  Short(copy(1, 2, 3, 64, 3000, 4000, 2), sizeof(CUpti_ActivityMemcpy5));
  Short(set(3, 64, 3000, 4000, 3), sizeof(CUpti_ActivityMemset4));
  Short(overhead(CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE, 5, 2000, 2500),
        sizeof(CUpti_ActivityOverhead));
  Short(device(), sizeof(CUpti_ActivityDevice4));
  Short(context(1, 7), sizeof(CUpti_ActivityContext));
  EXPECT_EQ(eventIds().size(), 3u);
}

// CUPTI 13 gives this block to its client; a leak checker sees it if kept.
TEST_F(ActivityTest, FreesOverheadData) {
  CUpti_ActivityOverhead3 O =
      overhead(CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL, 5, 2000, 2500);
  O.overheadData = malloc(12);
  decode(*D, O);
}

TEST_F(ActivityTest, StartsDictionariesAfreshBeforeTheyGrowWithoutBound) {
  const unsigned Many = 1u << 18;
  for (unsigned I = 0; I < Many; ++I)
    decode(*D, copy(1, 2, 3, I, 2000 + I, 2001 + I, I + 1));
  unsigned Starts = 0;
  protozero::pbf_reader Reader(written());
  while (Reader.next(Packet)) {
    protozero::pbf_reader P = Reader.get_message();
    while (P.next(13))
      Starts += P.get_uint32() == 1;
  }
  EXPECT_EQ(Starts, 4u); // The process's, and three of the stream's.
  EXPECT_EQ(eventIds().size(), Many);
}
