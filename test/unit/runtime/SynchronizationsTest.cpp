// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cupti/Synchronizations.h"

#include <gtest/gtest.h>
#include <set>

using namespace autoprof::runtime;

namespace {

constexpr auto Runtime = CUPTI_CB_DOMAIN_RUNTIME_API,
               Driver = CUPTI_CB_DOMAIN_DRIVER_API;

std::set<std::pair<int, uint32_t>> Enabled;

// Streams have their handle as the number; the thread's own default stream: 99.
CuptiLibrary library() {
  CuptiLibrary Library;
  Library.cuptiGetCallbackName = [](CUpti_CallbackDomain Domain, uint32_t Id,
                                    const char **Name) {
    static const char *const OfRuntime[] = {
        "INVALID", "cudaStreamSynchronize_v3020", "cudaEventQuery_v3020",
        "cudaStreamSynchronize_ptsz_v7000", "cudaDeviceSynchronize_v3020"};
    static const char *const OfDriver[] = {"INVALID", "cuStreamSynchronize",
                                           "cuStreamWaitEvent_ptsz",
                                           "cuEventSynchronize", "cuInit"};
    if (Id > 4)
      return CUPTI_ERROR_INVALID_PARAMETER;
    *Name = (Domain == Runtime ? OfRuntime : OfDriver)[Id];
    return CUPTI_SUCCESS;
  };
  Library.cuptiEnableCallback = [](uint32_t On, CUpti_SubscriberHandle,
                                   CUpti_CallbackDomain Domain, uint32_t Id) {
    if (On)
      Enabled.insert({Domain, Id});
    else
      Enabled.erase({Domain, Id});
    return CUPTI_SUCCESS;
  };
  Library.cuptiGetStreamIdEx = [](CUcontext, CUstream Stream, uint8_t PerThread,
                                  uint32_t *Id) {
    *Id = !Stream && PerThread
              ? 99
              : static_cast<uint32_t>(reinterpret_cast<uintptr_t>(Stream));
    return CUPTI_SUCCESS;
  };
  return Library;
}

class Synchronizations : public testing::Test {
protected:
  const CuptiLibrary Library = library();

  void SetUp() override {
    findSynchronizations(Library);
    watch(true);
  }
  void watch(bool Watch) { watchSynchronizations(Library, nullptr, Watch); }
  void callback(CUpti_CallbackDomain Domain, uint32_t Id, bool Begins,
                uintptr_t Stream, uint32_t Correlation = 5) {
    CUpti_CallbackData Call = {};
    Call.callbackSite = Begins ? CUPTI_API_ENTER : CUPTI_API_EXIT;
    Call.functionParams = &Stream;
    Call.context = reinterpret_cast<CUcontext>(8);
    Call.contextUid = 3;
    Call.correlationId = Correlation;
    onSynchronization(Library, Domain, Id, Call);
  }
  // As the trace has it; "": nothing, or more than one.
  std::string recorded(CUpti_CallbackDomain Domain, uint32_t Id,
                       uintptr_t Stream) {
    callback(Domain, Id, true, Stream);
    callback(Domain, Id, false, Stream);
    return taken();
  }
  static std::string taken() {
    const std::vector<Synchronization> All = takeSynchronizations();
    if (All.size() != 1)
      return "";
    const Synchronization &S = All.front();
    EXPECT_LE(S.Begin, S.End);
    EXPECT_EQ(S.Context, 3u);
    return "type " + std::to_string(S.Type) + " stream " +
           (S.Stream == ~0u ? "none" : std::to_string(S.Stream)) + " call " +
           std::to_string(S.Correlation);
  }
};

} // namespace

TEST_F(Synchronizations, AreTheCallsThatCuptiHasRecordsOf) {
  const std::set<std::pair<int, uint32_t>> All = {{Runtime, 1}, {Runtime, 3},
                                                  {Runtime, 4}, {Driver, 1},
                                                  {Driver, 2},  {Driver, 3}};
  EXPECT_EQ(Enabled, All);
  EXPECT_TRUE(isSynchronization(Runtime, 1));
  EXPECT_FALSE(isSynchronization(Runtime, 2)); // It does not wait.
  EXPECT_FALSE(isSynchronization(Driver, 5000));
  watch(false);
  EXPECT_TRUE(Enabled.empty());
}

TEST_F(Synchronizations, HaveTheStream) {
  EXPECT_EQ(recorded(Runtime, 1, 17), "type 3 stream 17 call 5");
  EXPECT_EQ(recorded(Runtime, 1, 0), "type 3 stream 0 call 5");
  EXPECT_EQ(recorded(Runtime, 3, 0), "type 3 stream 99 call 5");
  EXPECT_EQ(recorded(Runtime, 3, 1), "type 3 stream 0 call 5"); // Legacy.
  EXPECT_EQ(recorded(Driver, 1, 2), "type 3 stream 99 call 5"); // Per thread.
  EXPECT_EQ(recorded(Driver, 2, 17), "type 2 stream 17 call 5");
  EXPECT_EQ(recorded(Driver, 3, 17), "type 1 stream none call 5");
  EXPECT_EQ(recorded(Runtime, 4, 17), "type 4 stream none call 5");
}

TEST_F(Synchronizations, OfNestedCallsTheOutermostIsRecorded) {
  callback(Runtime, 1, true, 17, 5);
  callback(Driver, 1, true, 17, 6);
  callback(Driver, 1, false, 17, 6);
  callback(Runtime, 1, false, 17, 5);
  EXPECT_EQ(taken(), "type 3 stream 17 call 5");
}

TEST_F(Synchronizations, OpenCallsAreForgottenWhenCallbacksAreSwitched) {
  callback(Runtime, 1, true, 17);
  watch(false);
  watch(true);
  callback(Runtime, 1, false, 17); // Its beginning does not count.
  EXPECT_EQ(taken(), "");
  EXPECT_EQ(recorded(Runtime, 1, 18), "type 3 stream 18 call 5");
}
