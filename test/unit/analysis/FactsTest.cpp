// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Simulator.h"

#include "analysis/Analysis.h"
#include "analysis/comparison/Facts.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;

namespace {

/// Steps that launch work and synchronize.
RunSummary steps(int64_t KernelNs = 50'000,
                 llvm::StringRef Command = "./train") {
  test::Simulator S;
  const uint32_t Stream = S.stream(7, trace::StreamFlag::Blocking),
                 Loop = S.site(1, "loop", 12, "for"),
                 Wait = S.site(2, "sync", 20, "cudaStreamSynchronize");
  for (unsigned I = 0; I < 40; ++I) {
    S.enter(trace::HostKind::Range, Loop);
    S.launch(Stream, KernelNs, "forward");
    S.enter(trace::HostKind::Site, Wait);
    S.synchronizeStream(Stream);
    S.leave();
    S.leave();
  }
  const trace::Timeline T = S.finish(Command);
  return summarise("t", T, llvm::cantFail(analyse(T)));
}

std::vector<FactKind> kinds(const Difference &D) {
  std::vector<FactKind> Result;
  for (const Fact &F : findFacts(D))
    Result.push_back(F.Kind);
  return Result;
}

using Kinds = std::vector<FactKind>;

} // namespace

TEST(Facts, ALongerWaitIsNoFact) {
  EXPECT_EQ(kinds(analysis::compare({steps()}, {steps(90'000)})), Kinds{});
}

TEST(Facts, HowTheProgramsWereStarted) {
  const Difference D = analysis::compare(
      {steps(50'000, "./train --width 128 --loss print --steps 9")},
      {steps(50'000, "./train --width 128 --loss deferred --steps 9")});
  ASSERT_EQ(kinds(D), Kinds{FactKind::CommandLine});
  EXPECT_EQ(findFacts(D)[0].BaseText, "--loss print");
  EXPECT_EQ(findFacts(D)[0].NewText, "--loss deferred");
  auto Texts = [](llvm::StringRef A, llvm::StringRef B) {
    const Fact F =
        findFacts(analysis::compare({steps(50'000, A)}, {steps(50'000, B)}))[0];
    return F.BaseText + "|" + F.NewText;
  };
  EXPECT_EQ(Texts("./a -x", "./b -x"), "./a|./b");
  EXPECT_EQ(Texts("./a", "./a -x"), "|-x");
  EXPECT_EQ(Texts("./a -x -x", "./a -x"), "-x -x|-x");
}
