// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over spans of time, and the objects that are created and destroyed on
// one line.
#include "analysis/common/Temporaries.h"
#include "analysis/common/Windows.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::Window;

TEST(Overlap, OfWindowsThatAreDisjoint) {
  const std::vector<Window> All{{0, 10}, {20, 30}, {40, 50}};
  EXPECT_EQ(overlap(All, 0, 50), 30);
  EXPECT_EQ(overlap(All, 10, 20), 0);
  EXPECT_EQ(overlap(All, 25, 45), 10);
  EXPECT_EQ(overlap(All, 60, 70), 0);
  EXPECT_EQ(overlap(std::vector<Window>(), 0, 10), 0);
}

TEST(Overlap, WindowsThatTouchAreJoined) {
  std::vector<Window> All;
  for (const Window &W :
       {Window{0, 10}, Window{2, 5}, Window{10, 12}, Window{20, 21}})
    append(All, W);
  ASSERT_EQ(All.size(), 2u);
  EXPECT_EQ(All[0].End, 12);
  EXPECT_EQ(overlap(All, 0, 100), 13);
}

TEST(Temporaries, TheClassOfAnObject) {
  EXPECT_EQ(classOf("thrust::device_vector::device_vector"),
            "thrust::device_vector");
  EXPECT_EQ(classOf("thrust::device_vector::~device_vector"),
            "thrust::device_vector");
  EXPECT_EQ(classOf("thrust::device_vector::resize"), "");
  EXPECT_EQ(classOf("cudaMalloc"), "");
  EXPECT_EQ(classOf(""), "");
}

TEST(Temporaries, ConstructorsAndDestructorsOfALineAreMatchedByColumn) {
  trace::Timeline T;
  auto Add = [&T](uint32_t Line, uint32_t Column, const char *Callee) {
    trace::Site S;
    S.Line = Line;
    S.Column = Column;
    S.Callee = Callee;
    T.Sites.push_back(S);
    return uint32_t(T.Sites.size() - 1);
  };
  const uint32_t B = Add(5, 20, "Buffer::Buffer"),
                 A = Add(5, 10, "Buffer::Buffer"),
                 EndA = Add(5, 10, "Buffer::~Buffer"),
                 EndB = Add(5, 20, "Buffer::~Buffer"),
                 Alone = Add(6, 1, "Buffer::Buffer"),
                 Copy = Add(5, 1, "cudaMemcpy");
  EXPECT_EQ(partnerOf(T, A), EndA);
  EXPECT_EQ(partnerOf(T, B), EndB);
  EXPECT_EQ(partnerOf(T, EndA), A);
  EXPECT_EQ(partnerOf(T, Alone), trace::None);
  EXPECT_EQ(partnerOf(T, Copy), trace::None);
  EXPECT_EQ(partnerOf(T, trace::None), trace::None);
}
