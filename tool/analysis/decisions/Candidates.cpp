// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/decisions/Decisions.h"

#include "catalogue/TorchNames.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace autoprof;
using namespace autoprof::analysis;
using catalogue::CallClass;
using trace::Direction;
using trace::None;
using trace::Timeline;

namespace {

/// The catalogue's row of the outermost operator of a path that may wait:
/// "aten::item > aten::_local_scalar_dense" is at::Tensor::item of libtorch.
/// Null: the catalogue has none.
const catalogue::Row *operatorRow(llvm::StringRef Path) {
  llvm::SmallVector<llvm::StringRef, 8> Names;
  Path.split(Names, " > ");
  for (llvm::StringRef Name : Names) {
    if (!Name.consume_front("aten::"))
      continue;
    for (const char *Scope : {"at::Tensor::", "at::"})
      if (const catalogue::Row *R = catalogue::lookup(Scope + Name.str());
          R && catalogue::mayWait(R->Wait))
        return R;
  }
  return nullptr;
}

/// `Copy`: of what the call copies.
Judgement changeOf(const catalogue::Row *Call, Direction Copy) {
  if (!Call)
    return {Verdict::Keep, Grounds::NoOtherForm, ""};
  std::string Instead = Call->Replacement.str();
  if (Call->Target == catalogue::WaitsFor::Event)
    return {Verdict::Postpone, Grounds::Replaceable, Instead};
  if (Call->Class == CallClass::Sync)
    return {Verdict::Remove, Grounds::UnlessRead, Instead};
  if (Call->Class == CallClass::Copy && !Call->Name.ends_with("Async") &&
      Copy == Direction::DtoH)
    return {Verdict::Postpone, Grounds::Later, Instead};
  if (Instead.empty())
    return {Verdict::Keep, Grounds::NoOtherForm, ""};
  return {Verdict::MakeAsync, Grounds::Replaceable, Instead};
}

/// Whether the program uses PyTorch, by the names of its kernels.
bool usesTorch(const Timeline &T) {
  return llvm::any_of(T.Stages, [&T](const trace::Stage &S) {
    // Demangled, or not.
    const llvm::StringRef Name = T.Strings[S.Name];
    return Name.contains("at::native::") || Name.contains("2at6native");
  });
}

/// What a worthwhile change of a row is. `Longest`: the wait that represents
/// it. `InTorch`: in the terms of PyTorch's users.
Judgement adviceOn(const Timeline &T, const Wait &Longest, const SiteRow &Row,
                   bool InTorch) {
  const llvm::StringRef Waiting = T.Strings[T.Host.Name[Longest.Call]];
  const bool IsOperator = Row.Kind == trace::OperatorKind;
  const catalogue::Row *Call =
      IsOperator ? operatorRow(Row.Call) : catalogue::lookup(Row.Call);
  if (!Call || !catalogue::mayWait(Call->Wait))
    Call = catalogue::lookup(Waiting);
  Judgement Result = changeOf(Call, Longest.CopyDirection);
  if (InTorch)
    if (const catalogue::TorchName *Name = catalogue::torchNameIn(
            IsOperator ? llvm::StringRef(Row.Call) : Waiting)) {
      Result.Why = Grounds::Replaceable;
      Result.Instead = Name->Advice.str();
    }
  return Result;
}

/// What the calls of one group do in the steps that count, or in the run.
struct GroupUse {
  uint64_t Calls = 0;
  int64_t HostTime = 0;
  bool WouldWait = false; ///< If an earlier wait were left out.
};

class Finder {
  const Timeline &T;
  const Attribution &A;
  const Result &R;
  const bool OfSteps;
  const int64_t Whole;
  std::vector<GroupUse> Use; ///< By group.
  std::vector<Candidate> Found;
  std::vector<bool> Taken; ///< Rows that have a candidate.

