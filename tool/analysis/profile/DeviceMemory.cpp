// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/profile/Profile.h"

#include "analysis/common/Sorting.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <unordered_map>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::MemoryEvent;
using trace::Timeline;

namespace {

constexpr size_t MostPoints = 2000;

/// Walks the events of one device, which are in order of time.
class Ledger {
  const Timeline &T;
  const Attribution &A;
  std::unordered_map<uint64_t, const MemoryEvent *> Live; ///< By address.
  uint64_t Bytes = 0;

  void allocate(const MemoryEvent &M);
  bool release(const MemoryEvent &M);

public:
  DeviceMemory Result;

  Ledger(const Timeline &T, const Attribution &A) : T(T), A(A) {}
  void add(const MemoryEvent &M);
  uint64_t bytes() const { return Bytes; }
  std::vector<MemoryHolder> holders() const;
};

bool Ledger::release(const MemoryEvent &M) {
  auto It = Live.find(M.Address);
  if (It == Live.end())
    return false;
  Bytes -= It->second->Bytes;
  Live.erase(It);
  return true;
}

void Ledger::allocate(const MemoryEvent &M) {
  release(M); // Its release was lost: nothing lives at an address twice.
  Live[M.Address] = &M;
  Bytes += M.Bytes;
}

void Ledger::add(const MemoryEvent &M) {
  if (M.IsRelease) {
    ++Result.Releases;
    Result.Unmatched += !release(M);
  } else {
    ++Result.Allocations;
    allocate(M);
  }
  if (Bytes > Result.PeakBytes) {
    Result.PeakBytes = Bytes;
    Result.PeakTime = M.Time;
  }
  Result.Curve.emplace_back(M.Time, Bytes);
}

std::vector<MemoryHolder> Ledger::holders() const {
  std::map<std::pair<uint32_t, std::string>, MemoryHolder> Sums;
  for (const auto &[Address, M] : Live) {
    MemoryHolder H;
    if (M->Call != trace::None) {
      H.Site = A.Site[M->Call];
      H.Call = T.Strings[T.Host.Name[M->Call]].str();
    }
    MemoryHolder &Sum = Sums.try_emplace({H.Site, H.Call}, H).first->second;
    ++Sum.Count;
    Sum.Bytes += M->Bytes;
  }
  std::vector<MemoryHolder> Result;
  for (auto &[Key, Sum] : Sums)
    Result.push_back(std::move(Sum));
  largestFirst(Result, &MemoryHolder::Bytes);
  return Result;
}

/// The most of each of MostPoints shares of the changes.
void thin(std::vector<std::pair<int64_t, uint64_t>> &Curve) {
  if (Curve.size() <= MostPoints)
    return;
  std::vector<std::pair<int64_t, uint64_t>> Result;
  size_t Share = (Curve.size() + MostPoints - 1) / MostPoints;
  for (size_t I = 0; I < Curve.size(); I += Share)
    Result.push_back(*std::max_element(
        Curve.begin() + ptrdiff_t(I),
        Curve.begin() + ptrdiff_t(std::min(I + Share, Curve.size())),
        [](const auto &A, const auto &B) { return A.second < B.second; }));
  Result.back() = Curve.back();
  Curve = std::move(Result);
}

std::optional<size_t> stepAt(const Steps &S, int64_t Time) {
  for (size_t I = 0; I < S.List.size(); ++I)
    if (Time >= S.List[I].Start && Time < S.List[I].End)
      return I + 1;
  return std::nullopt;
}

} // namespace

std::vector<DeviceMemory>
autoprof::analysis::findDeviceMemory(const Timeline &T, const Attribution &A,
                                     const Steps &S) {
  std::map<uint32_t, std::vector<const MemoryEvent *>> ByDevice;
  for (const MemoryEvent &M : T.Memory)
    if (M.Kind == trace::MemoryKind::Device)
      ByDevice[M.Device].push_back(&M);
  std::vector<DeviceMemory> All;
  for (const auto &[Device, Events] : ByDevice) {
    Ledger Whole(T, A), ToPeak(T, A);
    for (const MemoryEvent *M : Events)
      Whole.add(*M);
    DeviceMemory &R = Whole.Result;
    // Again, up to the peak, as holders are costly to keep at every change.
    for (const MemoryEvent *M : Events) {
      ToPeak.add(*M);
      if (ToPeak.bytes() == R.PeakBytes)
        break;
    }
    R.Device = Device;
    R.AtPeak = ToPeak.holders();
    R.NotFreed = Whole.holders();
    R.PeakStep = stepAt(S, R.PeakTime);
    thin(R.Curve);
    All.push_back(std::move(R));
  }
  return All;
}
