// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `autoprof try` prints.
#include "Simulator.h"

#include "analysis/Analysis.h"
#include "report/recording/Experiments.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::report;
using llvm::StringRef;

namespace {

/// Twelve parts of a process, of which the changed ones take so much longer.
void addProcess(Experiment &E, double Change, bool IsOdd) {
  std::vector<int64_t> Times;
  for (unsigned I = 0; I < 12; ++I)
    Times.push_back(int64_t((200'000 + 300 * (I * 7 % 5)) *
                            (isChangedPart(I, IsOdd) ? 1 + Change : 1)));
  E.add(Times, IsOdd);
}

struct Series {
  trace::Timeline T;
  Result R;
  ExperimentSeries S;

  Series() {
    test::Training P;
    P.Steps = 100;
    P.KernelNs = 5'000;
    T = test::simulateTraining(P);
    R = llvm::cantFail(analyse(T));
    S.Command = {"./train", "--steps", "100"};
    S.All = proposeExperiments(T, R);
    S.Time = 7'000'000'000;
    S.Runs = 8;
    S.RecorderFactor = 1.31;
  }

  void measure(Experiment &E, double Change, OutputsAre Output) {
    static const StoppingPlan Plan({{12, 12}, {24, 24}});
    for (unsigned I = 0; I < 4; ++I)
      addProcess(E, Change, I % 2);
    E.judgeParts(Plan);
    E.Output = Output;
    S.Base.push_back(E.Usual.back());
  }

  std::string rendered(StringRef Format) const {
    std::string Text;
    llvm::raw_string_ostream Out(Text);
    report::write(ExperimentsFormats, Format, Out, ExperimentsInput{S, T, R},
                  TextStyle());
    return Text;
  }
};

} // namespace

TEST(Experiments, SayWhatAnotherThreadWaitsFor) {
  Series One;
  EXPECT_EQ(One.rendered("terminal").find("another thread"), std::string::npos);
  const auto Line = uint32_t(One.T.Sites.size());
  One.T.Sites.emplace_back();
  One.T.Sites[Line].File = "loop.py";
  One.T.Sites[Line].Line = 30;
  One.T.Sites[Line].Expression = "float(loss)";
  One.R.Lines.emplace();
  One.R.Lines->Samples = 100;
  One.R.Lines->Sleeping = {{Line, 80, 60}};
  const std::string Text = One.rendered("terminal");
  EXPECT_TRUE(StringRef(Text).contains("Not tried: float(loss) at loop.py:30"))
      << Text;
  EXPECT_TRUE(StringRef(One.rendered("json"))
                  .contains("\"sleeping\": \"float(loss) at loop.py:30\""));
}

TEST(Experiments, SayWhatEachChangeBrings) {
  Series One;
  ASSERT_EQ(One.S.All.size(), 2u);
  One.measure(One.S.All[0], -0.05, OutputsAre::Different);
  One.measure(One.S.All[1], -0.1, OutputsAre::Equal);
  const std::string Text = One.rendered("terminal");
  const StringRef Whole(Text);
  EXPECT_TRUE(Whole.contains(
      "train.cu:88 cudaMemcpy, not read: step 200.5 -> 180.5 us"))
      << Text;
  EXPECT_TRUE(Whole.contains("8 runs in 7.00 s; step ")) << Text;
  EXPECT_TRUE(Whole.contains("recording it makes it 1.31 times")) << Text;
  EXPECT_TRUE(Whole.contains("train.cu:88 cudaMemcpy  late  ")) << Text;
  EXPECT_TRUE(Whole.contains("differs")) << Text;
  EXPECT_TRUE(Whole.contains("equal")) << Text;
  EXPECT_TRUE(Whole.contains("late: the program went on")) << Text;
  for (StringRef Format : {"markdown", "html"})
    EXPECT_TRUE(StringRef(One.rendered(Format)).contains("not read"));
}

TEST(Experiments, SayWhyThereIsNoResult) {
  Series One;
  One.S.All[0].Why = NoResult::Failed;
  One.S.All[0].ExitCode = 3;
  One.S.All[0].Message = "not ready";
  One.S.All[1].Why = NoResult::Unchanged;
  const std::string Text = One.rendered("terminal");
  const StringRef Whole(Text);
  EXPECT_TRUE(Whole.contains("Nothing could be measured.")) << Text;
  EXPECT_TRUE(Whole.contains("failed with exit code 3")) << Text;
  EXPECT_TRUE(Whole.contains("Printed: not ready")) << Text;
  EXPECT_TRUE(Whole.contains("no call there can be changed")) << Text;
}

TEST(Experiments, AChangeThatDoesNothingIsNoGain) {
  Series One;
  for (Experiment &E : One.S.All)
    One.measure(E, 0, OutputsAre::Equal);
  const std::string Text = One.rendered("terminal");
  EXPECT_TRUE(StringRef(Text).contains("No change makes the step shorter"))
      << Text;
  EXPECT_TRUE(StringRef(Text).contains("nothing")) << Text;
}
