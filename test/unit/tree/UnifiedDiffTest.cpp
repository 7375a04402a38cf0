// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tree/UnifiedDiff.h"

#include <gtest/gtest.h>

using autoprof::source::Edit;

static Edit at(unsigned Offset, const char *Text) {
  Edit E;
  E.Offset = Offset;
  E.Text = Text;
  return E;
}

static std::string diff(llvm::StringRef Text, llvm::ArrayRef<Edit> Edits) {
  std::string Result;
  llvm::raw_string_ostream OS(Result);
  autoprof::tree::printDiff(OS, "f", Text, Edits);
  EXPECT_TRUE(llvm::StringRef(Result).starts_with("--- a/f\n+++ b/f\n"));
  return Result.substr(16);
}

TEST(UnifiedDiff, ShowsChangedLines) {
  EXPECT_EQ(diff("a\nb\nc\n", at(2, "X ")),
            "@@ -1,3 +1,3 @@\n a\n-b\n+X b\n c\n");
}

TEST(UnifiedDiff, KeepsFarChangesApart) {
  EXPECT_EQ(diff("0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n", {at(0, "X"), at(18, "Y")}),
            "@@ -1,4 +1,4 @@\n-0\n+X0\n 1\n 2\n 3\n"
            "@@ -7,4 +7,4 @@\n 6\n 7\n 8\n-9\n+Y9\n");
}

TEST(UnifiedDiff, JoinsNearChanges) {
  EXPECT_EQ(diff("0\n1\n2\n3\n4\n5\n6\n7\n", {at(0, "X"), at(14, "Y")}),
            "@@ -1,8 +1,8 @@\n-0\n+X0\n 1\n 2\n 3\n 4\n 5\n 6\n-7\n+Y7\n");
}

TEST(UnifiedDiff, AddsLines) {
  EXPECT_EQ(diff("a\n", {at(0, "X\nY\n"), at(2, "Z\n")}),
            "@@ -1,1 +1,4 @@\n+X\n+Y\n a\n+Z\n");
}

TEST(UnifiedDiff, CountsAddedLinesInLaterHunks) {
  EXPECT_EQ(diff("0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n", {at(0, "X\n"), at(18, "Y")}),
            "@@ -1,4 +1,5 @@\n+X\n 0\n 1\n 2\n 3\n"
            "@@ -7,4 +8,4 @@\n 6\n 7\n 8\n-9\n+Y9\n");
}

TEST(UnifiedDiff, MarksAMissingLineEnd) {
  EXPECT_EQ(diff("a\nb", at(3, "\nX\n")),
            "@@ -1,2 +1,3 @@\n a\n-b\n\\ No newline at end of file\n+b\n+X\n");
}
