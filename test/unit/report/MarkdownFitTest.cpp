// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/MarkdownFit.h"

#include "llvm/ADT/StringRef.h"

#include <gtest/gtest.h>

using autoprof::report::fitMarkdown;
using llvm::StringRef;

namespace {

/// A title, a table of `Rows`, a list of `Items`, and a paragraph.
std::string report(size_t Rows, size_t Items) {
  std::string Text = "# title\n\n## Sites\n\n| site | wait |\n|---|--:|\n";
  for (size_t I = 1; I <= Rows; ++I)
    Text += "| train.cu:" + std::to_string(I) + " cudaMemcpy | 27.4 us |\n";
  Text += "\n## Summary\n\n";
  for (size_t I = 1; I <= Items; ++I)
    Text += "- line " + std::to_string(I) + ": what it says\n";
  return Text + "\n## End\n\nOne paragraph.\n";
}

} // namespace

TEST(MarkdownFit, LeavesAloneWhatFits) {
  const std::string Text = report(3, 3);
  EXPECT_EQ(fitMarkdown(Text, 1000), Text);
}

TEST(MarkdownFit, KeepsTheBeginningOfEachSection) {
  const std::string Text = fitMarkdown(report(100, 100), 1000);
  EXPECT_LE(Text.size(), 1000u);
  EXPECT_GT(Text.size(), 850u);
  EXPECT_EQ(Text.rfind("# title\n\n## Sites\n\n| site | wait |\n|---|--:|\n"
                       "| train.cu:1 cudaMemcpy | 27.4 us |\n"
                       "| train.cu:2 cudaMemcpy",
                       0),
            0u);
  EXPECT_NE(Text.find("- line 1: what it says\n- line 2"), std::string::npos);
  EXPECT_NE(Text.find("One paragraph."), std::string::npos);
  // Every row is there or counted.
  size_t Shown = StringRef(Text).count("train.cu:");
  EXPECT_NE(
      Text.find("(" + std::to_string(100 - Shown) + " more rows omitted)"),
      std::string::npos);
}

TEST(MarkdownFit, TableStaysATable) {
  // Behind the rows a blank line, or what is said would be one.
  const std::string Text = fitMarkdown(report(100, 1), 1000);
  EXPECT_NE(Text.find("27.4 us |\n\n("), std::string::npos) << Text;
  EXPECT_EQ(Text.find("\n\n\n"), std::string::npos) << Text;
}

TEST(MarkdownFit, NamesSectionsThatDoNotFit) {
  std::string Text = report(1, 1);
  Text += "\n## Long\n\n" + std::string(2000, 'x') + "\n";
  const std::string Fitted = fitMarkdown(Text, 1000);
  EXPECT_LE(Fitted.size(), 1000u);
  EXPECT_NE(Fitted.find("Left out for lack of room: Long.\n"),
            std::string::npos)
      << Fitted;
  EXPECT_NE(Fitted.find("train.cu:1 "), std::string::npos);
}

TEST(MarkdownFit, IsNeverLonger) {
  std::string Title = "# ";
  for (int I = 0; I < 1000; ++I)
    Title += "\xC3\xA4";
  for (size_t Max = 1000; Max < 1400; ++Max) {
    const std::string Text = fitMarkdown(Title + "\n\n" + report(50, 50), Max);
    EXPECT_LE(Text.size(), Max);
    // No half of a character.
    for (size_t I = 0; I < Text.size(); ++I)
      if (Text[I] == '\xC3')
        EXPECT_TRUE(I + 1 < Text.size() && Text[I + 1] == '\xA4') << I;
  }
}

TEST(MarkdownFit, KeepsSitesWithFewerColumns) {
  std::string Sites = "# title\n\n## Sites, by exposed stall\n\n"
                      "| site | gain | kind |\n|---|--:|---|\n";
  for (int I = 1; I <= 5; ++I)
    Sites += "| a.cu:" + std::to_string(I) + " f\\|g | 27.4 us | " +
             std::string(200, 'x') + " |\n";
  const std::string Text = fitMarkdown(
      Sites + "\n## Summary\n\n" + std::string(400, 'y') + "\n", 1000);
  EXPECT_NE(Text.find("| site | gain |\n|---|--:|\n"
                      "| a.cu:1 f\\|g | 27.4 us |\n"),
            std::string::npos)
      << Text;
  EXPECT_NE(Text.find("a.cu:5"), std::string::npos) << Text;
  EXPECT_NE(Text.find("Left out for lack of room: the column kind.\n"),
            std::string::npos)
      << Text;
}

TEST(MarkdownFit, KeepsLimitationsFirst) {
  const std::string Text =
      fitMarkdown(report(100, 100) + "\n## Limitations of this recording\n\n"
                                     "- It has no source lines.\n"
                                     "- Records were lost.\n",
                  1000);
  EXPECT_LE(Text.size(), 1000u);
  EXPECT_NE(Text.find("- It has no source lines.\n- Records were lost.\n"),
            std::string::npos);
  EXPECT_NE(Text.find("train.cu:2 cudaMemcpy"), std::string::npos);
}
