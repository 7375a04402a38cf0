// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns CUPTI's activity records into events of the trace. No CUPTI function is
// called here, so that tests can feed fabricated records.
//
// Layouts: CUPTI writes records in the layout of the loaded library, which may
// be of another version than the one this file was compiled against. NVIDIA
// only appends fields, so the structures of CUDA 12.0 to 13.x agree in the part
// that is read here; sizeof is never used to walk a buffer. `Layout` has the
// differences that matter.
#pragma once

#include "runtime/cupti/Headers.h"
#include "runtime/trace/Trace.h"

#include <map>
#include <string>
#include <unordered_map>

namespace autoprof::runtime {

/// The differences between the record layouts of the supported CUPTI versions.
struct Layout {
  /// CUpti_ActivityOverhead3 (CUDA 13.0): carries a block to be freed.
  bool HasOverheadData = false;

  /// Finds the layout for a version as returned by cuptiGetVersion. Returns
  /// false if records of that version are not known to have a layout that is
  /// supported here.
  static bool of(uint32_t CuptiVersion, Layout &Result);
};

/// CUPTI's 32-bit correlation ids wrap (after 2.2 hours at 500,000 launches a
/// second). Records come out of order, but never 2^31 ids apart.
class CorrelationCounter {
  uint64_t Last = 0;

public:
  /// `Id` widened to 64 bits; 0 (no correlation) stays 0.
  uint64_t widen(uint32_t Id);
};

/// cudaMemcpy_ptds_v7000 -> cudaMemcpy, cuMemcpyHtoD_v2_ptds -> cuMemcpyHtoD.
std::string stripVersion(std::string_view Function);

/// Not thread-safe: the flush thread owns it.
class ActivityDecoder {
public:
  /// Returns the name of function `Callback`, with its version suffix, or null.
  using FunctionName = const char *(*)(Domain Api, uint32_t Callback);

  ActivityDecoder(Trace &Out, Layout Records, FunctionName NameOf)
      : Out(Out), Records(Records), NameOf(NameOf) {}

  /// Widens CUPTI's correlation id as in the events made from its records.
  uint64_t widen(uint32_t Id) { return Correlations.widen(Id); }

  /// Decodes one record; kinds that are not part of a trace are ignored.
  void decode(const CUpti_Activity &Record);

private:
  struct Kernel {
    std::string Mangled, Name;
    uint64_t Hash;
  };
  struct Stream {
    uint32_t Context;
    const char *Flag;
  };

  void decode(const KernelRecord &K);
  void decode(const CUpti_ActivityMemcpy6 &C);
  void decode(const CUpti_ActivityMemcpyPtoP4 &C);
  void decode(const CUpti_ActivityMemset4 &S);
  void decode(const CUpti_ActivityGraphTrace2 &G);
  void decode(const CUpti_ActivityAPI &A, Domain Api);
  void decode(const CUpti_ActivityOverhead3 &O);
  void decode(const CUpti_ActivityDevice5 &D);
  void decode(const CUpti_ActivityContext3 &C);
  void decode(const CUpti_ActivityStream &S);
  void decode(const CUpti_ActivityMemory4 &M);

  template <typename Copy> void decodeCopy(const Copy &C);
  const Kernel &kernel(const char *Mangled);
  const char *functionName(Domain Api, uint32_t Callback);
  void describeStream(uint32_t Id, const Stream &S);

  Trace &Out;
  Layout Records;
  FunctionName NameOf;
  CorrelationCounter Correlations;
  std::unordered_map<const char *, Kernel> Kernels;
  std::unordered_map<uint64_t, std::string> Functions;
  std::unordered_map<uint32_t, uint32_t> DeviceOfContext;
  /// Streams whose records came before that of their context, by context and
  /// id.
  std::map<std::pair<uint32_t, uint32_t>, Stream> Waiting;
};

} // namespace autoprof::runtime
