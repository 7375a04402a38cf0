// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/waits/Waits.h"

#include "analysis/common/Sorting.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <utility>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::HostKind;
using trace::None;

namespace {

/// A run of an operator around calls.
struct Candidate {
  int64_t End = 0;
  uint32_t Group = None;
  bool OnlyReads = true;
  const Candidate *Outer = nullptr; ///< The outermost operator around it.

  void add(uint32_t CallGroup, bool Reads) {
    OnlyReads &= Reads && (Group == None || Group == CallGroup);
    Group = CallGroup;
  }
};

/// By thread and start.
using Candidates = std::map<std::pair<uint32_t, int64_t>, Candidate>;

/// Whether all operators of a path are PyTorch's own.
bool isOwnPath(llvm::StringRef Path) {
  llvm::SmallVector<llvm::StringRef, 8> Names;
  Path.split(Names, " > ");
  return llvm::all_of(
      Names, [](llvm::StringRef Name) { return Name.starts_with("aten::"); });
}

/// By host event: whether the call queued anything but copies to the host.
std::vector<bool> findWorkers(const trace::Timeline &T) {
  std::vector<bool> Result(T.Host.size());
  for (uint32_t Op : T.LaunchOrder)
    if (T.Stages[T.Ops.Stage[Op]].Dir != trace::Direction::DtoH)
      Result[T.Ops.Launch[Op]] = true;
  return Result;
}

} // namespace

std::vector<ReadBack>
autoprof::analysis::findReadBacks(const trace::Timeline &T,
                                  const Attribution &A) {
  if (llvm::none_of(T.Sites,
                    [](const trace::Site &S) { return S.isOperator(); }))
    return {};
  const trace::HostEvents &H = T.Host;
  const std::vector<bool> Works = findWorkers(T);
  Candidates Outermost, Innermost;
  std::vector<llvm::SmallVector<uint32_t, 4>> Open(T.Threads.size()); // Slices.
  std::vector<size_t> Next(T.Threads.size()); // Into Thread::Operators.
  for (uint32_t I = 0; I < H.size(); ++I) {
    const uint32_t Thread = H.Thread[I];
    llvm::SmallVectorImpl<uint32_t> &Slices = Open[Thread];
    while (!Slices.empty() && H.End[Slices.back()] <= H.Start[I])
      Slices.pop_back();
    if (H.Kind[I] == HostKind::Site)
      Slices.push_back(I);
    if (A.Outer[I] != I)
      continue;
    const uint32_t Group = groupOf(T, A, I);
    const Candidate *Outer = nullptr;
    const std::vector<trace::OperatorRun> &Runs = T.Threads[Thread].Operators;
    size_t &Run = Next[Thread];
    while (Run < Runs.size() && Runs[Run].End <= H.Start[I])
      ++Run;
    if (Run < Runs.size() && Runs[Run].Start <= H.Start[I]) {
      Candidate &C = Outermost[{Thread, Runs[Run].Start}];
      C.End = Runs[Run].End;
      C.add(Group, !Works[I] && Group < T.Sites.size() &&
                       isOwnPath(T.Sites[Group].Callee));
      Outer = &C;
    }
    if (Slices.empty())
      continue;
    Candidate &C = Innermost[{Thread, H.Start[Slices.back()]}];
    C.End = H.End[Slices.back()];
    C.Outer = Outer;
    C.add(Group, !Works[I]);
  }
  std::vector<ReadBack> Result;
  for (const Candidates *All : {&Outermost, &Innermost})
    for (const auto &[Key, C] : *All)
      if (C.OnlyReads && !(C.Outer && C.Outer->OnlyReads) &&
          C.Group < T.Sites.size() && T.Sites[C.Group].isOperator())
        Result.push_back({Key.first, C.Group, Key.second, C.End});
  sortBy(Result,
         [](const ReadBack &R) { return std::pair(R.Thread, R.Start); });
  return Result;
}
