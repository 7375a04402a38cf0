// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/SiteTexts.h"

#include "trace/timeline/Places.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::trace;

namespace {

Site site(const char *File, uint32_t Line, uint32_t Column,
          const char *Function = "f", const char *Callee = "cudaFree") {
  Site S;
  S.File = File;
  S.Line = Line;
  S.Column = Column;
  S.Function = Function;
  S.Callee = Callee;
  return S;
}

std::vector<std::string> labels(const std::vector<Site> &Sites) {
  Timeline T;
  T.Sites = Sites;
  report::labelSites(T);
  std::vector<std::string> Result;
  for (const Site &S : T.Sites)
    Result.push_back(trace::placeAndCall(S, S.Callee));
  return Result;
}

using Texts = std::vector<std::string>;

} // namespace

TEST(SiteLabels, DifferentSitesReadDifferently) {
  EXPECT_EQ(labels({site("/p/a/train.py", 8, 3), site("/p/a/train.py", 9, 3)}),
            (Texts{"train.py:8 cudaFree", "train.py:9 cudaFree"}));
  EXPECT_EQ(labels({site("/p/a/train.py", 8, 3), site("/p/b/train.py", 8, 3)}),
            (Texts{"a/train.py:8 cudaFree", "b/train.py:8 cudaFree"}));
  EXPECT_EQ(labels({site("/p/a/c/t.py", 8, 3), site("/p/b/c/t.py", 8, 9)}),
            (Texts{"a/c/t.py:8 cudaFree", "b/c/t.py:8 cudaFree"}));
  EXPECT_EQ(labels({site("/p/train.py", 8, 3), site("/p/train.py", 8, 14)}),
            (Texts{"train.py:8:3 cudaFree", "train.py:8:14 cudaFree"}));
  EXPECT_EQ(labels({site("t.cu", 8, 3, "run<Fast>"),
                    site("t.cu", 8, 3, "run<Slow>")}),
            (Texts{"t.cu:8 run<Fast> cudaFree", "t.cu:8 run<Slow> cudaFree"}));
  Site One = site("t.cu", 8, 3), Two = One;
  One.Id = 1;
  Two.Id = 2;
  EXPECT_EQ(labels({One, Two}),
            (Texts{"t.cu:8 #1 cudaFree", "t.cu:8 #2 cudaFree"}));
}

TEST(SiteLabels, OneSiteIsNotNumbered) {
  const Site Same = site("train.py", 8, 3);
  EXPECT_EQ(labels({Same, Same, site("train.py", 8, 3, "f", "cudaMalloc")}),
            (Texts{"train.py:8 cudaFree", "train.py:8 cudaFree",
                   "train.py:8 cudaMalloc"}));
}

TEST(SiteLabels, OfAFrameworkTheFunctionAndTheUsersLine) {
  Site S = site("/x/site-packages/transformers/trainer.py", 2175, 3,
                "Trainer._maybe_log");
  S.CalledFrom = UserLine{"/home/me/train.py", "<module>", 18};
  Site Other = S;
  Other.CalledFrom->Line = 19;
  EXPECT_EQ(labels({S, Other}),
            (Texts{"trainer.py:2175 _maybe_log (train.py:18) cudaFree",
                   "trainer.py:2175 _maybe_log (train.py:19) cudaFree"}));
  S.CalledFrom.reset();
  EXPECT_EQ(labels({S}), (Texts{"trainer.py:2175 _maybe_log cudaFree"}));
}
