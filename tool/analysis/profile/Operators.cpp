// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/profile/Operators.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <tuple>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::OperatorRun;
using trace::Timeline;

namespace {

using ByName = std::map<uint32_t, OperatorSums>;

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
    SumsOf.push_back(&Sums[R.Name]);
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
  Next = 0;
  Open.clear();
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

} // namespace

std::vector<OperatorRow> autoprof::analysis::sumOperators(const Timeline &T) {
  ByName Sums;
  std::vector<OpenRuns> Threads;
  for (const trace::Thread &One : T.Threads)
    Threads.emplace_back(One, Sums);
  if (Sums.empty())
    return {};
  addCalls(T, Threads);
  std::vector<OperatorRow> Rows;
  for (const auto &[Name, Sum] : Sums)
    Rows.push_back({Sum, T.Strings[Name].str()});
  llvm::sort(Rows, [](const OperatorRow &A, const OperatorRow &B) {
    return std::tie(B.SelfGpu, B.SelfCpu, A.Name) <
           std::tie(A.SelfGpu, A.SelfCpu, B.Name);
  });
  return Rows;
}
