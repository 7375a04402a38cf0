// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/trace/Output.h"
#include "runtime/trace/Ring.h"

#include "runtime/support/Log.h"
#include "runtime/support/Loss.h"

#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

using namespace autoprof::runtime;

namespace {

class OutputTest : public ::testing::Test {
protected:
  std::string Folder;

  void SetUp() override {
    startLog(LogLevel::Quiet);
    char Name[] = "/tmp/autoprof-output-XXXXXX";
    ASSERT_NE(mkdtemp(Name), nullptr);
    Folder = Name;
  }
  void TearDown() override {
    std::string Command = "rm -r " + Folder;
    ASSERT_EQ(system(Command.c_str()), 0);
  }
  static std::string read(const std::string &Path) {
    std::ifstream File(Path);
    return {std::istreambuf_iterator<char>(File), {}};
  }
  static bool write(Output &O, const std::string &Text) {
    return O.write(reinterpret_cast<const uint8_t *>(Text.data()), Text.size());
  }
};

} // namespace

TEST_F(OutputTest, NameWithProcessId) {
  std::string Pid = std::to_string(getpid());
  EXPECT_EQ(withProcessId("/a.b/run.pftrace"), "/a.b/run." + Pid + ".pftrace");
  EXPECT_EQ(withProcessId("/a.b/run"), "/a.b/run." + Pid);
  EXPECT_EQ(withProcessId("/a/.run"), "/a/.run." + Pid);
}

TEST_F(OutputTest, LeavesAnExistingFileAlone) {
  std::string Path = Folder + "/t.pftrace";
  std::ofstream(Path) << "old";
  Output O;
  ASSERT_TRUE(O.open(Path));
  EXPECT_TRUE(write(O, "new"));
  O.close();
  EXPECT_EQ(read(Path), "old");
  EXPECT_EQ(read(withProcessId(Path)), "new");
}

TEST_F(OutputTest, UnwritableIsRefused) {
  Output O;
  EXPECT_FALSE(O.open(Folder + "/none/t.pftrace"));
  EXPECT_FALSE(O.open(Folder)); // A folder.
  EXPECT_FALSE(O.isOpen());
  EXPECT_FALSE(write(O, "x"));
}

TEST_F(OutputTest, FullDiskEndsTheRecording) {
  Output O;
  ASSERT_TRUE(O.open("/dev/full"));
  uint64_t Before = Lost.WriteErrors;
  EXPECT_FALSE(write(O, "x"));
  EXPECT_FALSE(write(O, "x"));
  EXPECT_EQ(Lost.WriteErrors, Before + 1);
}

TEST_F(OutputTest, KeepsOffTheLowDescriptors) {
  int Next = dup(0);
  close(Next);
  Output O;
  ASSERT_TRUE(O.open(Folder + "/t"));
  int After = dup(0);
  EXPECT_EQ(After, Next);
  close(After);
  O.close();
}

// A program that closes descriptors it does not know and opens its own file
// may get our number; nothing of ours may end up in there.
TEST_F(OutputTest, NeverWritesIntoAnotherFile) {
  Output O;
  ASSERT_TRUE(O.open(Folder + "/t"));
  int Theirs = open((Folder + "/theirs").c_str(), O_CREAT | O_WRONLY, 0600);
  for (int Number = 500; Number < 510; ++Number)
    dup2(Theirs, Number);
  EXPECT_FALSE(write(O, "trace"));
  O.close();
  EXPECT_EQ(::write(500, "ok", 2), 2);
  EXPECT_EQ(read(Folder + "/theirs"), "ok");
  for (int Number = 500; Number < 510; ++Number)
    close(Number);
  close(Theirs);
}

TEST_F(OutputTest, GoesOnInANewFile) {
  Output O;
  ASSERT_TRUE(O.open(Folder + "/t.x"));
  EXPECT_TRUE(write(O, "old"));
  EXPECT_TRUE(O.replace(Folder + "/t.aside.x"));
  EXPECT_EQ(O.size(), 0u);
  EXPECT_TRUE(write(O, "newer"));
  EXPECT_EQ(O.size(), 5u);
  O.close();
  EXPECT_EQ(read(Folder + "/t.aside.x"), "old");
  EXPECT_EQ(read(Folder + "/t.x"), "newer");
  EXPECT_EQ(withWord("a.b/t", "w"), "a.b/t.w");
}

TEST_F(OutputTest, WhenTheFolderIsGoneTheRecordingEnds) {
  mkdir((Folder + "/gone").c_str(), 0700);
  Output O;
  ASSERT_TRUE(O.open(Folder + "/gone/t"));
  unlink((Folder + "/gone/t").c_str());
  rmdir((Folder + "/gone").c_str());
  EXPECT_FALSE(O.replace(Folder + "/gone/aside"));
  EXPECT_FALSE(O.isOpen());
}

TEST_F(OutputTest, ARingKeepsItsLastTwoHalves) {
  Output O;
  ASSERT_TRUE(O.open(Folder + "/t.x"));
  Ring Kept(O, 8);
  std::string Problem;
  for (const char *Half : {"aaaa", "bbbb", "cccc"}) {
    EXPECT_FALSE(Kept.isDue());
    EXPECT_TRUE(write(O, Half));
    EXPECT_TRUE(Kept.isDue());
    EXPECT_TRUE(Kept.turn());
  }
  EXPECT_TRUE(write(O, "d"));
  std::string Dump = Kept.dump(Problem);
  EXPECT_EQ(Dump, Folder + "/t.dump1.x");
  EXPECT_EQ(read(Dump), "ccccd");
  EXPECT_TRUE(write(O, "e"));
  EXPECT_EQ(Kept.dump(Problem), Folder + "/t.dump2.x");
  O.close();
  Kept.join();
  EXPECT_EQ(read(Folder + "/t.x"), "ccccde");
  EXPECT_NE(
      access((Folder + "/t.older-" + std::to_string(getpid()) + ".x").c_str(),
             F_OK),
      0);
}

TEST_F(OutputTest, WithoutALimitThereIsNoRing) {
  Output O;
  ASSERT_TRUE(O.open(Folder + "/t"));
  Ring None(O, 0);
  EXPECT_TRUE(write(O, "abc"));
  EXPECT_FALSE(None.isDue());
  std::string Problem;
  EXPECT_EQ(None.dump(Problem), "");
  EXPECT_EQ(Problem,
            "it does not record into a ring: start it with --max-size");
  O.close();
  None.join();
  EXPECT_EQ(read(Folder + "/t"), "abc");
}

TEST_F(OutputTest, PipeWithoutReaderIsRefused) {
  std::string Path = Folder + "/pipe";
  ASSERT_EQ(mkfifo(Path.c_str(), 0600), 0);
  Output O;
  EXPECT_FALSE(O.open(Path));
}
