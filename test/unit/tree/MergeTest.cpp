// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Units that agree and disagree about a shared header, with real files, because
// clang's file manager knows no others.
#include "tree/Merge.h"

#include "source/text/ProbeText.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace autoprof::source;
using namespace autoprof::tree;

namespace {

const char Text[] = "void f() { CHECK(a()); b(); c(); }\n";
const unsigned A = 11, B = 23, C = 28;

const ProbeText Probes(/*IsC=*/false);

std::string site(uint64_t Id) { return Probes.site(Id); }

class MergeTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> Path;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("merge", Path));
    Folder = Path.str().str();
    for (const char *Name : {"/one.cu", "/two.cu", "/shared.h"}) {
      std::error_code Failed;
      llvm::raw_fd_ostream(Folder + Name, Failed) << Text;
    }
  }
  void TearDown() override { llvm::sys::fs::remove_directories(Folder); }

  /// A unit that puts probes into shared.h.
  struct Unit {
    std::vector<Site> Sites;
    std::vector<Edit> Edits;
    std::vector<Skipped> Skips;

    Unit &probe(unsigned Offset, uint64_t Id) {
      return add(Offset, Id, Rank::Prefix, site(Id), 0, "");
    }
    Unit &block(unsigned Offset, uint64_t Id, unsigned End) {
      return add(Offset, Id, Rank::Block, Probes.block(Id).Before, End,
                 Probes.block(Id).After);
    }
    Unit &bracket(unsigned Offset, uint64_t Id, unsigned End) {
      return add(Offset, Id, Rank::Bracket, Probes.bracket(Id).Before, End,
                 Probes.bracket(Id).After);
    }
    Unit &skip(unsigned Offset, const char *Reason) {
      Skips.push_back({"sync", at(Offset), "f", "x", Reason});
      return *this;
    }

  private:
    static Position at(unsigned Offset) { return {"shared.h", 1, Offset}; }
    Unit &add(unsigned Offset, uint64_t Id, Rank Order, std::string Probe,
              unsigned End, std::string Closing) {
      Sites.push_back({Id, "sync", at(Offset), "f", "x"});
      Edits.push_back(
          {Offset, Order, std::move(Probe), End, std::move(Closing)});
      return *this;
    }
  };

  void add(const char *Name, Unit U) {
    Rewriting R;
    R.Sites = std::move(U.Sites);
    R.NotInstrumented = std::move(U.Skips);
    R.Files.push_back({*Files.getOptionalFileRef(Folder + "/shared.h"), Text,
                       std::move(U.Edits)});
    R.Files.push_back(
        {*Files.getOptionalFileRef(Folder + "/" + Name), Text, {}});
    Union.add(Folder + "/" + Name, Name, std::move(R));
  }

  /// What became of shared.h.
  std::string header(const Merged &M) {
    for (const MergedFile &F : M.Files)
      if (llvm::StringRef(F.Path).ends_with("shared.h"))
        return rewrite(F.Text, F.Probes);
    return Text;
  }

  std::string Folder;
  clang::FileManager Files{clang::FileSystemOptions()};
  Merge Union{[this](llvm::StringRef, llvm::StringRef) { return Rule; }};
  Merge::Rule Rule;
};

} // namespace

TEST_F(MergeTest, UnitesWhatUnitsSee) {
  add("one.cu", Unit().probe(A, 1).probe(B, 2));
  add("two.cu", Unit().probe(A, 1).probe(C, 3));
  Merged M = Union.take();
  EXPECT_EQ(header(M), "void f() { " + site(1) + "CHECK(a()); " + site(2) +
                           "b(); " + site(3) + "c(); }\n");
  EXPECT_EQ(M.Sites.size(), 3u);
  EXPECT_TRUE(M.NotInstrumented.empty());
  ASSERT_EQ(M.Files.size(), 3u);
  EXPECT_EQ(M.Files[0].Table.size(), 2u); // one.cu
  EXPECT_EQ(M.Files[2].Table.size(), 2u); // two.cu
}

