// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tree/Prologue.h"

#include <gtest/gtest.h>

using namespace autoprof::tree;

static std::string annotated(llvm::StringRef Text) {
  return autoprof::source::rewrite(Text,
                                   includeIn(Text, "autoprof/annotated.h"));
}

#define INCLUDE "#include \"autoprof/annotated.h\""

TEST(Prologue, TakesABlankLine) {
  EXPECT_EQ(annotated("\nint x;\n"), INCLUDE "\nint x;\n");
  EXPECT_EQ(annotated("// License\n\nint x;\n"),
            "// License\n" INCLUDE "\nint x;\n");
  EXPECT_EQ(annotated("#include <a>\n\nint x;\n"),
            "#include <a>\n" INCLUDE "\nint x;\n");
  EXPECT_EQ(annotated("#include <a>\n  \t\nint x;\n"),
            "#include <a>\n" INCLUDE "  \t\nint x;\n");
  EXPECT_EQ(annotated("/* a\n\n b */\n\nint x;\n"),
            "/* a\n\n b */\n" INCLUDE "\nint x;\n");
}

TEST(Prologue, SharesALineWithAComment) {
  EXPECT_EQ(annotated("// License\nint x;\n"), INCLUDE " // License\nint x;\n");
  EXPECT_EQ(annotated("/* a\n b */\nint x;\n"),
            INCLUDE " /* a\n b */\nint x;\n");
  EXPECT_EQ(annotated("#include <a>\n// b\nint x;\n"),
            "#include <a>\n" INCLUDE " // b\nint x;\n");
}

TEST(Prologue, BeginsTheFileWhereNoLineIsFree) {
  EXPECT_EQ(annotated("int x;\n\nint y;\n"),
            INCLUDE "\n#line 1\nint x;\n\nint y;\n");
  EXPECT_EQ(annotated("/* a */ int x;\n"),
            INCLUDE "\n#line 1\n/* a */ int x;\n");
  EXPECT_EQ(annotated("int x;\r\n"), INCLUDE "\r\n#line 1\r\nint x;\r\n");
  EXPECT_EQ(annotated(""), INCLUDE "\n#line 1\n");
}

TEST(Prologue, StaysOutOfConditions) {
  EXPECT_EQ(annotated("#ifdef A\n\n#endif\nint x;\n"),
            INCLUDE "\n#line 1\n#ifdef A\n\n#endif\nint x;\n");
  EXPECT_EQ(annotated("#ifdef A\n\n#endif\n\nint x;\n"),
            "#ifdef A\n\n#endif\n" INCLUDE "\nint x;\n");
  EXPECT_EQ(annotated("#ifdef A\n\nint x;\n#else\nint y;\n#endif\n"),
            INCLUDE "\n#line 1\n#ifdef A\n\nint x;\n#else\nint y;\n#endif\n");
}

TEST(Prologue, EntersAnIncludeGuard) {
  EXPECT_EQ(annotated("#ifndef A\n#define A\n\nint x;\n#endif // A\n"),
            "#ifndef A\n#define A\n" INCLUDE "\nint x;\n#endif // A\n");
  EXPECT_EQ(
      annotated("#ifndef A\n#define A\n#if B\n\n#endif\n\nint x;\n#endif\n"),
      "#ifndef A\n#define A\n#if B\n\n#endif\n" INCLUDE "\nint x;\n#endif\n");
  // No guard: code follows.
  EXPECT_EQ(annotated("#ifndef A\n\n#endif\nint x;\n#ifdef B\n#endif\n"),
            INCLUDE
            "\n#line 1\n#ifndef A\n\n#endif\nint x;\n#ifdef B\n#endif\n");
}

TEST(Prologue, DoesNotContinueALine) {
  EXPECT_EQ(annotated("#define A \\\n\nint x;\n"),
            INCLUDE "\n#line 1\n#define A \\\n\nint x;\n");
  EXPECT_EQ(annotated("// a \\\n\nint x;\n"), INCLUDE " // a \\\n\nint x;\n");
}

TEST(Prologue, StandsBehindAByteOrderMark) {
  EXPECT_EQ(annotated("\xEF\xBB\xBFint x;\n"),
            "\xEF\xBB\xBF" INCLUDE "\n#line 1\nint x;\n");
  EXPECT_EQ(annotated("\xEF\xBB\xBF\nint x;\n"),
            "\xEF\xBB\xBF" INCLUDE "\nint x;\n");
  EXPECT_EQ(annotated("\xEF\xBB\xBF// a\nint x;\n"),
            "\xEF\xBB\xBF" INCLUDE " // a\nint x;\n");
}

TEST(Prologue, AppendsWholeLines) {
  auto Appended = [](llvm::StringRef Text) {
    const std::string Lines[] = {"X"};
    return autoprof::source::rewrite(Text, appendLines(Text, Lines));
  };
  EXPECT_EQ(Appended("int x;\n"), "int x;\nX\n");
  EXPECT_EQ(Appended("int x;"), "int x;\nX\n");
  EXPECT_EQ(Appended("int x;\r\n"), "int x;\r\nX\r\n");
  EXPECT_EQ(Appended("// \\\n"), "// \\\n\nX\n");
}

TEST(Prologue, FindsItsWayUp) {
  EXPECT_EQ(headerFor("a.cu"), "autoprof/annotated.h");
  EXPECT_EQ(headerFor("a/b/c.cu"), "../../autoprof/annotated.h");
}
