// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source-cli/ApplyFixes.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace autoprof;
namespace fs = llvm::sys::fs;

namespace {

class ApplyFixesTest : public ::testing::Test {
protected:
  void SetUp() override {
    int Descriptor = 0;
    ASSERT_FALSE(fs::createTemporaryFile("fixes", "cu", Descriptor, Path));
    llvm::raw_fd_ostream OS(Descriptor, true);
    OS << "0123456789\n";
  }
  void TearDown() override { fs::remove(Path); }

  /// Replaces [Begin, Begin + Length).
  audit::Finding finding(const char *Rule, unsigned Line, unsigned Begin,
                         unsigned Length, const char *Text) const {
    audit::Finding F;
    F.Rule = Rule;
    F.Location = {Path.str().str(), Line, 1, 0};
    F.FixIts.push_back({{{Path.str().str(), 1, 1, Begin}, Length}, Text});
    return F;
  }

  std::string text() const {
    auto Text = llvm::MemoryBuffer::getFile(Path);
    return Text ? (*Text)->getBuffer().str() : "";
  }

  llvm::SmallString<128> Path;
  const audit::Project P{{}};
};

TEST_F(ApplyFixesTest, MakesThoseThatGoTogetherAndNamesTheOthers) {
  report::Audit A{P, {}, {}, {}};
  A.Findings = {finding("first", 1, 2, 3, "x"), finding("second", 2, 4, 2, ""),
                finding("third", 3, 7, 1, "yy")};
  llvm::Expected<sources::AppliedFixes> Made = sources::applyFixes(A);
  ASSERT_TRUE(bool(Made)) << toString(Made.takeError());
  EXPECT_EQ(text(), "01x56yy89\n");
  EXPECT_EQ(Made->Files, 1u);
  EXPECT_TRUE(Made->Fixed.contains(&A.Findings[0]));
  EXPECT_FALSE(Made->Fixed.contains(&A.Findings[1]));
  EXPECT_TRUE(Made->Fixed.contains(&A.Findings[2]));
  const std::string Name = Path.str().str();
  ASSERT_EQ(Made->Refused.size(), 1u);
  EXPECT_EQ(Made->Refused[0], "the fix of second at " + Name +
                                  ":2 overlaps that of first at " + Name +
                                  ":1; run it again");
}

TEST_F(ApplyFixesTest, IsMadeAsAWholeOrNotAtAll) {
  report::Audit A{P, {}, {}, {}};
  A.Findings = {finding("first", 1, 5, 1, "x"), finding("both", 2, 0, 1, "y")};
  A.Findings[1].FixIts.push_back(A.Findings[0].FixIts[0]);
  A.Findings[1].FixIts[1].Text = "z";
  llvm::Expected<sources::AppliedFixes> Made = sources::applyFixes(A);
  ASSERT_TRUE(bool(Made)) << toString(Made.takeError());
  EXPECT_EQ(text(), "01234x6789\n");
  EXPECT_EQ(Made->Refused.size(), 1u);
}

TEST_F(ApplyFixesTest, SaysWhichFileItCannotFix) {
  report::Audit A{P, {}, {}, {}};
  A.Findings = {finding("first", 1, 2, 3, "x")};
  fs::remove(Path);
  llvm::Expected<sources::AppliedFixes> Made = sources::applyFixes(A);
  ASSERT_FALSE(bool(Made));
  EXPECT_EQ(toString(Made.takeError()),
            "cannot fix '" + Path.str().str() + "': No such file or directory");
}

} // namespace
