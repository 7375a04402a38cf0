// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/waits/Waits.h"

#include "analysis/common/Sorting.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <tuple>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::HostKind;
using trace::None;

namespace {

/// An operator around calls, as far as it has been read.
struct Candidate {
  int64_t Start, End;
  uint32_t Group = None;
  bool OnlyReads = true;

  void add(uint32_t CallGroup, bool Reads) {
    OnlyReads &= Reads && (Group == None || Group == CallGroup);
    Group = CallGroup;
  }
};

/// The calls of one thread, in order.
class ThreadReader {
  llvm::ArrayRef<trace::OperatorRun> Left; ///< Not yet over.
  std::optional<Candidate> Outer;
  /// Innermost operators with calls; of Outer, where that is open.
  std::vector<Candidate> Inner;

public:
  explicit ThreadReader(llvm::ArrayRef<trace::OperatorRun> Operators)
      : Left(Operators) {}

  template <typename Function> void flush(Function Add) {
    if (Outer && Outer->OnlyReads)
      Add(*Outer);
    else
      for (const Candidate &C : Inner)
        if (C.OnlyReads)
          Add(C);
    Outer.reset();
    Inner.clear();
  }

  template <typename Function> void moveTo(int64_t Time, Function Add) {
    if (Outer && Outer->End <= Time)
      flush(Add);
    while (!Left.empty() && Left.front().End <= Time)
      Left = Left.drop_front();
    if (!Outer && !Left.empty() && Left.front().Start <= Time) {
      flush(Add);
      Outer = Candidate{Left.front().Start, Left.front().End};
    }
  }

  void addCall(uint32_t Group, bool Reads, bool IsOwnPath,
               const trace::Window *Slice) {
    if (Outer)
      Outer->add(Group, Reads && IsOwnPath);
    if (!Slice)
      return;
    if (Inner.empty() || Inner.back().Start != Slice->Start)
      Inner.push_back({Slice->Start, Slice->End});
    Inner.back().add(Group, Reads);
  }
};

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
  std::vector<ReadBack> Result;
  if (llvm::none_of(T.Sites,
                    [](const trace::Site &S) { return S.isOperator(); }))
    return Result;
  const trace::HostEvents &H = T.Host;
  const std::vector<bool> Works = findWorkers(T);
  std::vector<ThreadReader> Readers;
  for (const trace::Thread &One : T.Threads)
    Readers.emplace_back(One.Operators);
  auto AddTo = [&](uint32_t Thread) {
    return [&, Thread](const Candidate &C) {
      if (C.Group < T.Sites.size() && T.Sites[C.Group].isOperator())
        Result.push_back({Thread, C.Group, C.Start, C.End});
    };
  };
  // The innermost slice of an operator by thread, into H.
  std::vector<llvm::SmallVector<uint32_t, 4>> Open(T.Threads.size());
  for (uint32_t I = 0; I < H.size(); ++I) {
    const uint32_t Thread = H.Thread[I];
    llvm::SmallVectorImpl<uint32_t> &Slices = Open[Thread];
    while (!Slices.empty() && H.End[Slices.back()] <= H.Start[I])
      Slices.pop_back();
    if (H.Kind[I] == HostKind::Site)
      Slices.push_back(I);
    if (A.Outer[I] != I)
      continue;
    Readers[Thread].moveTo(H.Start[I], AddTo(Thread));
    const uint32_t Group = groupOf(T, A, I);
    trace::Window Slice{0, 0};
    if (!Slices.empty())
      Slice = {H.Start[Slices.back()], H.End[Slices.back()]};
    Readers[Thread].addCall(Group, !Works[I],
                            Group < T.Sites.size() &&
                                isOwnPath(T.Sites[Group].Callee),
                            Slices.empty() ? nullptr : &Slice);
  }
  for (uint32_t Thread = 0; Thread < Readers.size(); ++Thread)
    Readers[Thread].flush(AddTo(Thread));
  sortBy(Result, [](const ReadBack &A) { return std::tie(A.Thread, A.Start); });
  return Result;
}
