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

// By key; filled before the first call comes. Leaked.
static std::unordered_map<uint64_t, const char *> &names() {
  static auto *Names = new std::unordered_map<uint64_t, const char *>;
  return *Names;
}

static uint64_t key(CUpti_CallbackDomain CallDomain, CUpti_CallbackId Id) {
  const Domain Ours = CallDomain == CUPTI_CB_DOMAIN_DRIVER_API
                          ? Domain::Driver
                          : Domain::Runtime;
  return static_cast<uint64_t>(Ours) << 32 | Id;
}

// A function has several numbers, one for each version: ask for all.
CUptiResult watchWaitingCalls(const CuptiLibrary &Library,
                              CUpti_SubscriberHandle Subscriber) {
  std::vector<std::pair<CUpti_CallbackDomain, uint32_t>> Wanted;
  auto Choose = [&](CUpti_CallbackDomain CallDomain, const auto &Calls) {
    forEachFunction(
        Library, CallDomain, [&](uint32_t Id, const std::string &Name) {
          auto Known = std::find(std::begin(Calls), std::end(Calls), Name);
          if (Known == std::end(Calls))
            return;
          names()[key(CallDomain, Id)] = Known->data();
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
  return names().count(key(CallDomain, Id)) > 0;
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
