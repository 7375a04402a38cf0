// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes that a launch takes in the trace, with its call, its kernel and its
// probe: docs/performance.md states them.
#include "Fabricated.h"
#include "runtime/probes/Sites.h"
#include "runtime/support/Clock.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace autoprof::runtime;
using namespace fabricated;

namespace {

constexpr uint32_t Turns = 5, Launches = 40'000;

double bytesPerLaunch(bool Compressed) {
  std::string Path = testing::TempDir() + "size-XXXXXX";
  close(mkstemp(Path.data()));
  unlink(Path.c_str());
  Output File;
  EXPECT_TRUE(File.open(Path));
  Layout Records;
  Layout::of(130001, Records);
  addSites("0x0000000000000c51|launch|12|5|src/a.cu|train|step;");
  const uint64_t Zero = now();
  ProcessIdentity Process;
  Process.Hash = 0x123456789abcdef;
  Trace T(File, Process, Zero);
  Compressor Packer;
  if (Compressed) {
    EXPECT_TRUE(Packer.open());
    T.compress(Packer);
  }
  ActivityDecoder D(T, Records, functionName);
  launches(T, D, Zero, 0xc51, Turns, Launches, [&T] {
    T.clockSnapshot();
    T.flush();
  });
  File.close();
  struct stat Status;
  EXPECT_EQ(stat(Path.c_str(), &Status), 0);
  unlink(Path.c_str());
  return static_cast<double>(Status.st_size) / (Turns * Launches);
}

TEST(LaunchSize, Plain) {
  const double Bytes = bytesPerLaunch(false);
  RecordProperty("bytes", std::to_string(Bytes));
  EXPECT_LE(Bytes, 80);
}

TEST(LaunchSize, Compressed) {
  const double Bytes = bytesPerLaunch(true);
  RecordProperty("bytes", std::to_string(Bytes));
  EXPECT_LE(Bytes, 30);
}

} // namespace
