// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catalogue/Catalogue.h"

#include "gtest/gtest.h"

#include <set>
#include <string>
#include <thread>
#include <vector>

using namespace autoprof::catalogue;

namespace {

TEST(Catalogue, EveryNameStandsOnce) {
  std::set<std::string> Seen;
  for (const Row &R : rows())
    EXPECT_TRUE(Seen.insert(R.Name.str()).second) << R.Name.str();
}

TEST(Catalogue, FindsEveryRow) {
  for (const Row &R : rows())
    EXPECT_EQ(lookup(R.Name), &R) << R.Name.str();
}

TEST(Catalogue, KeepsTheOrderOfTheFiles) {
  EXPECT_EQ(rows().front().Name, "cudaLaunchKernel");
  EXPECT_EQ(rows().front().Library, "cudart");
  EXPECT_EQ(rows().back().Library, "cufft");
}

TEST(Catalogue, RowsAreConsistent) {
  for (const Row &R : rows()) {
    SCOPED_TRACE(R.Name.str());
    EXPECT_EQ(R.Wait == Waits::No, R.Target == WaitsFor::Nothing);
    EXPECT_EQ(R.Wait == Waits::Maybe, !R.Condition.empty());
    EXPECT_EQ(R.Wait == Waits::No, R.Replacement.empty());
    EXPECT_FALSE(R.Source.empty());
    if (R.Class == CallClass::Query)
      EXPECT_EQ(R.Wait, Waits::No);
    if (R.Class == CallClass::Sync)
      EXPECT_EQ(R.Wait, Waits::Yes);
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

TEST(Catalogue, AgreesWithTheMeasurements) {
  EXPECT_EQ(lookup("cudaMalloc")->Wait, Waits::No);
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
        EXPECT_EQ(lookup(R.Name), &R);
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
