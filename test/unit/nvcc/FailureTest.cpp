// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nvcc/Failure.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using autoprof::sources::mayBeFaultOfProbes;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {

/// a.cu has five lines, and a probe in the third.
class Failure : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("failure", Folder));
    write("/a.cu", "1\n2\n3\n4\n5\n");
    rewrite("1\n2\nAP_SITE(7) 3\n4\n5\nAP_TABLE(\"\")\n");
  }
  void TearDown() override { fs::remove_directories(Folder); }

  std::string write(StringRef Name, StringRef Text) {
    const std::string Path = (Folder + Name).str();
    std::error_code Failure;
    llvm::raw_fd_ostream(Path, Failure) << Text;
    return Path;
  }
  void rewrite(StringRef Text) {
    fs::file_status Status;
    ASSERT_FALSE(fs::status(Folder + "/a.cu", Status));
    const fs::UniqueID Id = Status.getUniqueID();
    List = std::to_string(Id.getDevice()) + " " + std::to_string(Id.getFile()) +
           " " + write("/text", Text) + "\n";
  }
  /// `Messages` with the path of the file for "@".
  bool isDoubtful(StringRef Messages) {
    std::string Text;
    for (char C : Messages)
      Text += C == '@' ? (Folder + "/a.cu").str() : std::string(1, C);
    return mayBeFaultOfProbes(Text, List);
  }

  llvm::SmallString<128> Folder;
  std::string List;
};

TEST_F(Failure, LinesWithoutProbesAreTheUsersOwn) {
  EXPECT_FALSE(isDoubtful("@(2): error: identifier \"x\" is undefined\n"
                          "  2\n  ^\n\n1 error detected\n"));
  EXPECT_FALSE(isDoubtful("@(4): error #177-D: variable \"x\" was declared\n"));
  EXPECT_FALSE(isDoubtful("@:2:5: error: expected ';'\n"));
  EXPECT_FALSE(isDoubtful("@:2:10: fatal error: x.h: No such file\n"));
  EXPECT_FALSE(isDoubtful("/dev/null(3): error: not rewritten\n"));
}

TEST_F(Failure, LinesWithProbesAreDoubtful) {
  EXPECT_TRUE(isDoubtful("@(3): error: identifier \"x\" is undefined\n"));
  EXPECT_TRUE(isDoubtful("@:3:5: error: expected ';'\n"));
  EXPECT_TRUE(isDoubtful("@(2): error: one\n@(3): error: two\n"));
  EXPECT_TRUE(isDoubtful("@(6): error: behind the end\n"));
  EXPECT_TRUE(isDoubtful("/no/such.stub.c(2): error: generated\n"));
}

TEST_F(Failure, WarningsAndNotesThereAreNot) {
  EXPECT_FALSE(isDoubtful("@(3): warning #177-D: x\n  autoprof::scope(7)\n\n"
                          "@(2): error: y\n"));
  EXPECT_FALSE(
      isDoubtful("@:2:1: error: y\n@:3:1: note: required from here\n"));
}

TEST_F(Failure, NamesOfProbesAreDoubtful) {
  EXPECT_TRUE(isDoubtful("@:2:1: error: jump to label\n"
                         "@:3:1: note: crosses initialization of 'const "
                         "autoprof::range_scope autoprof_range_0x7'\n"));
  EXPECT_TRUE(isDoubtful("@(2): error: transfer of control bypasses "
                         "initialization of:\n"
                         "            variable \"autoprof_range_0x7\"\n"));
  EXPECT_FALSE(isDoubtful("@(2): error: \"MAP_SITES\" is undefined\n"));
}

TEST_F(Failure, LinkersAndDeviceCompilersSeeNoProbes) {
  EXPECT_FALSE(isDoubtful("a.o: undefined reference to `f()'\n"
                          "collect2: error: ld returned 1 exit status\n"));
  EXPECT_TRUE(isDoubtful("a.o: undefined reference to `autoprof_hooks_v1'\n"
                         "collect2: error: ld returned 1 exit status\n"));
  EXPECT_FALSE(isDoubtful("@:3: undefined reference to `f()'\n"
                          "collect2: error: ld returned 1 exit status\n"));
  EXPECT_FALSE(isDoubtful("ptxas /tmp/a.ptx, line 24; error   : Not a name\n"));
  EXPECT_FALSE(isDoubtful("nvlink error   : Undefined reference to 'f'\n"));
  EXPECT_FALSE(isDoubtful("nvcc error   : 'cicc' died due to signal 11\n"));
  EXPECT_FALSE(isDoubtful("nvcc fatal   : Unknown option '-x'\n"));
  EXPECT_FALSE(isDoubtful("gcc: error: unrecognized option '-y'\n"));
}

TEST_F(Failure, WhatTheOptimizerFindsIsDoubtful) {
  EXPECT_FALSE(isDoubtful("@:2:1: error: x [-Werror=unused-variable]\n"
                          "cc1plus: all warnings being treated as errors\n"));
  EXPECT_TRUE(isDoubtful("@:2:1: error: x [-Werror=maybe-uninitialized]\n"));
}

TEST_F(Failure, WhatNobodyExplainsIsDoubtful) {
  EXPECT_TRUE(isDoubtful(""));
  EXPECT_TRUE(isDoubtful("nvcc error   : 'cudafe++' died due to signal 11\n"));
  EXPECT_TRUE(isDoubtful("@:2:1: internal compiler error: Segmentation\n"));
  rewrite("1\n#line 7 \"grammar.y\"\nAP_SITE(7) 3\n4\n5\n");
  EXPECT_TRUE(isDoubtful("@(2): error: identifier \"x\" is undefined\n"));
}

TEST_F(Failure, AfterASignalNothingIsCompiledAgain) {
  EXPECT_FALSE(isDoubtful("\nCompilation terminated.\n"
                          "nvcc error   : 'cudafe++' died due to signal 2 \n"));
}

} // namespace
