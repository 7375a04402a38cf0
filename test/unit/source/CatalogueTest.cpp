// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catalogue/Catalogue.h"
#include "catalogue/HipNames.h"

#include "gtest/gtest.h"

#include <string>
#include <thread>
#include <vector>

using namespace autoprof::catalogue;

namespace {

TEST(Catalogue, FindsEveryCall) {
  for (const Row &R : rows())
    EXPECT_EQ(lookup(R.Name)->Name, R.Name) << R.Name.str();
}

TEST(Catalogue, KeepsTheOrderOfTheFiles) {
  EXPECT_EQ(rows().front().Name, "cudaLaunchKernel");
  EXPECT_EQ(rows().front().Library, "cudart");
  EXPECT_EQ(rows().back().Library, "hip");
}

TEST(Catalogue, KeepsTheRowsOfACallTogether) {
  const Row *Copy = lookup("cudaMemcpy");
  ASSERT_TRUE(Copy && Copy->General);
  llvm::ArrayRef<Row> When = conditional(*Copy);
  ASSERT_FALSE(When.empty());
  for (const Row &R : When) {
    EXPECT_EQ(R.Name, "cudaMemcpy");
    EXPECT_FALSE(R.General);
  }
  EXPECT_TRUE(conditional(*lookup("cudaSetDevice")).empty());
  EXPECT_TRUE(conditional(*lookup(rows().back().Name)).empty());
}

TEST(Catalogue, EverySourceSaysOfWhatKindItIs) {
  for (const Row &R : rows())
    EXPECT_TRUE(R.Source.starts_with("documented: ") ||
                R.Source.starts_with("measured") ||
                R.Source.starts_with("assumed: "))
        << R.Name.str() << ": " << R.Source.str();
}

TEST(Catalogue, KnowsHipByItsCudaName) {
  EXPECT_EQ(cudaName("hipMemcpyAsync"), "cudaMemcpyAsync");
  EXPECT_EQ(cudaName("hipHostMalloc"), "cudaMallocHost");
  EXPECT_EQ(cudaName("hipMemcpyDtoHAsync"), "cuMemcpyDtoHAsync");
  EXPECT_EQ(cudaName("hipCtxSynchronize"), "cuCtxSynchronize");
  EXPECT_EQ(cudaName("hipblasSetPointerMode"), "cublasSetPointerMode");
  // HIP's own, another library's, and the user's.
  EXPECT_EQ(cudaName("hipMemcpyWithStream"), "hipMemcpyWithStream");
  EXPECT_EQ(cudaName("cudaMemcpy"), "cudaMemcpy");
  EXPECT_EQ(cudaName("hippocampus"), "hippocampus");
}

TEST(Catalogue, AdvisesInHipsNames) {
  EXPECT_EQ(inHipNames("cudaMemcpyAsync from pinned memory (cudaMallocHost)"),
            "hipMemcpyAsync from pinned memory (hipHostMalloc)");
  EXPECT_EQ(inHipNames("cublasSetPointerMode(CUBLAS_POINTER_MODE_DEVICE)"),
            "hipblasSetPointerMode(HIPBLAS_POINTER_MODE_DEVICE)");
  EXPECT_EQ(inHipNames("cuStreamWaitEvent; current; cuda; my_cudaMalloc"),
            "hipStreamWaitEvent; current; cuda; my_cudaMalloc");
  EXPECT_EQ(inHipNames(""), "");
}

TEST(Catalogue, NamesEveryLibrary) {
  for (const Row &R : rows())
    EXPECT_NE(libraryTitle(R.Library), R.Library);
}

TEST(Catalogue, FamiliesStandForNamesWithoutARowOfTheirOwn) {
  EXPECT_EQ(lookup("cudaGraphAddKernelNode")->Name, "cudaGraphAdd*");
  EXPECT_EQ(lookup("nvtxRangePushA")->Name, "nvtx*");
  EXPECT_EQ(lookup("nvtx3::scoped_range::scoped_range")->Name, "nvtx3::*");
  EXPECT_EQ(lookup("cub::DeviceReduce::Max")->Name, "cub::DeviceReduce::*");
  EXPECT_EQ(lookup("cub::DeviceReduce::Sum")->Name, "cub::DeviceReduce::Sum");
  // The longest beginning wins.
  EXPECT_EQ(lookup("cudaMemRangeGetAttributes")->Name, "cudaMemRangeGet*");
  // No family is so wide that it would answer for a misspelt call that waits.
  for (const Row &R : rows()) {
    if (!R.General || !mayWait(R.Wait))
      continue;
    std::string Misspelt = R.Name.str();
    Misspelt.pop_back();
    const Row *Found = lookup(Misspelt);
    EXPECT_TRUE(!Found || !Found->Name.ends_with("*"))
        << Misspelt << ' ' << (Found ? Found->Name.str() : "");
  }
}

TEST(Catalogue, IgnoresVersionSuffixes) {
  const Row *Copy = lookup("cudaMemcpy");
  ASSERT_TRUE(Copy);
  for (const char *Name : {"cudaMemcpy_ptds", "cudaMemcpy_v3020",
                           "cudaMemcpy_ptds_v7000", "cudaMemcpy_v2_ptds"})
    EXPECT_EQ(lookup(Name), Copy) << Name;
  EXPECT_EQ(lookup("cublasSdot_v2_64"), lookup("cublasSdot"));
  EXPECT_EQ(lookup("cuMemcpyDtoH_v2"), lookup("cuMemcpyDtoH"));
  // Digits that belong to the name stay.
  EXPECT_EQ(lookup("cuMemsetD8_v2"), lookup("cuMemsetD8"));
  EXPECT_EQ(lookup("cufftMakePlanMany64")->Name, "cufftMakePlanMany64");
}

TEST(Catalogue, UnknownNamesHaveNoRow) {
  for (const char *Name : {"", "_v2", "cudaMemcp", "cudaMemcpyX", "memcpy",
                           "zzz", "cudaMemcpy_v", "cudaMemcpy_vx2"})
    EXPECT_EQ(lookup(Name), nullptr) << Name;
}

TEST(Catalogue, GeneralRowsSayWhatIsKnownWithoutArguments) {
  EXPECT_EQ(lookup("cudaMalloc")->Wait, Waits::Slow);
  EXPECT_EQ(lookup("cudaFree")->Target, WaitsFor::Device);
  EXPECT_EQ(lookup("cudaFreeAsync")->Wait, Waits::No);
  EXPECT_EQ(lookup("cudaMemcpy")->Target, WaitsFor::Stream);
  EXPECT_EQ(lookup("cudaMemsetAsync")->Wait, Waits::No);
  EXPECT_EQ(lookup("cublasDestroy_v2")->Wait, Waits::Yes);
  EXPECT_EQ(lookup("cufftPlan1d")->Target, WaitsFor::Device);
  EXPECT_EQ(lookup("cudaEventSynchronize")->Target, WaitsFor::Event);
}

TEST(Catalogue, LookupIsThreadSafe) {
  std::vector<std::thread> Threads;
  for (int I = 0; I < 4; ++I)
    Threads.emplace_back([] {
      for (const Row &R : rows())
        EXPECT_TRUE(lookup(R.Name));
    });
  for (std::thread &T : Threads)
    T.join();
}

TEST(Catalogue, NamesClasses) {
  EXPECT_EQ(name(CallClass::Launch), "launch");
  EXPECT_EQ(name(CallClass::Copy), "copy");
  EXPECT_EQ(name(CallClass::Set), "set");
  EXPECT_EQ(name(CallClass::Sync), "sync");
  EXPECT_EQ(name(CallClass::Alloc), "alloc");
  EXPECT_EQ(name(CallClass::Free), "free");
  EXPECT_EQ(name(CallClass::Query), "query");
  EXPECT_EQ(name(CallClass::Other), "other");
}

} // namespace
