// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is tried, which parts of a run are timed, and what is claimed of them.
#include "Simulator.h"

#include "analysis/Analysis.h"
#include "analysis/comparison/Experiments.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using llvm::StringRef;

namespace {

/// Of processes that differ by 20 %, with parts that differ by 3 %, and of
/// which every fourth, the second one first, is longer by `Periodic`.
Experiment tried(double Change, unsigned Seed, double Periodic = 0) {
  std::mt19937 Random(Seed);
  std::normal_distribution<> Process(0, 0.2), Part(0, 0.03);
  constexpr unsigned Parts = 16, Processes = 8;
  std::vector<Look> Looks;
  for (size_t I = 2; I <= Processes; I += 2)
    Looks.push_back({I * Parts / 2, I * Parts / 2});
  static const StoppingPlan Plan(Looks);
  Experiment E;
  for (unsigned I = 0; I < Processes; ++I) {
    const double Step = 200'000 * std::exp(Process(Random));
    std::vector<int64_t> Times;
    for (unsigned P = 0; P < Parts; ++P)
      Times.push_back(int64_t(Step * std::exp(Part(Random)) *
                              (isChangedPart(P, I % 2) ? 1 + Change : 1) *
                              (P % 4 == 1 ? 1 + Periodic : 1)));
    E.add(Times, I % 2);
    E.judgeParts(Plan);
    if (E.Judged && (E.Judged->Differs || E.Judged->ShowsNone))
      break;
  }
  return E;
}

} // namespace

TEST(Experiments, AReadBackIsTriedLateAndNotAtAll) {
  test::Training P;
  P.Steps = 100;
  P.KernelNs = 5'000;
  const Timeline T = test::simulateTraining(P);
  const Result R = llvm::cantFail(analyse(T));
  const std::vector<Experiment> All = proposeExperiments(T, R);
  ASSERT_EQ(All.size(), 2u);
  EXPECT_EQ(All[0].How, Switched::Late);
  EXPECT_EQ(All[1].How, Switched::NotRead);
  ASSERT_EQ(All[0].Rows.size(), 1u);
  const std::string Site =
      llvm::utohexstr(T.Sites[R.Sites[All[0].Rows[0]].Site].Id, true);
  EXPECT_EQ(All[0].Where, "site " + Site);
  EXPECT_EQ(All[0].Late, 1u);
  EXPECT_EQ(All[1].Where, All[0].Where);
  EXPECT_EQ(All[1].Late, 0u);
  ASSERT_TRUE(All[0].Predicted);
  EXPECT_GT(All[0].Predicted->High, 0);
}

