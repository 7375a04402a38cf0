// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The profile's tables, on schedules whose sums are known by construction.
#include "Simulator.h"

#include "analysis/Analysis.h"
#include "analysis/common/KernelName.h"
#include "analysis/profile/Utilization.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

template <typename Row>
const Row *named(const std::vector<Row> &Rows, llvm::StringRef Name) {
  for (const Row &R : Rows)
    if (R.Name == Name)
      return &R;
  return nullptr;
}

const Device H200{0, "NVIDIA H200", 9, 0, 132, 0, 64, 32, 65536, 233472};

LaunchShape shape(uint32_t Blocks, uint32_t Threads, uint32_t Registers = 32,
                  uint64_t Shared = 0) {
  return {{Blocks, 1, 1}, {Threads, 1, 1}, Registers, Shared};
}

void setShape(Simulator &S, llvm::StringRef Kernel, const LaunchShape &Shape) {
  for (Stage &One : S.B.T.Stages)
    if (S.B.T.Strings[One.Name] == Kernel)
      One.Shape = Shape;
}

Result analysed(Simulator &S, Timeline &T) {
  T = S.finish();
  return llvm::cantFail(analyse(T));
}

} // namespace

TEST(Profile, OperatorsAreSummedAsTorchDoes) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  StringPool &Strings = S.B.T.Strings;
  const uint32_t Linear = Strings.intern("aten::linear"),
                 Mm = Strings.intern("aten::mm"),
                 Small = Strings.intern("[[2, 2]]"),
                 Large = Strings.intern("[[9, 9]]");
  int64_t InCalls[2];
  for (unsigned I = 0; I < 2; ++I) {
    const int64_t Start = S.Now;
    S.work(1'000);
    S.launch(Null, 3'000);
    const int64_t Inner = S.Now;
    S.work(2'000);
    S.launch(Null, 20'000);
    InCalls[I] = S.Now - Inner - 2'000;
    // Of the same name: a part of it.
    S.B.addOperator(0, {Inner + 1'000, S.Now, Mm, Small});
    S.B.addOperator(0, {Inner, S.Now, Mm, I ? Large : Small});
    S.B.T.Threads[0].Memory.push_back({S.Now - 1, 512, /*OnGpu=*/true});
    S.work(500);
    S.B.T.Threads[0].Memory.push_back({S.Now - 1, -64, /*OnGpu=*/false});
    S.B.addOperator(0, {Start, S.Now, Linear});
    S.work(4'000);
  }
  S.launch(Null, 9'000); // In no operator.
  Timeline T;
  const Result R = analysed(S, T);
  ASSERT_EQ(R.Operators.size(), 2u);
  const OperatorRow &Inner = R.Operators[0], &Outer = R.Operators[1];
  EXPECT_EQ(Inner.Name, "aten::mm");
  EXPECT_EQ(Inner.All.Count, 2u);
  EXPECT_EQ(Inner.All.Gpu, 40'000);
  EXPECT_EQ(Inner.All.SelfGpu, 40'000);
  EXPECT_EQ(Inner.All.SelfCpu, 4'000);
  EXPECT_EQ(Inner.All.Cpu, 4'000 + InCalls[0] + InCalls[1]);
  EXPECT_EQ(Inner.All.GpuBytes, 1'024);
  EXPECT_EQ(Inner.All.SelfGpuBytes, 1'024);
  ASSERT_EQ(Inner.ByShapes.size(), 2u);
  for (const auto &[Shapes, Sums] : Inner.ByShapes) {
    EXPECT_EQ(Sums.Count, 1u);
    EXPECT_EQ(Sums.SelfGpu, 20'000);
  }
  EXPECT_EQ(Outer.Name, "aten::linear");
  EXPECT_EQ(Outer.All.Gpu, 46'000);
  EXPECT_EQ(Outer.All.SelfGpu, 6'000);
  EXPECT_EQ(Outer.All.SelfCpu, 3'000);
  EXPECT_EQ(Outer.All.GpuBytes, 1'024);
  EXPECT_EQ(Outer.All.SelfGpuBytes, 0);
  EXPECT_EQ(Outer.All.SelfCpuBytes, -128);
  EXPECT_TRUE(hasTensorMemory(T));
}

TEST(Profile, SumsKernelsByName) {
  Simulator S;
  Timeline T;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  for (int64_t Ns : {30'000, 10'000, 20'000})
    S.launch(Null, Ns, "a");
  S.launch(Null, 7'000, "b");
  Result R = analysed(S, T);
  ASSERT_EQ(R.Kernels.size(), 2u);
  EXPECT_EQ(R.Kernels[0].Name, "a");
  EXPECT_EQ(R.Kernels[0].Count, 3u);
  EXPECT_EQ(R.Kernels[0].Total, 60'000);
  EXPECT_EQ(R.Kernels[0].mean(), 20'000);
  EXPECT_EQ(R.Kernels[0].Min, 10'000);
  EXPECT_EQ(R.Kernels[0].Max, 30'000);
  // How they were launched is not known.
  EXPECT_FALSE(R.Kernels[0].SmEfficiency);
  EXPECT_FALSE(R.Used.SmEfficiency);
}

TEST(Profile, CountsTheStepsApart) {
  test::Training P; // 20 steps, the first two not counted.
  Timeline T = test::simulateTraining(P);
  Result R = llvm::cantFail(analyse(T));
  const KernelRow *K = named(R.Kernels, "forward(float const*, int)");
  ASSERT_TRUE(K);
  EXPECT_EQ(K->Count, 400u);
  EXPECT_EQ(K->StepCount, 360u);
  EXPECT_LT(K->StepTotal, K->Total);
}

TEST(Profile, SumsCallsWithAndWithoutNestedOnes) {
  Simulator S;
  Timeline T;
  uint32_t Name = S.B.T.Strings.intern("outer"),
           Inner = S.B.T.Strings.intern("inner");
  S.B.addHost(HostKind::Api, 0, 0, 100, Name);
  S.B.addHost(HostKind::Driver, 0, 10, 40, Inner);
  S.B.addHost(HostKind::Driver, 0, 50, 60, Inner);
  S.B.addHost(HostKind::Api, 0, 200, 205, Name);
  S.B.addThread(1001, "other");
  S.B.addHost(HostKind::Api, 1, 20, 30, Inner); // Not nested in anything.
  Result R = analysed(S, T);
  const CallRow *Outer = named(R.Calls, "outer"), *In = named(R.Calls, "inner");
  ASSERT_TRUE(Outer && In);
  EXPECT_EQ(Outer->Count, 2u);
  EXPECT_EQ(Outer->Total, 105);
  EXPECT_EQ(Outer->Self, 65);
  EXPECT_EQ(In->Total, 50);
  EXPECT_EQ(In->Self, 50);
}

TEST(Profile, GivesRangesTheGpuWorkLaunchedInside) {
  Simulator S;
  Timeline T;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  uint32_t Main = S.site(1, "function", 1, "", "a.cu", "main");
  uint32_t Step = S.site(2, "function", 5, "", "a.cu", "step");
  S.enter(HostKind::Range, Main);
  S.launch(Null, 1'000);
  for (int I = 0; I < 2; ++I) {
    S.enter(HostKind::Range, Step);
    S.launch(Null, 50'000); // Runs on long after the range has ended.
    S.enter(HostKind::Range, Step);
    S.launch(Null, 20'000);
    S.leave();
    S.leave();
  }
  S.leave();
  Result R = analysed(S, T);
  const RangeRow *M = named(R.Ranges, "main"), *F = named(R.Ranges, "step");
  ASSERT_TRUE(M && F);
  EXPECT_EQ(M->Gpu, 141'000);
  EXPECT_EQ(M->GpuSelf, 1'000);
  EXPECT_EQ(F->Count, 4u);
  // The inner run of the recursion is part of the outer one.
  EXPECT_EQ(F->Gpu, 140'000);
  EXPECT_EQ(F->GpuSelf, 140'000);
  EXPECT_EQ(F->Total, F->Self);
  EXPECT_EQ(M->Total, M->Self + F->Total);
}

TEST(Profile, SumsMemoryOperationsByKind) {
  Simulator S;
  Timeline T;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  S.readBack(Null, 2'000);
  S.readBack(Null, 4'000);
  S.readBackAsync(Null);
  S.launch(Null, 1'000);
  Result R = analysed(S, T);
  ASSERT_EQ(R.Memory.size(), 2u);
  EXPECT_EQ(R.Memory[0].Dir, Direction::DtoH);
  EXPECT_EQ(R.Memory[0].Destination, MemoryKind::Pageable);
  EXPECT_EQ(R.Memory[0].Count, 2u);
  EXPECT_EQ(R.Memory[0].Bytes, 8u);
  EXPECT_EQ(R.Memory[0].Total, 6'000);
  EXPECT_DOUBLE_EQ(*R.Memory[0].rate(), 8e9 / 6'000);
  EXPECT_EQ(R.Memory[1].Destination, MemoryKind::Pinned);
  EXPECT_FALSE(MemoryRow().rate());
}

TEST(Profile, BreakdownSumsUpToTheBusyTime) {
  for (int64_t Kernel : {500, 5'000, 50'000})
    for (bool Print : {true, false}) {
      test::Training P;
      P.KernelNs = Kernel;
      P.Print = Print;
      Timeline T = test::simulateTraining(P);
      Result R = llvm::cantFail(analyse(T));
      EXPECT_EQ(R.Used.Time, R.InSteps->Span);
      EXPECT_EQ(R.Used.busy(), R.InSteps->Busy);
      EXPECT_EQ(R.Used.part(Work::Compute), R.Used.Kernels);
      EXPECT_GT(R.Used.part(Work::Copy), 0);
    }
}

TEST(Profile, EachInstantCountsForTheWorkThatComesFirst) {
  Simulator S;
  S.B.T.Devices.push_back(H200);
  Timeline T;
  uint32_t A = S.stream(7, StreamFlag::NonBlocking),
           B = S.stream(8, StreamFlag::NonBlocking),
           C = S.stream(9, StreamFlag::NonBlocking);
  // At 4, 6.5 and 9 us: 100 us of a kernel, 40 us of NCCL, 200 us of a copy.
  S.launch(A, 100'000, "a");
  S.launch(B, 40'000, "ncclDevKernel_AllReduce");
  S.readBack(C, 200'000);
  // Half of the multiprocessors, and more than all of them together.
  setShape(S, "a", shape(66, 256));
  setShape(S, "ncclDevKernel_AllReduce", shape(99, 512));
  Result R = analysed(S, T);
  EXPECT_EQ(R.Used.Time, 205'000);
  EXPECT_EQ(R.Used.part(Work::Compute), 100'000);
  EXPECT_EQ(R.Used.part(Work::Communication), 0);
  EXPECT_EQ(R.Used.part(Work::Copy), 105'000);
  EXPECT_EQ(R.Used.Kernels, 100'000);
  ASSERT_TRUE(R.Used.SmEfficiency);
  EXPECT_NEAR(*R.Used.SmEfficiency, (60'000 * 0.5 + 40'000) / 205'000, 1e-9);
}

TEST(Profile, CommunicationAloneIsCommunication) {
  Simulator S;
  Timeline T;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  S.launch(Null, 40'000, "ncclDevKernel_AllReduce_Sum_f32_RING_LL");
  S.launch(Null, 10'000, "a");
  Result R = analysed(S, T);
  EXPECT_EQ(R.Used.part(Work::Communication), 40'000);
  EXPECT_EQ(R.Used.part(Work::Compute), 10'000);
}

TEST(Profile, SmEfficiencyIsOfTheBlocks) {
  auto Of = [](const LaunchShape &Shape, const Device &On) {
    Stage S;
    S.Kind = trace::OpKind::Kernel;
    S.Shape = Shape;
    return smEfficiency(S, On);
  };
  EXPECT_DOUBLE_EQ(*Of(shape(33, 256), H200), 0.25);
  EXPECT_DOUBLE_EQ(*Of(shape(264, 256), H200), 1);
  EXPECT_FALSE(Of({}, H200));
  EXPECT_FALSE(Of(shape(10, 32), Device()));
}

TEST(KernelName, IsShortForPeople) {
  EXPECT_EQ(shortName("bias_backward(float const*, float*, int, int)"),
            "bias_backward");
  EXPECT_EQ(shortName("void at::native::add_kernel<4, at::native::Functor<"
                      "float>, std::array<char*, 3ul> >(int, float*)"),
            "at::native::add_kernel<4, Functor<float>, array<char*, 3ul>>");
  EXPECT_EQ(shortName("void (anonymous namespace)::k<(bool)1>(int)"),
            "k<(bool)1>");
  EXPECT_EQ(shortName("sm80_xmma_gemm"), "sm80_xmma_gemm");
  EXPECT_EQ(shortName("a::b::c(std::function<void (int)>)"), "a::b::c");
  EXPECT_EQ(shortName("averylongname", 10), "averylo...");
  EXPECT_EQ(shortName(""), "");
  EXPECT_EQ(shortName(">)("), ">)(");
}

TEST(Profile, UtilizationOverTime) {
  test::Costs C;
  C.Pause = 0;
  Simulator S(C);
  S.B.T.Devices = {H200};
  uint32_t Null = S.stream(7, StreamFlag::Null);
  S.launch(Null, 30'000); // From 4 us to 34 us.
  S.launch(Null, 10'000);
  for (Stage &One : S.B.T.Stages)
    One.Shape = shape(66, 128); // Half of the multiprocessors.
  const Timeline T = S.finish();
  const auto Curves = findUtilizationCurves(T, {0, 50'000}, 20'000);
  ASSERT_EQ(Curves.size(), 1u);
  EXPECT_EQ(Curves[0].Device, 0u);
  ASSERT_EQ(Curves[0].Kernels.size(), 3u);
  const double Expected[] = {0.8, 1, 0.2};
  for (size_t I = 0; I < 3; ++I) {
    EXPECT_NEAR(Curves[0].Kernels[I], Expected[I], 1e-9) << I;
    EXPECT_NEAR(Curves[0].Sms[I], Expected[I] / 2, 1e-9) << I;
  }
}
