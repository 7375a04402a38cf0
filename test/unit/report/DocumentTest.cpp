// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same document in each format.
#include "report/document/Renderings.h"

#include <gtest/gtest.h>

using namespace autoprof::report;
using llvm::StringRef;

namespace {

Document example() {
  Document D;
  D.Title = "autoprof: <train>";
  D.Origin = "train.pftrace: ./train";
  D.Answer.say("Removing cudaFree gains 5 us", Paragraph::Answer);
  Section &Waits = D.section("Waits", "waits");
  Table T({{"site", true}, {"wait"}, {"function", true, false, true}});
  T.addRow({"a.cu:1 cudaFree", "5 us", "f<int>"});
  T.addNote("keep the buffer", "Instead");
  T.addRow({"b.cu:2 cudaFree", "1 us", "g"});
  T.Limit = 1;
  T.Others = "more sites never waited";
  Waits.add(std::move(T));
  Waits.say(Phrase("Run ") + code("autoprof check") + ".", Paragraph::Note);
  Waits.add(Picture{[] { return std::string("<svg></svg>"); }}, Shown::OnPages);
  D.section("Summary").add(Facts{{{"steps", "10"}, {"wall time", "2 s"}}});
  D.section("Profile", "", Shown::InFull).add(List{{"only in full"}});
  D.section("Empty");
  D.LimitsHeading = "Limitations";
  D.Limits = {"Records were lost."};
  return D;
}

std::string rendered(Format<Document>::Writer Render, bool All = false) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  TextStyle Style;
  Style.All = All;
  Render(Out, example(), Style);
  return Text;
}

bool contains(StringRef Text, StringRef Part) { return Text.contains(Part); }

} // namespace

TEST(Document, OnTerminals) {
  EXPECT_EQ(rendered(renderTerminal),
            "train.pftrace: ./train\n"
            "\n"
            "Removing cudaFree gains 5 us\n"
            "\n"
            "Waits\n"
            "  site             wait\n"
            "  a.cu:1 cudaFree  5 us\n"
            "      Instead: keep the buffer\n"
            "  1 more sites never waited (--all lists them)\n"
            "  Run autoprof check.\n"
            "\n"
            "Summary\n"
            "  steps      10\n"
            "  wall time  2 s\n"
            "\n"
            "Limitations\n"
            "  Records were lost.\n");
  const std::string All = rendered(renderTerminal, /*All=*/true);
  EXPECT_TRUE(contains(All, "b.cu:2 cudaFree"));
  EXPECT_TRUE(contains(All, "only in full"));
}

TEST(Document, AsMarkdown) {
  EXPECT_EQ(rendered(renderMarkdown),
            "# autoprof: \\<train\\>\n"
            "\n"
            "**Removing cudaFree gains 5 us**\n"
            "\n"
            "## Waits\n"
            "\n"
            "| site | wait | function |\n"
            "|---|--:|---|\n"
            "| a.cu:1 cudaFree | 5 us | f\\<int\\> |\n"
            "\n"
            "- a.cu:1 cudaFree: Instead: keep the buffer\n"
            "\n"
            "1 more sites never waited (--all lists them)\n"
            "\n"
            "_Run `autoprof check`._\n"
            "\n"
            "## Summary\n"
            "\n"
            "- steps: 10\n"
            "- wall time: 2 s\n"
            "\n"
            "## Limitations\n"
            "\n"
            "- Records were lost.\n");
}

TEST(Document, AsPage) {
  const std::string Page = rendered(renderHtml);
  EXPECT_TRUE(contains(Page, "<title>autoprof: &lt;train&gt;</title>"));
  EXPECT_TRUE(contains(Page, "<h1>Removing cudaFree gains 5 us</h1>"));
  EXPECT_TRUE(contains(Page, "<a href=\"#waits\">Waits</a>"));
  EXPECT_TRUE(contains(Page, "f&lt;int&gt;"));
  EXPECT_TRUE(contains(Page, "b.cu:2 cudaFree")); // Pages have all rows.
  EXPECT_TRUE(contains(Page, "<svg></svg>"));
  EXPECT_TRUE(contains(Page, "only in full"));
  EXPECT_FALSE(contains(Page, "<h2>Empty</h2>"));
  EXPECT_LT(Page.find("Records were lost."), Page.find("<main>"));
}

TEST(Document, Diagnostics) {
  Document D;
  D.Title = "check";
  D.IsAnswerLast = true;
  D.Answer.say("1 failure", Paragraph::Answer);
  Diagnostic New;
  New.Kind = Diagnostic::Error;
  New.File = "a,b.cu";
  New.Line = 88;
  New.Text = "cudaMemcpy is new: 5 %";
  New.Rule = "new-wait";
  D.section("").add(Diagnostics{{New, {}}});
  auto As = [&](Format<Document>::Writer Render) {
    std::string Text;
    llvm::raw_string_ostream Out(Text);
    Render(Out, D, TextStyle());
    return Text;
  };
  EXPECT_EQ(As(renderTerminal),
            "a,b.cu:88: error: cudaMemcpy is new: 5 % [new-wait]\n"
            "note: \n"
            "1 failure\n");
  EXPECT_EQ(As(renderGithub),
            "::error file=a%2Cb.cu,line=88,title=new-wait::cudaMemcpy is new: "
            "5 %25\n"
            "::notice title=autoprof::\n"
            "1 failure\n");
  EXPECT_EQ(As(renderMarkdown),
            "# check\n"
            "\n"
            "**1 failure**\n"
            "\n"
            "- a,b.cu:88: error: cudaMemcpy is new: 5 % (new-wait)\n"
            "- note: \n");
}

TEST(Document, CellsOfPagesAreLimitedAndEscaped) {
  Document D;
  Table T({{"kernel", true, /*CutEnd=*/true}, {"n"}});
  T.addRow({"a<b" + std::string(300, 'c'), "1"});
  for (int I = 0; I < 500; ++I)
    T.addRow({"second", "2"});
  T.addRow({"the last row", "3"});
  D.section("Kernels").add(std::move(T));
  std::string Page;
  llvm::raw_string_ostream Out(Page);
  renderHtml(Out, D, TextStyle());
  EXPECT_TRUE(contains(Page, ">a&lt;bccc"));
  EXPECT_TRUE(contains(Page, "ccc...</th><td>1</td>"));
  EXPECT_FALSE(contains(Page, std::string(250, 'c')));
  EXPECT_FALSE(contains(Page, "the last row"));
  EXPECT_TRUE(contains(Page, "2 more rows are omitted"));
}
