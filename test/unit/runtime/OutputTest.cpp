// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/trace/Output.h"

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

TEST_F(OutputTest, PipeWithoutReaderIsRefused) {
  std::string Path = Folder + "/pipe";
  ASSERT_EQ(mkfifo(Path.c_str(), 0600), 0);
  Output O;
  EXPECT_FALSE(O.open(Path));
}
