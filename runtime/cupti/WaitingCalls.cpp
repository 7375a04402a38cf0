// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cupti/WaitingCalls.h"

#include "runtime/probes/Probes.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_map>

namespace autoprof::runtime {

static constexpr std::string_view RuntimeCalls[] = {
#define AUTOPROF_RUNTIME_CALL(Name) #Name,
#define AUTOPROF_DRIVER_CALL(Name)
#include "runtime/cupti/WaitingCalls.def"
#undef AUTOPROF_RUNTIME_CALL
#undef AUTOPROF_DRIVER_CALL
};
static constexpr std::string_view DriverCalls[] = {
#define AUTOPROF_RUNTIME_CALL(Name)
#define AUTOPROF_DRIVER_CALL(Name) #Name,
#include "runtime/cupti/WaitingCalls.def"
#undef AUTOPROF_RUNTIME_CALL
#undef AUTOPROF_DRIVER_CALL
};

// Function names by key; filled before the first callback. Leaked.
static std::unordered_map<uint64_t, const char *> &names() {
  static auto *Names = new std::unordered_map<uint64_t, const char *>;
  return *Names;
}

namespace {
enum CallKind : uint8_t { Waits = 1, Works = 2 };
} // namespace

// Indexed by CUPTI's function numbers, which are below this (under 600 in CUDA
// 13): looking into a map at each launch would be half of the callback's cost.
// Written before the first callback.
static constexpr size_t MostFunctions = 2048;
static uint8_t KindsOfRuntime[MostFunctions], KindsOfDriver[MostFunctions];

static uint8_t *kindsOf(CUpti_CallbackDomain CallDomain) {
  return CallDomain == CUPTI_CB_DOMAIN_DRIVER_API ? KindsOfDriver
                                                  : KindsOfRuntime;
}

static bool hasKind(CUpti_CallbackDomain CallDomain, CUpti_CallbackId Id,
                    CallKind Kind) {
  return Id < MostFunctions && (kindsOf(CallDomain)[Id] & Kind);
}

static uint64_t key(CUpti_CallbackDomain CallDomain, CUpti_CallbackId Id) {
  const Domain Ours = CallDomain == CUPTI_CB_DOMAIN_DRIVER_API
                          ? Domain::Driver
                          : Domain::Runtime;
  return static_cast<uint64_t>(Ours) << 32 | Id;
}

// A function has a number for each of its versions: enable all of them.
CUptiResult watchWaitingCalls(const CuptiLibrary &Library,
                              CUpti_SubscriberHandle Subscriber) {
  std::vector<std::pair<CUpti_CallbackDomain, uint32_t>> Wanted;
  auto Choose = [&](CUpti_CallbackDomain CallDomain, const auto &Calls) {
    forEachFunction(
        Library, CallDomain, [&](uint32_t Id, const std::string &Name) {
          auto Known = std::find(std::begin(Calls), std::end(Calls), Name);
          if (Known == std::end(Calls))
            return;
          if (Id >= MostFunctions)
            return;
          names()[key(CallDomain, Id)] = Known->data();
          kindsOf(CallDomain)[Id] |= Waits;
          Wanted.emplace_back(CallDomain, Id);
        });
  };
  Choose(CUPTI_CB_DOMAIN_RUNTIME_API, RuntimeCalls);
  Choose(CUPTI_CB_DOMAIN_DRIVER_API, DriverCalls);
  CUptiResult Worst = CUPTI_SUCCESS;
  for (auto [CallDomain, Id] : Wanted) {
    CUptiResult Result =
        Library.cuptiEnableCallback(1, Subscriber, CallDomain, Id);
    if (Result != CUPTI_SUCCESS)
      Worst = Result;
  }
  return Worst;
}

bool isWaitingCall(CUpti_CallbackDomain CallDomain, CUpti_CallbackId Id) {
  return hasKind(CallDomain, Id, Waits);
}

void findWorkCalls(const CuptiLibrary &Library) {
  static constexpr std::string_view Prefixes[] = {
      "cudaLaunch", "cudaGraphLaunch", "cudaMemcpy", "cudaMemset",
      "cuLaunch",   "cuGraphLaunch",   "cuMemcpy",   "cuMemset"};
  for (CUpti_CallbackDomain CallDomain :
       {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_DRIVER_API})
    forEachFunction(Library, CallDomain,
                    [&](uint32_t Id, const std::string &Name) {
                      for (std::string_view Prefix : Prefixes)
                        if (Id < MostFunctions && Name.rfind(Prefix, 0) == 0)
                          kindsOf(CallDomain)[Id] |= Works;
                    });
}

void watchWorkCalls(const CuptiLibrary &Library,
                    CUpti_SubscriberHandle Subscriber, bool Watch) {
  for (CUpti_CallbackDomain CallDomain :
       {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_DRIVER_API})
    for (uint32_t Id = 0; Id < MostFunctions; ++Id)
      if (kindsOf(CallDomain)[Id] == Works)
        Library.cuptiEnableCallback(Watch, Subscriber, CallDomain, Id);
}

bool isWorkCall(CUpti_CallbackDomain CallDomain, CUpti_CallbackId Id) {
  return hasKind(CallDomain, Id, Works);
}

void onWaitingCall(CUpti_CallbackDomain CallDomain, CUpti_CallbackId Id,
                   const CUpti_CallbackData &Call) {
  if (Call.callbackSite == CUPTI_API_ENTER)
    *Call.correlationData = beginCall();
  else
    endCall(key(CallDomain, Id), *Call.correlationData);
}

const char *waitingCallName(uint64_t Function) {
  auto Known = names().find(Function);
  return Known == names().end() ? "unknown function" : Known->second;
}

} // namespace autoprof::runtime
