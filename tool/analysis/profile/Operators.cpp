// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/profile/Profile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <tuple>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::OperatorRun;
using trace::Timeline;

namespace {

using ByName = std::map<std::pair<uint32_t, uint32_t>, OperatorSums>;

/// The runs of one thread that are open while time moves on.
class OpenRuns {
  std::vector<OperatorRun> Runs;
  std::vector<OperatorSums *> SumsOf; ///< By run.
  size_t Next = 0;
  llvm::SmallVector<size_t, 16> Open;

  /// Opens the next one; false: it is part of the innermost one.
  bool openNext();
  void closeBefore(int64_t Time);

public:
  OpenRuns(const trace::Thread &T, ByName &Sums);
  /// Opens those that begin by then, and closes what has ended.
  void moveTo(int64_t Time);
  void restart() {
    Next = 0;
    Open.clear();
  }
  /// The sums of the innermost one; null: none is open.
  OperatorSums *innermost() const {
    return Open.empty() ? nullptr : SumsOf[Open.back()];
  }
  template <typename Function> void forEach(Function Visit) const {
    for (size_t Run : Open)
      Visit(*SumsOf[Run]);
  }
};

OpenRuns::OpenRuns(const trace::Thread &T, ByName &Sums) : Runs(T.Operators) {
  llvm::append_range(Runs, T.Nested);
  llvm::stable_sort(Runs, [](const OperatorRun &A, const OperatorRun &B) {
    return std::tie(A.Start, B.End) < std::tie(B.Start, A.End);
  });
  for (const OperatorRun &R : Runs)
    SumsOf.push_back(&Sums[{R.Name, R.Shapes}]);
  while (Next < Runs.size()) {
    const OperatorRun &Run = Runs[Next];
    const int64_t Ns = Run.End - Run.Start;
    closeBefore(Run.Start);
    OperatorSums *Outer = innermost();
    if (!openNext())
      continue;
    if (Outer)
      Outer->SelfCpu -= Ns;
    OperatorSums &Its = *innermost();
    ++Its.Count;
    Its.Cpu += Ns;
    Its.SelfCpu += Ns;
  }
  restart();
}

bool OpenRuns::openNext() {
  const size_t Run = Next++;
  if (!Open.empty() && Runs[Open.back()].Name == Runs[Run].Name)
    return false;
  Open.push_back(Run);
  return true;
}

void OpenRuns::closeBefore(int64_t Time) {
  while (!Open.empty() && Runs[Open.back()].End <= Time)
    Open.pop_back();
}

void OpenRuns::moveTo(int64_t Time) {
  while (Next < Runs.size() && Runs[Next].Start <= Time) {
    closeBefore(Runs[Next].Start);
    openNext();
  }
  closeBefore(Time);
}

/// The calls, and what they launched.
void addCalls(const Timeline &T, std::vector<OpenRuns> &Threads) {
  const trace::HostEvents &H = T.Host;
  const trace::GpuOps &O = T.Ops;
  std::vector<int64_t> CallEnd(T.Threads.size(), T.begin());
  size_t Launch = 0;
  for (uint32_t I = 0; I < H.size(); ++I) {
    int64_t Gpu = 0;
    for (;
         Launch < T.LaunchOrder.size() && O.Launch[T.LaunchOrder[Launch]] == I;
         ++Launch)
      Gpu += O.End[T.LaunchOrder[Launch]] - O.Start[T.LaunchOrder[Launch]];
    const uint32_t Thread = H.Thread[I];
    if (!H.isCall(I) || H.Start[I] < CallEnd[Thread])
      continue; // In another call.
    CallEnd[Thread] = H.End[I];
    OpenRuns &Runs = Threads[Thread];
    Runs.moveTo(H.Start[I]);
    OperatorSums *Innermost = Runs.innermost();
    if (!Innermost)
      continue;
    Innermost->SelfCpu -= H.End[I] - H.Start[I];
    Innermost->SelfGpu += Gpu;
    Runs.forEach([Gpu](OperatorSums &S) { S.Gpu += Gpu; });
  }
}

void addMemory(const trace::Thread &T, OpenRuns &Runs) {
  Runs.restart();
  for (const trace::TensorMemory &M : T.Memory) {
    Runs.moveTo(M.Time);
    auto Add = [&M](OperatorSums &S, int64_t OperatorSums::*Cpu,
                    int64_t OperatorSums::*Gpu) {
      S.*(M.OnGpu ? Gpu : Cpu) += M.Bytes;
    };
    if (OperatorSums *Innermost = Runs.innermost())
      Add(*Innermost, &OperatorSums::SelfCpuBytes, &OperatorSums::SelfGpuBytes);
    Runs.forEach([&Add](OperatorSums &S) {
      Add(S, &OperatorSums::CpuBytes, &OperatorSums::GpuBytes);
    });
  }
}

} // namespace

void OperatorSums::add(const OperatorSums &B) {
  Count += B.Count;
  for (auto Sum : {&OperatorSums::Cpu, &OperatorSums::SelfCpu,
                   &OperatorSums::Gpu, &OperatorSums::SelfGpu,
                   &OperatorSums::CpuBytes, &OperatorSums::SelfCpuBytes,
                   &OperatorSums::GpuBytes, &OperatorSums::SelfGpuBytes})
    this->*Sum += B.*Sum;
}

std::vector<OperatorRow> autoprof::analysis::sumOperators(const Timeline &T) {
  ByName Sums;
  std::vector<OpenRuns> Threads;
  for (const trace::Thread &One : T.Threads)
    Threads.emplace_back(One, Sums);
  if (Sums.empty())
    return {};
  addCalls(T, Threads);
  for (size_t I = 0; I < Threads.size(); ++I)
    addMemory(T.Threads[I], Threads[I]);
  std::vector<OperatorRow> Rows;
  uint32_t Name = trace::None;
  for (const auto &[Key, Sum] : Sums) { // By name, then by shapes.
    if (Key.first != Name)
      Rows.push_back({T.Strings[Name = Key.first].str(), {}, {}});
    Rows.back().All.add(Sum);
    Rows.back().ByShapes.emplace_back(T.Strings[Key.second].str(), Sum);
  }
  for (OperatorRow &Row : Rows)
    llvm::stable_sort(Row.ByShapes, [](const auto &A, const auto &B) {
      return std::tie(B.second.Cpu, A.first) < std::tie(A.second.Cpu, B.first);
    });
  llvm::sort(Rows, [](const OperatorRow &A, const OperatorRow &B) {
    return std::tie(B.All.SelfGpu, B.All.SelfCpu, A.Name) <
           std::tie(A.All.SelfGpu, A.All.SelfCpu, B.Name);
  });
  return Rows;
}

bool autoprof::analysis::hasTensorMemory(const Timeline &T) {
  return llvm::any_of(
      T.Threads, [](const trace::Thread &One) { return !One.Memory.empty(); });
}
