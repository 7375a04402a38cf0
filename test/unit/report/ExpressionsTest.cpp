// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/SourceLines.h"
#include "report/recording/SiteTexts.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace autoprof;

namespace {

constexpr const char *Source = "def main():\n"
                               "    x = größe.item() + b(\n"
                               "        1,\n"
                               "\n"
                               "        2)  # two\n"
                               "    return x\r\n";

/// The text from `Column` in `Line` on to `EndColumn` in `EndLine`.
class Expressions : public testing::Test {
protected:
  llvm::SmallString<128> Path;
  int64_t Changed = 0;

  void SetUp() override { write(Source); }
  void TearDown() override { llvm::sys::fs::remove(Path); }

  void write(llvm::StringRef Text) {
    int File;
    ASSERT_FALSE(
        llvm::sys::fs::createTemporaryFile("expressions", "py", File, Path));
    llvm::raw_fd_ostream(File, /*shouldClose=*/true) << Text;
    llvm::sys::fs::file_status Status;
    ASSERT_FALSE(llvm::sys::fs::status(Path, Status));
    Changed = std::chrono::duration_cast<std::chrono::nanoseconds>(
                  Status.getLastModificationTime().time_since_epoch())
                  .count();
  }

  std::string read(uint32_t Line, uint32_t Column, uint32_t EndLine,
                   uint32_t EndColumn, std::optional<int64_t> Epoch) {
    trace::Timeline T;
    T.Info.Epoch = Epoch;
    trace::Site S;
    S.File = Path.str().str();
    S.Line = Line;
    S.Column = Column;
    S.EndLine = EndLine;
    S.EndColumn = EndColumn;
    T.Sites.push_back(S);
    report::readExpressions(T);
    return T.Sites[0].Expression;
  }
  std::string read(uint32_t Line, uint32_t Column, uint32_t EndLine,
                   uint32_t EndColumn) {
    return read(Line, Column, EndLine, EndColumn, Changed + 1);
  }
};

} // namespace

TEST_F(Expressions, AreWhatStandsInTheSource) {
  EXPECT_EQ(read(2, 9, 2, 22), "größe.item()"); // Columns are bytes.
  EXPECT_EQ(read(2, 26, 5, 10), "b( 1, 2)");
  EXPECT_EQ(read(6, 12, 6, 12), "x");
}

TEST_F(Expressions, AreNotGuessed) {
  EXPECT_EQ(read(2, 0, 2, 22), ""); // No columns.
  EXPECT_EQ(read(2, 9, 0, 22), ""); // Nor an end.
  EXPECT_EQ(read(2, 9, 2, 80), ""); // Beyond the line.
  EXPECT_EQ(read(2, 9, 80, 3), ""); // Beyond the file.
  EXPECT_EQ(read(80, 1, 80, 2), "");
  EXPECT_EQ(read(2, 22, 2, 9), "");
  EXPECT_EQ(read(5, 9, 2, 9), "");
  EXPECT_EQ(read(4, 1, 4, 1), ""); // An empty line.
}

TEST_F(Expressions, AreNotReadFromFilesThatChanged) {
  EXPECT_EQ(read(2, 9, 2, 22, Changed - 1), "");
  EXPECT_EQ(read(2, 9, 2, 22, std::nullopt), "");
  llvm::sys::fs::remove(Path);
  EXPECT_EQ(read(2, 9, 2, 22), "");
}

TEST_F(Expressions, AreCutBetweenCharacters) {
  llvm::sys::fs::remove(Path);
  std::string Long;
  for (int I = 0; I < 100; ++I)
    Long += "ö";
  for (const char *Before : {"", "x"}) {
    write(Before + Long + "\n");
    const std::string Text = read(1, 1, 1, 200);
    EXPECT_LE(Text.size(), 60u);
    EXPECT_GE(Text.size(), 58u);
    EXPECT_TRUE(llvm::StringRef(Text).ends_with("ö...")) << Text;
    llvm::sys::fs::remove(Path);
  }
}

TEST(SourceLines, ReadOnlySourcesForTraces) {
  int File;
  llvm::SmallString<128> Secret;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("secret", "", File, Secret));
  llvm::raw_fd_ostream(File, /*shouldClose=*/true) << "key\n";
  report::SourceLines Own, FromTrace(/*FromTrace=*/true);
  EXPECT_EQ(Own.line(Secret, 1), "key");
  EXPECT_EQ(FromTrace.line(Secret, 1), "");
  llvm::sys::fs::rename(Secret, Secret + ".py");
  EXPECT_EQ(FromTrace.line((Secret + ".py").str(), 1), "key");
  EXPECT_EQ(Own.line("/dev/zero", 1), ""); // It has no end.
  llvm::sys::fs::remove(Secret + ".py");
}
