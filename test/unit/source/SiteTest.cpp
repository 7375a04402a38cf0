// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/project/Site.h"
#include "source/project/Project.h"

#include "gtest/gtest.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace autoprof::source;

namespace {

// FNV-1a of "\0\0\0" "0", computed apart from this code: ids are part of what
// baselines and recordings refer to, so they must never change.
TEST(Site, IdIsFnv1a) {
  uint64_t Hash = 0xcbf29ce484222325u;
  for (unsigned char Byte : {0, 0, 0, 48})
    Hash = (Hash ^ Byte) * 0x100000001b3u;
  EXPECT_EQ(siteId("", "", "", 0), Hash);
  EXPECT_EQ(hex(siteId("headers.cu", "main()", "<function>", 0)),
            "0x37f2cbc8e2aa0ec5");
}

TEST(Site, IdDependsOnEachPart) {
  const uint64_t Id = siteId("a.cu", "f()", "cudaFree", 0);
  EXPECT_NE(Id, siteId("b.cu", "f()", "cudaFree", 0));
  EXPECT_NE(Id, siteId("a.cu", "g()", "cudaFree", 0));
  EXPECT_NE(Id, siteId("a.cu", "f()", "cudaMalloc", 0));
  EXPECT_NE(Id, siteId("a.cu", "f()", "cudaFree", 1));
  EXPECT_NE(siteId("a", "bc", "d", 0), siteId("ab", "c", "d", 0));
}

TEST(Site, HexHasSixteenDigits) {
  EXPECT_EQ(hex(0), "0x0000000000000000");
  EXPECT_EQ(hex(0xabcdef), "0x0000000000abcdef");
}

TEST(Site, RowsEscapeWhatSeparates) {
  const Site S{1, "copy", {"a|b;c%\"d\\.cu", 3, 5}, "f<int>::g[1]", "k\n"};
  EXPECT_EQ(tableRows({S}),
            std::vector<std::string>{
                "0x0000000000000001|copy|3|5|a%7Cb%3Bc%25%22d%5C.cu|"
                "f<int>::g[1]|k%0A;"});
}

TEST(Site, LongTablesComeInPieces) {
  const std::vector<Site> Sites(
      2000, Site{1, "copy", {std::string(100, 'x'), 1, 1}, "f", "g"});
  std::vector<std::string> Pieces = tableRows(Sites);
  EXPECT_GT(Pieces.size(), 1u);
  size_t Rows = 0;
  for (const std::string &P : Pieces) {
    EXPECT_LT(P.size(), 32u * 1024);
    Rows += std::count(P.begin(), P.end(), ';');
  }
  EXPECT_EQ(Rows, Sites.size());
  EXPECT_TRUE(tableRows({}).empty());
}

TEST(Site, TheStepIsARowOfATableWithSites) {
  const Site S{1, "copy", {"a.cu", 3, 5}, "f", "g"};
  const std::vector<std::string> Pieces = tableRows({S}, "loop:a.cu:3");
  ASSERT_EQ(Pieces.size(), 1u);
  EXPECT_TRUE(llvm::StringRef(Pieces[0]).ends_with("|step|0|0|||loop:a.cu:3;"));
  EXPECT_TRUE(tableRows({}, "loop:a.cu:3").empty());
}

TEST(Project, WithoutMarksTheRootIsTheSourceFolderOfCMake) {
  llvm::SmallString<128> Top;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("autoprof-root", Top));
  const std::string Base = Top.str().str(), Source = Base + "/p/src/sub";
  ASSERT_FALSE(llvm::sys::fs::create_directories(Source));
  ASSERT_FALSE(llvm::sys::fs::create_directories(Base + "/build/sub"));
  std::error_code Failure;
  llvm::raw_fd_ostream(Base + "/build/CMakeCache.txt", Failure)
      << "A:STRING=b\nCMAKE_HOME_DIRECTORY:INTERNAL=" << Base << "/p\n";
  EXPECT_EQ(Project::findRoot(Source, Base + "/build/sub"), Base + "/p");
  EXPECT_EQ(Project::findKnownRoot(Source, Base + "/build/sub"), Base + "/p");
  EXPECT_EQ(Project::findRoot(Base + "/other", Base + "/build"),
            Base + "/other");
  llvm::raw_fd_ostream(Base + "/p/src/.autoprof", Failure).close();
  EXPECT_EQ(Project::findRoot(Source, Base + "/build/sub"), Base + "/p/src");
  llvm::sys::fs::remove_directories(Top);
}

TEST(Project, OtherwiseTheRootContainsWhereTheCompilerStarts) {
  EXPECT_EQ(Project::findRoot("/p/src", "/p"), "/p");
  EXPECT_EQ(Project::findRoot("/p/src", "/p/src", "/p"), "/p");
  EXPECT_EQ(Project::findRoot("/p/src", "/p/build"), "/p/src");
  EXPECT_EQ(Project::findRoot("/p/src", "/"), "/p/src");
  EXPECT_EQ(Project::findRoot("/p/src"), "/p/src");
  EXPECT_EQ(Project::findKnownRoot("/p/src", "/p"), "");
}

TEST(Project, WantsWhatIsUnderItsRoot) {
  const Project P("/src/app");
  EXPECT_TRUE(P.holds("/src/app/a.h"));
  EXPECT_FALSE(P.holds("/src/application/a.h"));
  EXPECT_EQ(P.relative("/src/app/x/a.h"), "x/a.h");
  EXPECT_EQ(P.relative("/src/other/a.h"), "/src/other/a.h");
}

} // namespace