TEST(Experiments, AWaitForTheDeviceIsNarrowedIfThereAreOtherStreams) {
  for (const unsigned Streams : {1u, 2u}) {
    test::Simulator S;
    const uint32_t Null = S.stream(7, StreamFlag::Null),
                   Other = S.stream(8, StreamFlag::NonBlocking);
    for (unsigned Step = 0; Step < 100; ++Step) {
      S.launch(Streams > 1 ? Other : Null, 20'000);
      S.launch(Null, 5'000);
      S.synchronizeDevice();
    }
    Timeline T = S.finish();
    Site Place;
    Place.Id = 0xabc;
    Place.File = "main.cu";
    Place.Callee = "cudaDeviceSynchronize";
    T.Sites.push_back(std::move(Place));
    for (uint32_t I = 0; I < T.Host.size(); ++I)
      if (T.Strings[T.Host.Name[I]] == "cudaDeviceSynchronize")
        T.Host.Site[I] = uint32_t(T.Sites.size() - 1);
    const Result R = llvm::cantFail(analyse(T));
    unsigned Narrowed = 0;
    for (const Experiment &E : proposeExperiments(T, R))
      Narrowed += E.How == Switched::Narrowed;
    EXPECT_EQ(Narrowed, Streams - 1) << Streams;
  }
}

TEST(Experiments, CallsOfOnePythonLineAreOnePlace) {
  test::Simulator S;
  const uint32_t Null = S.stream(7, StreamFlag::Null);
  uint32_t Sites[3];
  for (uint32_t &One : Sites) {
    One = uint32_t(S.B.T.Sites.size());
    Site Place;
    const bool IsPython = &One != &Sites[2];
    Place.File = IsPython ? "loop.py" : "main.cu";
    Place.Line = IsPython ? 13 : 14;
    Place.Callee = &One == &Sites[0] ? "cudaMemcpy" : "cudaDeviceSynchronize";
    if (IsPython)
      Place.PlaceFrames = "/home/me/loop.py:13";
    S.B.T.Sites.push_back(std::move(Place));
  }
  for (unsigned Step = 0; Step < 100; ++Step) {
    for (unsigned K = 0; K < 10; ++K)
      S.launch(Null, 5'000);
    for (unsigned I = 0; I < 3; ++I) {
      I ? S.synchronizeDevice() : S.readBack(Null);
      S.launch(Null, 5'000);
    }
  }
  Timeline T = S.finish();
  // As recorded stacks name them.
  unsigned Waits = 0;
  for (uint32_t I = 0; I < T.Host.size(); ++I)
    if (StringRef Name = T.Strings[T.Host.Name[I]];
        Name == "cudaMemcpy" || Name == "cudaDeviceSynchronize")
      T.Host.Site[I] = Sites[Waits++ % 3];
  const Result R = llvm::cantFail(analyse(T));
  unsigned Lines = 0, WithoutPlace = 0;
  for (const Experiment &E : proposeExperiments(T, R)) {
    Lines += E.Where == "frame /home/me/loop.py:13" && E.Late == 1 &&
             E.Rows.size() == 2;
    WithoutPlace += E.Why == NoResult::NoPlace;
  }
  EXPECT_EQ(Lines, 1u);
  EXPECT_EQ(WithoutPlace, 1u);
}

TEST(Experiments, PartsAreCountedInLaunches) {
  test::Training P;
  P.Steps = 100;
  P.Kernels = 20;
  const Timeline T = test::simulateTraining(P);
  const Result R = llvm::cantFail(analyse(T));
  const std::vector<LaunchPart> Parts = timedParts(T, R.Steps);
  ASSERT_EQ(Parts.size() % 4, 0u);
  ASSERT_GE(Parts.size(), 8u);
  for (size_t I = 0; I < Parts.size(); ++I) {
    EXPECT_EQ(Parts[I].To - Parts[I].From, 20 * Parts[I].Steps);
    if (I)
      EXPECT_EQ(Parts[I].From - Parts[I - 1].To, 2 * 20u);
  }
  EXPECT_GE(Parts.front().From, 20 * 10u);
  EXPECT_LE(Parts.back().To, 20 * 100u);

  P.Steps = 30;
  const Timeline Short = test::simulateTraining(P);
  EXPECT_TRUE(timedParts(Short, llvm::cantFail(analyse(Short)).Steps).empty());
}

TEST(Experiments, AChangeIsMeasuredAcrossUnlikeProcesses) {
  unsigned Found = 0, Inside = 0;
  constexpr unsigned Times = 100;
  for (unsigned Seed = 0; Seed < Times; ++Seed) {
    const Experiment E = tried(-0.05, Seed);
    ASSERT_TRUE(E.Judged);
    Found += E.gains(0.03);
    Inside += E.Judged->Range && E.Judged->Range->Low <= -0.05 &&
              E.Judged->Range->High >= -0.05;
    const std::optional<Interval> Saved = E.saved();
    ASSERT_TRUE(Saved);
    EXPECT_LE(Saved->Low, Saved->High);
  }
  EXPECT_GE(Found, 95u);
  EXPECT_GE(Inside, 90u);
}

TEST(Experiments, NothingIsClaimedOfAChangeThatDoesNothing) {
  unsigned Claimed = 0;
  for (unsigned Seed = 0; Seed < 300; ++Seed)
    Claimed += tried(0, 1'000 + Seed).Judged->Differs;
  EXPECT_LE(Claimed, 6u); // One in a hundred is allowed for.
}

TEST(Experiments, WhatDependsOnThePlaceInTheRunIsNoChange) {
  unsigned Claimed = 0;
  for (unsigned Seed = 0; Seed < 100; ++Seed)
    Claimed += tried(0, 2'000 + Seed, 0.2).Judged->Differs;
  EXPECT_LE(Claimed, 3u);
}