TEST_F(MergeTest, TakesTheFirstIdOfTheSameProbe) {
  add("one.cu", Unit().probe(B, 2));
  add("two.cu", Unit().probe(B, 7));
  Merged M = Union.take();
  EXPECT_EQ(header(M), "void f() { CHECK(a()); " + site(2) + "b(); c(); }\n");
  ASSERT_EQ(M.Files.size(), 3u);
  EXPECT_EQ(M.Files[2].Table[0].Id, 2u);
}

TEST_F(MergeTest, TakesTheFormThatDoesForBoth) {
  add("one.cu", Unit().probe(A, 1).block(B, 2, 27));
  add("two.cu", Unit().block(A, 3, 22).probe(B, 4));
  Merged M = Union.take();
  const Wrapping First = Probes.block(1), Second = Probes.block(2);
  EXPECT_EQ(header(M), "void f() { " + First.Before + "CHECK(a());" +
                           First.After + " " + Second.Before + "b();" +
                           Second.After + " c(); }\n");
  EXPECT_TRUE(M.NotInstrumented.empty());
}

TEST_F(MergeTest, LeavesAPlaceOfTwoFormsAlone) {
  add("one.cu", Unit().probe(A, 1).probe(B, 2));
  add("two.cu", Unit().bracket(A, 1, 22));
  Merged M = Union.take();
  EXPECT_EQ(header(M), "void f() { CHECK(a()); " + site(2) + "b(); c(); }\n");
  ASSERT_EQ(M.NotInstrumented.size(), 1u);
  EXPECT_EQ(
      M.NotInstrumented[0].Reason,
      "one.cu and two.cu need different probes here, and share this text");
  EXPECT_EQ(M.Sites.size(), 1u);
}

TEST_F(MergeTest, LeavesAPlaceAloneThatOneUnitCannotHave) {
  add("one.cu", Unit().probe(A, 1));
  add("two.cu", Unit().skip(A, "inside macro CHECK"));
  Merged M = Union.take();
  EXPECT_EQ(header(M), Text);
  ASSERT_EQ(M.NotInstrumented.size(), 1u);
  EXPECT_EQ(M.NotInstrumented[0].Reason,
            "two.cu shares this text and can have no probe here: inside macro "
            "CHECK");
}

TEST_F(MergeTest, GivesAnIdToOnePlaceOnly) {
  add("one.cu", Unit().probe(A, 1).probe(B, 2));
  add("two.cu", Unit().probe(B, 1).probe(C, 2)); // does not see A
  Merged M = Union.take();
  EXPECT_EQ(header(M), "void f() { " + site(1) + "CHECK(a()); " + site(2) +
                           "b(); c(); }\n");
  ASSERT_EQ(M.NotInstrumented.size(), 1u);
  EXPECT_EQ(M.NotInstrumented[0].Reason,
            "one.cu and two.cu see different calls in this function, and share "
            "this text");
}

TEST_F(MergeTest, AllowsNoHalfOverlaps) {
  add("one.cu", Unit().block(A, 1, 27));
  add("two.cu", Unit().block(B, 2, 32));
  EXPECT_EQ(header(Union.take()), Text);
}

TEST_F(MergeTest, RefusesFiles) {
  Rule = {false, "it is not ours"};
  add("one.cu", Unit().probe(A, 1));
  Merged M = Union.take();
  EXPECT_TRUE(M.Files.empty());
  ASSERT_EQ(M.NotInstrumented.size(), 1u);
  EXPECT_EQ(M.NotInstrumented[0].Reason, "it is not ours");
}

TEST_F(MergeTest, KeepsProbesThatStand) {
  Rule = {true, ""};
  add("one.cu", Unit().probe(A, 1));
  Merged M = Union.take();
  EXPECT_TRUE(M.Files.empty());
  EXPECT_EQ(M.Sites.size(), 1u);
}
