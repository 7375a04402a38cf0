// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calibrations: what times say, and the files they are kept in.
#include "catalogue/SemanticsJson.h"

#include "gtest/gtest.h"

using namespace autoprof::catalogue;
using namespace autoprof::catalogue::values;

namespace {

constexpr int64_t Queued = 20'000'000;

using Times = std::array<std::optional<int64_t>, NumBehind>;
using Blocks = std::array<std::optional<bool>, NumBehind>;

Observation timed(std::optional<int64_t> Idle, const Times &Behind) {
  Observation O;
  O.Call = "x";
  O.IdleNs = Idle;
  O.BehindNs = Behind;
  return O;
}

std::string says(const Observation &O, int64_t QueuedNs = Queued) {
  std::optional<Verdict> V = verdict(O, QueuedNs);
  return V ? (name(V->Wait) + " " + name(V->Target)).str() : "unknown";
}

constexpr int64_t Quick = 5'000, Long = 20'010'000;
constexpr std::nullopt_t Not = std::nullopt;

TEST(Verdicts, SayWhatWasWaitedFor) {
  EXPECT_EQ(says(timed(Quick, {Long, Long, Long, Long})), "yes device");
  EXPECT_EQ(says(timed(Quick, {Long, Quick, Quick, Quick})), "yes stream");
  // On the legacy stream, and measured behind a stream that is not its own.
  EXPECT_EQ(says(timed(Quick, {Quick, Quick, Long, Long})), "yes stream");
  EXPECT_EQ(says(timed(Quick, {Quick, Long, Quick, Quick})), "yes stream");
  // A call that has no stream.
  EXPECT_EQ(says(timed(Quick, {Not, Long, Long, Long})), "yes device");
  EXPECT_EQ(says(timed(Quick, {Quick, Quick, Quick, Quick})), "no nothing");
}

TEST(Verdicts, DoNotTakeSlownessForWaiting) {
  EXPECT_EQ(says(timed(17'000'000, {16'600'000, 16'500'000, Not, Not})),
            "no nothing");
  EXPECT_EQ(says(timed(170'000, {20'160'000, 20'160'000, Not, Not})),
            "yes device");
  Observation O = timed(17'000'000, {16'600'000, Not, Not, Not});
  O.Slow = true;
  EXPECT_EQ(says(O), "slow nothing");
}

TEST(Verdicts, BelieveTheFlagBeforeTheTimes) {
  Observation O = timed(Quick, {Long, Not, Not, Not});
  O.Blocked = Blocks{false, Not, Not, Not};
  EXPECT_EQ(says(O), "no nothing");
  O = timed({}, {});
  O.Blocked = Blocks{true, false, Not, Not};
  EXPECT_EQ(says(O), "yes stream");
}

TEST(Verdicts, AreUnknownWhereTooLittleWasMeasured) {
  EXPECT_EQ(says(timed(Quick, {})), "unknown");
  EXPECT_EQ(says(timed({}, {Long, Long, Long, Long})), "unknown");
  EXPECT_EQ(says(timed(Quick, {Not, Quick, Quick, Not})), "unknown");
  EXPECT_EQ(says(timed(Quick, {Long, Not, Not, Not}), 0), "unknown");
  Observation O = timed(Quick, {Long, Not, Not, Not});
  O.Error = "out of memory";
  EXPECT_EQ(says(O), "unknown");
}

Semantics example() {
  Semantics S;
  S.Made = "2026-11-20T10:00:00Z";
  S.Gpu = "NVIDIA H200";
  S.ComputeCapability = "9.0";
  S.Driver = "580.159.04";
  S.Cuda = "13.0";
  S.Host = "Ubuntu 24.04";
  S.Gpus = 2;
  S.QueuedNs = Queued;
  S.QueueDepth = 1023;
  S.PageableMemoryAccess = false;
  Observation O = timed(7'000, {Long, 7'300, std::nullopt, 7'500});
  O.Call = "cudaMemcpyAsync";
  O.Arguments = "into pageable memory, 4 KiB";
  O.Known = direction(DtoH) & destination(Pageable | Pinned);
  O.FirstNs = 12'345'678;
  O.Blocked[0] = true;
  S.Observations.push_back(O);
  O = Observation();
  O.Call = "cublasSdot";
  O.Error = "no memory";
  O.Slow = true;
  O.Foreign = {{"direction", "XtoY"}, {"phase", "New"}};
  S.Observations.push_back(O);
  S.Skipped.push_back({"nccl", "libnccl.so.2 was not found"});
  S.Machine.Copies = {
      {/*ToDevice=*/true, /*Pinned=*/false, 4'096, 9, 900, 1'000, 1'100, 8'600},
      {false, true, 1'048'576, 9, 20'000, 20'600, 20'700, 29'500},
      {false, true, 67'108'864, 9, 1'212'000, 1'213'000, 1'227'000, 1'225'000}};
  S.Machine.Pauses = {{/*ChangesEngine=*/true, 1, 63, 900, 1'000}};
  return S;
}

std::string written(const Semantics &S) {
  std::string Result;
  llvm::raw_string_ostream Out(Result);
  writeSemantics(S, Out);
  return Result;
}

TEST(SemanticsFile, IsReadAsItWasWritten) {
  std::string Json = written(example());
  llvm::Expected<Semantics> Read = readSemantics(Json);
  ASSERT_TRUE(bool(Read)) << llvm::toString(Read.takeError());
  EXPECT_EQ(written(*Read), Json);
  EXPECT_EQ(Read->Gpus, 2u);
  EXPECT_EQ(Read->QueueDepth, 1023);
  EXPECT_EQ(Read->PageableMemoryAccess, false);
  ASSERT_EQ(Read->Observations.size(), 2u);
  const Observation &O = Read->Observations[0];
  EXPECT_EQ(O.Known[Fact::Direction], uint32_t(DtoH));
  EXPECT_EQ(O.Known[Fact::Destination], uint32_t(Pageable | Pinned));
  EXPECT_FALSE(O.Known.knows(Fact::Source));
  EXPECT_EQ(O.FirstNs, 12'345'678);
  EXPECT_EQ(O.BehindNs[0], Long);
  EXPECT_EQ(O.BehindNs[2], std::nullopt);
  EXPECT_EQ(O.Blocked[0], true);
  EXPECT_EQ(Read->Observations[1].Error, "no memory");
  EXPECT_EQ(Read->Observations[1].Foreign, example().Observations[1].Foreign);
  EXPECT_EQ(Read->Skipped.at(0).Library, "nccl");
  ASSERT_EQ(Read->Machine.Copies.size(), 3u);
  EXPECT_TRUE(Read->Machine.Copies[0].ToDevice);
  EXPECT_FALSE(Read->Machine.Copies[0].Pinned);
  EXPECT_EQ(Read->Machine.Copies[2].Long, 1'227'000);
  ASSERT_EQ(Read->Machine.Pauses.size(), 1u);
  EXPECT_TRUE(Read->Machine.Pauses[0].ChangesEngine);
  EXPECT_EQ(Read->Machine.Pauses[0].Events, 1);
}

TEST(SemanticsFile, LeavesOutConstantsThatCannotBe) {
  Semantics S = example();
  std::swap(S.Machine.Copies[0].Short, S.Machine.Copies[0].Long);
  S.Machine.Pauses[0].Count = 0;
  llvm::Expected<Semantics> Read = readSemantics(written(S));
  ASSERT_TRUE(bool(Read)) << llvm::toString(Read.takeError());
  ASSERT_EQ(Read->Machine.Copies.size(), 2u);
  EXPECT_EQ(Read->Machine.Copies[0].Bytes, 1'048'576);
  EXPECT_TRUE(Read->Machine.Pauses.empty());
}

TEST(CopyRates, AreFixedTimeAndBytes) {
  Constants C = example().Machine;
  const std::vector<CopyRate> Rates = copyRates(C);
  ASSERT_EQ(Rates.size(), 1u); // Of the other kind there is one size only.
  EXPECT_FALSE(Rates[0].ToDevice);
  EXPECT_NEAR(double(Rates[0].BytesPerSecond), 55.4e9, 0.1e9);
  EXPECT_NEAR(double(Rates[0].Fixed), 1'670, 20);
}

TEST(SemanticsFile, TakesEveryValueForNothingKnown) {
  llvm::Expected<Semantics> Read = readSemantics(
      R"({"schema": "autoprof-semantics/1", "gpu": "G", "gpus": 1,
          "queued_ns": 1, "skipped": [], "observations": [
          {"call": "c", "facts": {"size": ["UpTo1MiB", "UpTo4MiB",
                                           "UpTo64MiB", "From64MiB"]}}]})");
  ASSERT_TRUE(bool(Read)) << llvm::toString(Read.takeError());
  EXPECT_FALSE(Read->Observations[0].Known.any());
}

std::string problem(llvm::StringRef Json) {
  llvm::Expected<Semantics> Read = readSemantics(Json);
  return Read ? "none" : llvm::toString(Read.takeError());
}

/// The problem of a file that is right but for one observation.
std::string problemWith(const llvm::Twine &Observation) {
  return problem(
      (llvm::Twine(
           R"({"schema": "autoprof-semantics/1", "gpu": "G", "gpus": 1,
          "queued_ns": 1, "skipped": [], "observations": [)") +
       Observation + "]}")
          .str());
}

TEST(SemanticsFile, IsRefusedWhenItIsNone) {
  EXPECT_NE(problem("").find("it is not valid JSON"), std::string::npos);
  EXPECT_NE(problem("{\"schema\": NaN}").find("it is not valid JSON"),
            std::string::npos);
  EXPECT_NE(problem("\"\xff\"").find("it is not valid JSON"),
            std::string::npos);
  for (const char *Json : {"{}", "[]", "3", "{\"schema\": 1}",
                           "{\"schema\": \"autoprof-report/1\"}"})
    EXPECT_NE(problem(Json).find("it is not a calibration"), std::string::npos)
        << Json;
  EXPECT_NE(problem("{\"schema\": \"autoprof-semantics/2\"}")
                .find("written by another version of autoprof"),
            std::string::npos);
  EXPECT_NE(problem(std::string(1'000'000, '[')).find("nested too deeply"),
            std::string::npos);
}

TEST(SemanticsFile, NamesTheValueThatIsWrong) {
  EXPECT_EQ(problem(R"({"schema": "autoprof-semantics/1"})"),
            "'gpus' is missing");
  EXPECT_EQ(problem(R"({"schema": "autoprof-semantics/1", "gpus": 1,
                        "queued_ns": 1})"),
            "'observations' is missing");
  EXPECT_EQ(problemWith("7"), "'observations' is not an object");
  EXPECT_EQ(problemWith("{}"), "'call' is not the name of a call");
  EXPECT_EQ(problemWith(R"({"call": 1})"), "'call' is not a string");
  for (const char *Control : {"\\u001b[2J", "\\u009b2J", "\\u007f", "\\n"})
    EXPECT_EQ(problemWith(R"({"call": "c", "what": ")" + std::string(Control) +
                          R"("})"),
              "it has text with control characters");
  EXPECT_EQ(problemWith(R"({"call": "c", "what": "64 KiB \u00b1 1"})"), "none");
  EXPECT_EQ(problemWith(R"({"call": "c", "facts": []})"),
            "'facts' is not an object");
  EXPECT_EQ(problemWith(R"({"call": "c", "slow": 1})"),
            "'slow' is neither true nor false");
  for (const char *Time : {"-1", "1e999", "9223372036854775808", "1e18", "0.5",
                           "\"1\"", "true", "9223372036854775808.0"})
    EXPECT_EQ(problemWith((R"({"call": "c", "behind_ns": {"legacy_stream": )" +
                           llvm::Twine(Time) + "}}")
                              .str()),
              "'legacy_stream' is not an integer from 0 to 4000000000000000")
        << Time;
}

TEST(SemanticsFile, MayHaveWhatIsNotKnown) {
  llvm::Expected<Semantics> Read = readSemantics(
      R"({"schema": "autoprof-semantics/1", "gpu": "G", "weather": "fine",
          "gpus": 1, "queued_ns": 1, "skipped": [], "observations": [{"call": "cudaFromTheFuture", "what": "w",
                            "facts": {"size": ["Huge", "UpTo1MiB"],
                                      "mood": ["Good"]}}]})");
  ASSERT_TRUE(bool(Read)) << llvm::toString(Read.takeError());
  const Observation &O = Read->Observations[0];
  EXPECT_EQ(O.Call, "cudaFromTheFuture");
  EXPECT_EQ(O.Known[Fact::Size], uint32_t(UpTo1MiB));
  EXPECT_EQ(O.Foreign.size(), 2u);
}

/// A file that is cut short anywhere is an error, never a crash.
TEST(SemanticsFile, MayBeCutAnywhere) {
  std::string Json = written(example());
  for (size_t Size = 0; Size + 2 < Json.size(); ++Size)
    EXPECT_NE(problem(llvm::StringRef(Json).take_front(Size)), "none") << Size;
}

/// ... and so is one with a byte changed, unless it still makes sense.
TEST(SemanticsFile, MayHaveAnyByteChanged) {
  std::string Json = written(example());
  for (size_t At = 0; At < Json.size(); ++At)
    for (char C : {'"', '{', ']', '9', 'n', '\\', '\0', '\xff'}) {
      std::string Changed = Json;
      Changed[At] = C;
      if (llvm::Expected<Semantics> Read = readSemantics(Changed))
        written(*Read);
      else
        EXPECT_FALSE(llvm::toString(Read.takeError()).empty());
    }
}

} // namespace
