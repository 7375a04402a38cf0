// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was measured on the user's machine in front of the catalogue.
#include "catalogue/Semantics.h"

#include "gtest/gtest.h"

using namespace autoprof::catalogue;
using namespace autoprof::catalogue::values;

namespace {

constexpr int64_t Quick = 5'000, Long = 20'010'000;

class Overlay : public testing::Test {
protected:
  Semantics Here;

  Overlay() {
    Here.Gpu = "NVIDIA L4";
    Here.Driver = "1.2";
    Here.QueuedNs = 20'000'000;
  }
  Observation &see(const char *Call, const Facts &With, int64_t OwnStream) {
    Observation O;
    O.Call = Call;
    O.Known = With;
    O.IdleNs = Quick;
    O.BehindNs = {OwnStream, Quick, Quick, Quick};
    Here.Observations.push_back(O);
    return Here.Observations.back();
  }
  Answer answer(const char *Call, const Facts &Known = Facts()) {
    return ask(*lookup(Call), Known, &Here);
  }
  std::string waits(const char *Call, const Facts &Known = Facts()) {
    Answer A = answer(Call, Known);
    return (A.Measured ? "here " : "") + name(A.Wait).str();
  }
};

const Facts IntoPageable = direction(DtoH) & destination(Pageable);
const Facts FromPageable = direction(HtoD) & source(Pageable);

TEST_F(Overlay, ChangesNothingWithoutObservations) {
  EXPECT_EQ(waits("cudaFree", destination(Device)), "yes");
  EXPECT_EQ(ask(*lookup("cudaFree"), Facts(), nullptr).Wait, Waits::Maybe);
}

TEST_F(Overlay, WinsOverTheRow) {
  see("cudaFree", destination(Device | Managed), Quick);
  Answer A = answer("cudaFree", destination(Device));
  EXPECT_EQ(A.Wait, Waits::No);
  EXPECT_EQ(A.Target, WaitsFor::Nothing);
  EXPECT_EQ(A.Replacement, "");
  EXPECT_EQ(A.Source, "measured here: NVIDIA L4, driver 1.2");
  EXPECT_EQ(A.Measured, &Here);
  // It was measured for no other memory.
  EXPECT_EQ(waits("cudaFree", destination(Pool)), "no");
  EXPECT_EQ(waits("cudaFree"), "maybe");
}

TEST_F(Overlay, WinsOverMaybe) {
  see("cudaMemcpyAsync", FromPageable & size(UpTo4MiB), Long);
  EXPECT_EQ(waits("cudaMemcpyAsync", FromPageable & size(UpTo4MiB)),
            "here yes");
  EXPECT_EQ(answer("cudaMemcpyAsync", FromPageable & size(UpTo4MiB)).Target,
            WaitsFor::Stream);
  EXPECT_EQ(waits("cudaMemcpyAsync", FromPageable), "maybe");
  EXPECT_EQ(waits("cudaMemcpyAsync", FromPageable & size(UpTo1MiB)), "no");
}

TEST_F(Overlay, KeepsWhatTheRowSaysBesides) {
  see("cudaMemcpyAsync", IntoPageable, Long);
  Answer A = answer("cudaMemcpyAsync", IntoPageable);
  EXPECT_TRUE(A.Measured);
  EXPECT_EQ(A.Reason, "the data is staged, and the CPU copies the last part");
  EXPECT_NE(A.Replacement, "");
  // An event's work is on a stream; a quick malloc says nothing of big ones.
  see("cudaEventSynchronize", Facts(), Long);
  EXPECT_EQ(answer("cudaEventSynchronize").Target, WaitsFor::Event);
  see("cudaMalloc", Facts(), Quick);
  EXPECT_EQ(waits("cudaMalloc"), "here slow");
}

TEST_F(Overlay, NeedsEveryCaseMeasured) {
  see("cudaMemcpyAsync", FromPageable & size(UpTo1MiB), Long);
  see("cudaMemcpyAsync", FromPageable & size(UpTo64MiB), Long);
  see("cudaMemcpyAsync", FromPageable & size(From64MiB), Long);
  EXPECT_EQ(waits("cudaMemcpyAsync", FromPageable), "maybe");
  EXPECT_EQ(waits("cudaMemcpyAsync", FromPageable & size(UpTo1MiB | From64MiB)),
            "here yes");
  see("cudaMemcpyAsync", FromPageable & size(UpTo4MiB), Long);
  EXPECT_EQ(waits("cudaMemcpyAsync", FromPageable), "here yes");
  EXPECT_EQ(waits("cudaMemcpyAsync", direction(HtoD)), "maybe");
}

TEST_F(Overlay, ProvesNothingWhereItContradictsItself) {
  see("cudaMemcpyAsync", FromPageable & size(UpTo1MiB), Quick);
  see("cudaMemcpyAsync", FromPageable & size(UpTo1MiB), Long);
  EXPECT_EQ(waits("cudaMemcpyAsync", FromPageable & size(UpTo1MiB)), "no");
  see("cudaFree", Facts(), Quick);
  see("cudaFree", destination(Managed), Long);
  EXPECT_EQ(waits("cudaFree", destination(Device)), "here no");
  EXPECT_EQ(waits("cudaFree", destination(Managed)), "yes");
}

TEST_F(Overlay, PassesOverWhatItCannotRead) {
  see("cudaFree", destination(Device), Quick).Foreign = {{"mood", "New"}};
  see("cudaFree", destination(Device), Quick).Error = "no memory";
  see("cudaFree", destination(Device), Quick).IdleNs = std::nullopt;
  see("cudaFromTheFuture", Facts(), Long);
  EXPECT_EQ(waits("cudaFree", destination(Device)), "yes");
  EXPECT_TRUE(differences(Here).empty());
}

TEST_F(Overlay, GivesUpWhereAFileIsAPuzzle) {
  for (unsigned I = 0; I < 2000; ++I)
    see("cudaMemcpyAsync",
        fact(Fact(I % NumFacts), 1u << (I / NumFacts % 4)) &
            fact(Fact((I + 1) % NumFacts), ~(1u << (I % 3)) & 7),
        Long);
  waits("cudaMemcpyAsync"); // Ends.
}

TEST_F(Overlay, FindsDifferences) {
  see("cudaFree", destination(Device), Quick);
  see("cudaFree", destination(Null), Quick);
  see("cudaMemcpyAsync", FromPageable & size(UpTo4MiB), Long);
  see("cudaMallocManaged", Facts(), Quick).Slow = true;
  std::vector<Difference> Found = differences(Here);
  ASSERT_EQ(Found.size(), 3u);
  EXPECT_EQ(Found[0].O, &Here.Observations[0]);
  EXPECT_EQ(Found[0].Seen.Wait, Waits::No);
  EXPECT_EQ(Found[0].BuiltIn.Wait, Waits::Yes);
  EXPECT_EQ(Found[1].BuiltIn.Wait, Waits::Maybe);
  EXPECT_EQ(Found[2].Seen.Wait, Waits::Slow);
}

} // namespace