  void findUse(const WaitList &List);
  const TransferRow *transferOf(const SiteRow &Row, uint32_t &Index) const;
  void addAllocations();
  void addPool();
  void addWaits();
  void addTransfers();
  Change strongestOf(uint32_t I) const;
  Candidate waitCandidate(uint32_t I) const;

public:
  Finder(const Timeline &T, const Attribution &A, const Result &R)
      : T(T), A(A), R(R), OfSteps(R.onGpuClock()), Whole(R.whole()),
        Use(numGroups(T)), Taken(R.Sites.size()) {}
  std::vector<Candidate> run(const WaitList &List);
};

void Finder::findUse(const WaitList &List) {
  const int64_t From = OfSteps ? R.InSteps->Host.Start : T.begin(),
                To = OfSteps ? R.InSteps->Host.End : T.end();
  const trace::HostEvents &H = T.Host;
  for (uint32_t I = 0; I < H.size(); ++I) {
    if (A.Outer[I] != I || H.Start[I] < From || H.Start[I] >= To)
      continue;
    GroupUse &U = Use[groupOf(T, A, I)];
    ++U.Calls;
    U.HostTime += H.End[I] - H.Start[I];
  }
  for (const Wait &W : List.Latent)
    if (W.Certain && W.Start >= From && W.Start < To)
      Use[groupOf(T, A, W.Call)].WouldWait = true;
}

/// Its transfer that costs most, if its pageable memory is worth pinning.
const TransferRow *Finder::transferOf(const SiteRow &Row,
                                      uint32_t &Index) const {
  for (Index = 0; Index < R.Transfers.size(); ++Index)
    if (const TransferRow &One = R.Transfers[Index];
        One.Group == Row.Group && One.Memory == trace::MemoryKind::Pageable &&
        isWorthAsking(One, Whole))
      return &One;
  Index = None;
  return nullptr;
}

bool isStreamOrdered(llvm::StringRef Call) {
  return Call.contains("Async") || Call.contains("FromPool");
}

bool isOf(const SiteRow &Row, CallClass Class) {
  return Row.Kind == catalogue::name(Class);
}

/// All of the steps' allocations are one change: buffers, and objects, that
/// stay.
void Finder::addAllocations() {
  Candidate C;
  C.Kind = Remedy::Allocate;
  for (uint32_t I = 0; I < R.Sites.size(); ++I) {
    const SiteRow &Row = R.Sites[I];
    if (Taken[I] || !Use[Row.Group].Calls || isStreamOrdered(Row.Call) ||
        !(isOf(Row, CallClass::Alloc) || isOf(Row, CallClass::Free)))
      continue;
    C.Rows.push_back(I);
    C.Strong.push_back({Row.Group, Edit::Reuse});
    C.Cost += Use[Row.Group].HostTime;
  }
  if (C.Cost < int64_t(WorthIt * double(Whole)))
    return;
  for (uint32_t I : C.Rows)
    Taken[I] = true;
  C.Mild = C.Strong;
  Found.push_back(std::move(C));
}

/// Synchronizing trims a pool whose release threshold is 0, the default. The
/// next allocation then maps memory again, which takes far longer than handing
/// out what the pool has.
void Finder::addPool() {
  constexpr int64_t Mapping =
      10'000; // ns, of a call; else one takes 1 to 5 us.
  Candidate C;
  C.Kind = Remedy::KeepPool;
  for (uint32_t I = 0; I < R.Sites.size(); ++I) {
    const SiteRow &Row = R.Sites[I];
    const GroupUse &U = Use[Row.Group];
    if (!U.Calls || !isOf(Row, CallClass::Alloc) ||
        !isStreamOrdered(Row.Call) || U.HostTime < Mapping * int64_t(U.Calls))
      continue;
    Taken[I] = true;
    C.Rows.push_back(I);
    C.Strong.push_back({Row.Group, Edit::KeepPool});
    C.Cost += U.HostTime;
  }
  if (C.Cost < int64_t(WorthIt * double(Whole)))
    return;
  for (const SiteRow &Row : R.Sites)
    if (isOf(Row, CallClass::Sync) && Use[Row.Group].Calls)
      C.Strong.push_back({Row.Group, Edit::KeepPool});
  C.Mild = C.Strong;
  // The smallest of all changes: one line, which never harms.
  C.Cost = Whole;
  Found.push_back(std::move(C));
}

/// What a row does is not done in each step. Of small values that are copied to
/// the GPU, neither is the copy: kernels have parameters.
Change Finder::strongestOf(uint32_t I) const {
  const SiteRow &Row = R.Sites[I];
  if (isOf(Row, CallClass::Sync))
    return {Row.Group, Edit::Remove};
  for (const TransferRow &One : R.Transfers)
    if (One.Group == Row.Group && One.Dir == Direction::HtoD)
      return One.Run.Bytes < SmallTransfer * One.Run.Count
                 ? Change{Row.Group, Edit::RemoveTransfer, One.Dir}
                 : Change{Row.Group, Edit::Remove};
  return {Row.Group, Edit::Drop};
}

Candidate Finder::waitCandidate(uint32_t I) const {
  const SiteRow &Row = R.Sites[I];
  Candidate C;
  C.Rows = {I};
  C.Cost = Row.wait(OfSteps);
  const TransferRow *Copy = transferOf(Row, C.Transfer);
  if (Copy) {
    const TransferSums &S = Copy->sums();
    C.Kind = S.Host - S.Waiting > S.Waiting ? Remedy::Pin : Remedy::Wait;
    C.Cost = S.Host;
    C.Mild = {{Row.Group, Edit::PinAsync, Copy->Dir}};
    C.Strong = Copy->Dir == Direction::DtoH
                   ? std::vector<Change>{{Row.Group, Edit::Drop}}
                   : C.Mild;
    return C;
  }
  C.Strong = {strongestOf(I)};
  const Edit Least = editOf(Row.Judged.Kind);
  if (Row.Kind == catalogue::name(CallClass::Sync))
    C.Mild = {{Row.Group, Least == Edit::None ? Edit::Remove : Least}};
  else if (Least == Edit::MakeAsync && canLeaveResult(Row.Call))
    C.Mild = C.Strong;
  else if (Least != Edit::None)
    C.Mild = {{Row.Group, Least}};
  return C;
}

/// One by one if they cost enough, or would wait in place of others; the rest
/// together.
void Finder::addWaits() {
  constexpr size_t MaxAlone = 12;
  size_t Alone = 0;
  Candidate Rest;
  for (uint32_t I = 0; I < R.Sites.size(); ++I) {
    const SiteRow &Row = R.Sites[I];
    const GroupUse &U = Use[Row.Group];
    if (Taken[I] || !U.Calls || !(Row.wait(OfSteps) || U.WouldWait))
      continue;
    Taken[I] = true;
    Candidate C = waitCandidate(I);
    const int64_t Cost = std::max(C.Cost, U.HostTime);
    if (Alone < MaxAlone && 1000 * Cost >= Whole) {
      ++Alone;
      Found.push_back(std::move(C));
      continue;
    }
    Rest.Rows.push_back(I);
    llvm::append_range(Rest.Mild, C.Mild);
    llvm::append_range(Rest.Strong, C.Strong);
    Rest.Cost += C.Cost;
  }
  if (!Rest.Rows.empty())
    Found.push_back(std::move(Rest));
}

/// Copies of pageable memory that do not wait for other work.
void Finder::addTransfers() {
  for (uint32_t I = 0; I < R.Transfers.size(); ++I) {
    const TransferRow &Row = R.Transfers[I];
    if (Row.Memory != trace::MemoryKind::Pageable ||
        !isWorthAsking(Row, Whole) ||
        llvm::any_of(Found, [&](const Candidate &C) {
          return llvm::any_of(C.Strong, [&](const Change &One) {
            return One.Group == Row.Group;
          });
        }))
      continue;
    const TransferSums &S = Row.sums();
    Candidate C;
    C.Kind = Remedy::Pin;
    C.Transfer = I;
    C.Cost = S.Host;
    C.Mild = {{Row.Group, Row.Blocks ? Edit::PinAsync : Edit::Pin, Row.Dir}};
    C.Strong = C.Mild;
    for (uint32_t J = 0; J < R.Sites.size(); ++J)
      if (R.Sites[J].Group == Row.Group)
        C.Rows = {J};
    Found.push_back(std::move(C));
  }
}

std::vector<Candidate> Finder::run(const WaitList &List) {
  findUse(List);
  addAllocations();
  addPool();
  addWaits();
  addTransfers();
  return std::move(Found);
}

} // namespace

