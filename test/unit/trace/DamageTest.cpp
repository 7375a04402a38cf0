// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces that are cut off, damaged, or not traces. Under the asan preset this
// also shows that no input makes the reader touch memory it must not.
#include "Simulator.h"
#include "TraceWriter.h"

#include "analysis/Analysis.h"
#include "trace/Readers.h"

#include <gtest/gtest.h>
#include <random>

using namespace autoprof;
using namespace autoprof::trace;

namespace {

std::string smallTrace() {
  test::Training P;
  P.Steps = 4;
  P.Kernels = 3;
  std::string Bytes;
  llvm::raw_string_ostream Out(Bytes);
  writePftrace(test::simulateTraining(P), Out);
  return Bytes;
}

/// Reads and analyses; true if it was a trace.
bool survives(llvm::StringRef Bytes) {
  llvm::Expected<Timeline> T = readPftrace(Bytes);
  if (!T) {
    llvm::consumeError(T.takeError());
    return false;
  }
  llvm::Expected<analysis::Result> R = analysis::analyse(*T);
  if (!R)
    llvm::consumeError(R.takeError());
  return true;
}

std::string errorOf(llvm::StringRef Bytes) {
  llvm::Expected<Timeline> T = readPftrace(Bytes);
  return T ? "" : llvm::toString(T.takeError());
}

} // namespace

TEST(Damage, EveryPrefixIsReadAsFarAsItGoes) {
  std::string Bytes = smallTrace();
  size_t Last = 0;
  for (size_t Length = 0; Length <= Bytes.size(); ++Length) {
    llvm::Expected<Timeline> T =
        readPftrace(llvm::StringRef(Bytes).take_front(Length));
    if (!T) {
      // Only before the process is known.
      EXPECT_EQ(Last, 0u);
      llvm::consumeError(T.takeError());
      continue;
    }
    size_t Events = T->Host.size() + T->Ops.size();
    EXPECT_GE(Events, Last);
    Last = Events;
    EXPECT_LT(T->Unread.BytesDropped, 400u); // Less than one packet.
  }
  EXPECT_GT(Last, 20u);
}

TEST(Damage, SaysHowManyBytesWereLeft) {
  std::string Bytes = smallTrace();
  Bytes += std::string("\x0a\x20") + "only a part";
  llvm::Expected<Timeline> T = readPftrace(Bytes);
  ASSERT_TRUE(bool(T));
  EXPECT_EQ(T->Unread.BytesDropped, 13u);
}

TEST(Damage, ForeignFilesAreNamed) {
  EXPECT_NE(errorOf("hello, world\n").find("not a trace"), std::string::npos);
  EXPECT_NE(errorOf(std::string(64, '\0')).find("not a trace"),
            std::string::npos);
  // A packet with a timestamp and nothing of ours.
  EXPECT_NE(errorOf(llvm::StringRef("\x0a\x02\x40\x01", 4))
                .find("a Perfetto trace that 'autoprof run' did not record"),
            std::string::npos);
}

TEST(Damage, TwoProcessesInOneFileAreRefused) {
  std::string Bytes = smallTrace();
  test::Simulator Other;
  Other.B.T.Info.Pid = 1001;
  Other.call("cudaMalloc", 10);
  llvm::raw_string_ostream Out(Bytes);
  writePftrace(Other.finish(), Out);
  EXPECT_NE(errorOf(Bytes).find("several processes"), std::string::npos);
}

TEST(Damage, UnknownPacketsAndFieldsAreSkipped) {
  std::string Bytes = smallTrace();
  Timeline Before = llvm::cantFail(readPftrace(Bytes));
  // Field 900 (varint) in a packet, and an unknown field beside the packets.
  Bytes += llvm::StringRef("\x0a\x03\xa0\x38\x07", 5);
  Bytes += llvm::StringRef("\x12\x02hi", 4);
  Timeline After = llvm::cantFail(readPftrace(Bytes));
  EXPECT_EQ(After.Host.size(), Before.Host.size());
  EXPECT_EQ(After.Unread.BytesDropped, 0u);
}

TEST(Damage, FlippedBytesNeverCrash) {
  std::string Bytes = smallTrace();
  std::mt19937 Random(7);
  size_t Read = 0;
  for (int Round = 0; Round < 4000; ++Round) {
    std::string Damaged = Bytes;
    for (unsigned Flips = 1 + Random() % 4; Flips; --Flips)
      Damaged[Random() % Damaged.size()] = char(Random());
    Read += survives(Damaged);
  }
  // Most damage hits one packet and leaves the rest readable.
  EXPECT_GT(Read, 1000u);
}

TEST(Damage, ATextInPlaceOfANumberIsDamage) {
  // A packet whose time (field 8, a varint) is a text of one byte.
  llvm::Expected<Timeline> T =
      readPftrace(smallTrace() + "\x0a\x03\x42\x01\x05");
  ASSERT_TRUE(bool(T));
  EXPECT_EQ(T->Unread.PacketsDamaged, 1u);
}

TEST(Damage, RandomBytesNeverCrash) {
  std::mt19937 Random(8);
  for (int Round = 0; Round < 2000; ++Round) {
    std::string Noise(1 + Random() % 300, '\0');
    for (char &C : Noise)
      C = char(Random());
    Noise[0] = '\x0a';
    survives(Noise);
  }
}
