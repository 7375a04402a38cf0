// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What only nvcc can compile: Thrust, CUB, copies of device variables, kernels
// that print. The bodies are in compiled/; the rows here describe what each one
// measures. To add one, write it there and add its row here.
#include "calibrate/Bench.h"
#include "calibrate/CaseFiles.h"
#include "calibrate/compiled/Timer.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <map>

using namespace autoprof::calibrate;
using namespace autoprof::catalogue;
using namespace autoprof::catalogue::values;

namespace {

/// Null, and a failure, if there is no such function.
CompiledCase load(const Bench &B, const std::string &Source,
                  const std::string &Function) {
  static std::map<std::string, void *> Opened;
  auto [It, New] = Opened.try_emplace(Source, nullptr);
  if (New)
    It->second =
        dlopen((B.CompiledFolder + "/" + Source + ".so").c_str(), RTLD_NOW);
  void *Found = It->second ? dlsym(It->second, ("autoprof_" + Function).c_str())
                           : nullptr;
  if (!Found) {
    const char *Reason = dlerror();
    fail("cannot use what nvcc made of " + Source +
         ".cu: " + (Reason ? Reason : "it could not be opened before"));
  }
  return reinterpret_cast<CompiledCase>(Found);
}

void run(Bench &B, const std::string &Source, const std::string &Function) {
  CompiledCase Body = load(B, Source, Function);
  if (!Body)
    return;
  // An error that another case caused would be attributed to Thrust.
  CALL(cudaGetLastError)();
  clearFailure();
  Timer T = {B.OwnStream, &B,
             [](void *Bench, void (*Call)(void *), void *Argument) {
               static_cast<autoprof::calibrate::Bench *>(Bench)->time(
                   [&] { Call(Argument); });
             },
             [](void *, const char *Reason) { fail(Reason); }};
  Body(T);
}

void add(Cases &C, const char *Source, std::string Function, const char *Call,
         std::string Arguments, Facts Known) {
  Case &New = C.add(Call, std::move(Arguments), Known,
                    [Source = std::string(Source), Function](Bench &B) {
                      run(B, Source, Function);
                    });
  New.Compiled = Source;
  New.Function = std::move(Function);
}

/// One for each kind of policy; `Arguments` follows it.
void addPolicies(Cases &C, const char *Source, const std::string &Function,
                 const char *Call, const std::string &Arguments = "",
                 Facts Known = Facts()) {
  constexpr struct {
    const char *Suffix, *Words;
    values::Flag Policy;
  } Policies[] = {{"_default", "the default policy", SyncPolicy},
                  {"_on", "par.on(stream)", SyncPolicy},
                  {"_nosync", "par_nosync.on(stream)", NoSyncPolicy}};
  for (const auto &P : Policies)
    add(C, Source, Function + P.Suffix, Call, P.Words + Arguments,
        Known & flag(P.Policy));
}

void addThrust(Cases &C) {
  constexpr char Plain[] = "plain", Results[] = "results", Orders[] = "orders";
  addPolicies(C, Plain, "transform", "thrust::transform");
  addPolicies(C, Plain, "fill", "thrust::fill");
  addPolicies(C, Plain, "for_each", "thrust::for_each");
  addPolicies(C, Plain, "copy_within", "thrust::copy", ", within the device",
              direction(DtoD));
  add(C, Plain, "copy_to_host", "thrust::copy",
      "the default policy, to the host", direction(DtoH) & flag(SyncPolicy));
  add(C, Plain, "copy_to_device", "thrust::copy",
      "the default policy, to the device", direction(HtoD) & flag(SyncPolicy));
  constexpr char Element[] = "thrust::device_vector::operator[]";
  add(C, Plain, "element_read", Element, "an element is read", flag(Reads));
  add(C, Plain, "element_write", Element, "an element is written",
      flag(Writes));
  add(C, Plain, "constructor", "thrust::device_vector::device_vector",
      "65,536 ints", flag(Filled));
  add(C, Plain, "destructor", "thrust::device_vector::~device_vector",
      "65,536 ints", flag(Filled));
  for (const char *Name :
       {"reduce", "count", "find", "min_element", "inner_product", "unique"})
    addPolicies(C, Results, Name, (std::string("thrust::") + Name).c_str());
  for (const char *Name : {"sort", "inclusive_scan", "exclusive_scan"})
    addPolicies(C, Orders, Name, (std::string("thrust::") + Name).c_str());
}

void addCub(Cases &C) {
  constexpr char Cub[] = "cub", Arguments[] = "65,536 ints";
  add(C, Cub, "cub_sum", "cub::DeviceReduce::Sum", Arguments, Facts());
  add(C, Cub, "cub_max", "cub::DeviceReduce::Max", Arguments, Facts());
  add(C, Cub, "cub_scan", "cub::DeviceScan::ExclusiveSum", Arguments, Facts());
  add(C, Cub, "cub_sort", "cub::DeviceRadixSort::SortKeys", Arguments, Facts());
}

void addSymbols(Cases &C) {
  constexpr char Symbols[] = "symbols";
  const Facts Small = size(UpTo1MiB), To = direction(HtoD) & Small,
              From = direction(DtoH) & Small;
  add(C, Symbols, "to_symbol", "cudaMemcpyToSymbol",
      "from pageable memory, 4 KiB", To & source(Pageable));
  add(C, Symbols, "from_symbol", "cudaMemcpyFromSymbol",
      "into pageable memory, 4 KiB", From & destination(Pageable));
  add(C, Symbols, "to_symbol_async_pageable", "cudaMemcpyToSymbolAsync",
      "from pageable memory, 4 KiB", To & source(Pageable));
  add(C, Symbols, "to_symbol_async_pinned", "cudaMemcpyToSymbolAsync",
      "from pinned memory, 4 KiB", To & source(Pinned));
  add(C, Symbols, "from_symbol_async_pageable", "cudaMemcpyFromSymbolAsync",
      "into pageable memory, 4 KiB", From & destination(Pageable));
  add(C, Symbols, "from_symbol_async_pinned", "cudaMemcpyFromSymbolAsync",
      "into pinned memory, 4 KiB", From & destination(Pinned));
  add(C, Symbols, "printing_kernel", "cudaLaunchKernel",
      "of a kernel that may print, on a non-blocking stream",
      stream(NonBlocking));
}

} // namespace

void autoprof::calibrate::addCompiled(Cases &C) {
  addSymbols(C);
  addCub(C);
  addThrust(C);
}
