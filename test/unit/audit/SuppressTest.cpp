// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Suppress.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace autoprof::audit;

namespace {

class SuppressTest : public ::testing::Test {
protected:
  void SetUp() override {
    int Descriptor = 0;
    ASSERT_FALSE(
        llvm::sys::fs::createTemporaryFile("suppress", "cu", Descriptor, Path));
    llvm::raw_fd_ostream OS(Descriptor, true);
    OS << "a(); // autoprof:allow\n"                                // 1
          "a(); // autoprof:allow(autoprof-sync-in-loop)\n"         // 2
          "a(); // autoprof:allow(autoprof-copy-*)\n"               // 3
          "b();\n"                                                  // 4
          "a();\n"                                                  // 5
          "a();\n"                                                  // 6
          "a();\n"                                                  // 7
          "a();\n"                                                  // 8
          "a();\n"                                                  // 9
          "a(); // autoprof:allow(autoprof-sync-in-loop): needed\n" // 10
          "a();\n"                                                  // 11
          "  // autoprof:allow(autoprof-sync-in-loop): needed\n"    // 12
          "a();\n"                                                  // 13
          "a();\n"                                                  // 14
          "a(); // autoprof:allow(bugprone-x)\n"                    // 15
          "a(); // autoprof:allowed\n"                              // 16
          "a(\"// autoprof:allow\"); b(R\"(\n"                      // 17
          "autoprof:allow)\");\n"                                   // 18
          "/* autoprof:allow(autoprof-sync-*): the reason takes\n"  // 19
          "   two lines */\n"                                       // 20
          "a();\n"                                                  // 21
          "a();\n"                                                  // 22
          "// autoprof:allow(autoprof-sync-in-loop): all of it\n"   // 23
          "check(\n"                                                // 24
          "    [&] { a(); b();\n"                                   // 25
          "    }, x);\n"                                            // 26
          "a();\n"                                                  // 27
          "// autoprof:allow(autoprof-sync-in-loop): the head\n"    // 28
          "for (int i = 0;\n"                                       // 29
          "     i < a(); ++i) {\n"                                  // 30
          "  a();\n"                                                // 31
          "}\n"                                                     // 32
          "// autoprof:allow(autoprof-sync-in-loop): the macro\n"   // 33
          "CHECK(a())\n"                                            // 34
          "a();\n"                                                  // 35
          "b(\n"                                                    // 36
          "  // autoprof:allow(autoprof-sync-in-loop): argument\n"  // 37
          "  a());\n"                                               // 38
          "a();\n"                                                  // 39
          "// autoprof:allow(autoprof-sync-in-loop): with its if\n" // 40
          "if (x)\n"                                                // 41
          "  a();\n"                                                // 42
          "a();\n"                                                  // 43
          "// autoprof:allow(autoprof-sync-in-loop): up to the #\n" // 44
          "a()\n"                                                   // 45
          "#ifdef X\n"                                              // 46
          "a();\n"                                                  // 47
          "// autoprof:allow(autoprof-sync-in-loop): the end\n";    // 48
  }
  void TearDown() override { llvm::sys::fs::remove(Path); }

  bool silences(unsigned Line) {
    Finding F;
    F.Rule = "autoprof-sync-in-loop";
    F.Location = {Path.str().str(), Line, 1, 0};
    return Comments.commentOn(F).has_value();
  }

  llvm::SmallString<64> Path;
  Suppressions Comments;
};

} // namespace

TEST_F(SuppressTest, FollowsComments) {
  std::vector<unsigned> Silent;
  for (unsigned Line = 1; Line <= 48; ++Line)
    if (silences(Line))
      Silent.push_back(Line);
  EXPECT_EQ(Silent, (std::vector<unsigned>{1,  2,  10, 12, 13, 19, 20, 21, 23,
                                           24, 25, 26, 28, 29, 30, 33, 34, 37,
                                           38, 40, 41, 42, 44, 45, 48}));
}

TEST_F(SuppressTest, AFileThatIsGoneSilencesNothing) {
  Finding F;
  F.Rule = "autoprof-sync-in-loop";
  F.Location = {"/nowhere/a.cu", 1, 1, 0};
  EXPECT_FALSE(Comments.commentOn(F));
}