void autoprof::analysis::advise(const Timeline &T, const Attribution &A,
                                const WaitList &List,
                                std::vector<SiteRow> &Rows) {
  const bool InTorch = usesTorch(T);
  std::map<uint32_t, const Wait *> Latent; // By group.
  for (const Wait &W : List.Latent)
    if (W.Certain)
      Latent.try_emplace(groupOf(T, A, W.Call), &W);
  for (SiteRow &Row : Rows) {
    const auto It = Latent.find(Row.Group);
    const Wait *Longest = Row.Waits            ? &List.Waits[Row.LongestWait]
                          : It != Latent.end() ? It->second
                                               : nullptr;
    if (Longest)
      Row.Judged = adviceOn(T, *Longest, Row, InTorch);
  }
}

bool autoprof::analysis::canLeaveResult(llvm::StringRef Call) {
  const catalogue::Row *Found = catalogue::lookup(Call);
  return Found && Found->Wait == catalogue::Waits::Maybe &&
         catalogue::ask(*Found,
                        catalogue::pointerMode(catalogue::values::DeviceMode))
                 .Wait == catalogue::Waits::No;
}

std::vector<Candidate> autoprof::analysis::findCandidates(const Timeline &T,
                                                          const Attribution &A,
                                                          const WaitList &List,
                                                          const Result &R) {
  return Finder(T, A, R).run(List);
}
