// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/steps/Sequence.h"

#include "catalogue/Catalogue.h"
#include "trace/timeline/TimelineBuilder.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>

using namespace autoprof;
using namespace autoprof::analysis;
using catalogue::CallClass;
using llvm::StringRef;
using trace::None;
using trace::OpKind;
using trace::Timeline;

namespace {

/// Ids of words and forms are made like those of ranges, with a domain that no
/// program can have.
constexpr llvm::StringLiteral Domain = "autoprof.repetition";

StringRef textOf(trace::Direction D) {
  constexpr llvm::StringLiteral Names[] = {
      "copy", "copy HtoD", "copy DtoH", "copy DtoD", "copy HtoH", "copy PtoP"};
  return Names[unsigned(D)];
}

class Reader {
  const Timeline &T;
  const trace::HostEvents &H;
  Sequences Result;
  llvm::StringMap<uint32_t> WordOf;
  std::vector<uint32_t> WordOfStage, WordOfCall; ///< None: not asked for yet.
  std::vector<bool> IsKnownCall;
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, uint32_t> FormOf;
  Sequence Together;
  std::vector<int64_t> Done; ///< By thread: where its last call ends.

  uint32_t intern(StringRef Text, Word::Class Kind);
  uint32_t ofStage(uint32_t Stage);
  uint32_t ofCall(uint32_t Call);
  void add(uint32_t Call, uint32_t W, uint64_t Size);
  void read(uint32_t Call, llvm::ArrayRef<uint32_t> Ops);

public:
  explicit Reader(const Timeline &T)
      : T(T), H(T.Host), WordOfStage(T.Stages.size(), None),
        WordOfCall(T.Strings.size(), None), IsKnownCall(T.Strings.size()),
        Done(T.Threads.size(), INT64_MIN) {}
  Sequences run();
};

uint32_t Reader::intern(StringRef Text, Word::Class Kind) {
  auto [It, New] = WordOf.try_emplace(Text, uint32_t(Result.Words.size()));
  if (New)
    Result.Words.push_back(
        {Kind, Text.str(), trace::userRangeId(Domain, Text)});
  return It->second;
}

uint32_t Reader::ofStage(uint32_t Stage) {
  uint32_t &W = WordOfStage[Stage];
  if (W == None) {
    const trace::Stage &S = T.Stages[Stage];
    W = S.Kind == OpKind::Copy ? intern(textOf(S.Dir), Word::Copy)
        : S.Kind == OpKind::Set
            ? intern("memset", Word::Copy)
            : intern(T.Strings[S.Name],
                     S.Kind == OpKind::Graph ? Word::Graph : Word::Kernel);
  }
  return W;
}

/// The word of a call that has no operation in the recording; None if it does
/// not launch, copy, or wait.
uint32_t Reader::ofCall(uint32_t Call) {
  const uint32_t Name = H.Name[Call];
  if (!IsKnownCall[Name]) {
    IsKnownCall[Name] = true;
    if (const catalogue::Row *Row = catalogue::lookup(T.Strings[Name])) {
      const CallClass C = Row->Class;
      if (C == CallClass::Launch)
        WordOfCall[Name] = intern(T.Strings[Name], Word::Kernel);
      else if (C == CallClass::Copy || C == CallClass::Set)
        WordOfCall[Name] = intern(T.Strings[Name], Word::Copy);
      else if (C == CallClass::Sync && catalogue::mayWait(Row->Wait))
        WordOfCall[Name] = intern(T.Strings[Name], Word::Wait);
    }
  }
  return WordOfCall[Name];
}

void Reader::add(uint32_t Call, uint32_t W, uint64_t Size) {
  auto [It, New] = FormOf.try_emplace({W, Size}, uint32_t(Result.Forms.size()));
  if (New)
    Result.Forms.push_back({W, Size, {}});
  Together.push_back({Call, W, It->second});
}

/// `Ops`: what the call launched, into GpuOps.
void Reader::read(uint32_t Call, llvm::ArrayRef<uint32_t> Ops) {
  if (Ops.size() > 1) {
    // A graph whose nodes were recorded: one launch.
    add(Call, intern(T.Strings[H.Name[Call]], Word::Graph), Ops.size());
  } else if (Ops.size() == 1) {
    const trace::Stage &S = T.Stages[T.Ops.Stage[Ops[0]]];
    const uint64_t Size = S.Bytes ? S.Bytes : S.Shape.blocks();
    add(Call, ofStage(T.Ops.Stage[Ops[0]]), Size);
  } else if (const uint32_t W = ofCall(Call); W != None) {
    add(Call, W, 0);
  }
}

Sequences Reader::run() {
  llvm::ArrayRef<uint32_t> Rest = T.LaunchOrder;
  for (uint32_t I = 0; I < H.size(); ++I) {
    if (!H.isCall(I))
      continue;
    size_t Count = 0;
    while (Count < Rest.size() && T.Ops.Launch[Rest[Count]] == I)
      ++Count;
    // What is nested in another call is part of that one.
    if (Count || H.Start[I] >= Done[H.Thread[I]]) {
      read(I, Rest.take_front(Count));
      Done[H.Thread[I]] = H.End[I];
    }
    Rest = Rest.drop_front(Count);
  }
  std::map<uint32_t, Sequence> ByThread;
  for (const Element &E : Together)
    ByThread[H.Thread[E.Call]].push_back(E);
  Result.List.push_back(std::move(Together));
  if (ByThread.size() > 1)
    for (auto &[Thread, OfThread] : ByThread)
      Result.List.push_back(std::move(OfThread));
  std::stable_sort(
      Result.List.begin() + 1, Result.List.end(),
      [](const Sequence &A, const Sequence &B) { return A.size() > B.size(); });
  return std::move(Result);
}

} // namespace

uint64_t autoprof::analysis::idOf(const Sequences &All, const Form &F) {
  std::string Text = All.Words[F.Word].Text + "\n" + std::to_string(F.Size);
  for (uint32_t W : F.Before)
    Text += "\nafter " + All.Words[W].Text;
  return trace::userRangeId(Domain, Text);
}

Sequence autoprof::analysis::withWordsBefore(Sequences &All,
                                             const Sequence &S) {
  constexpr size_t Before = 3;
  std::unordered_map<size_t, uint32_t> FormOf; // By the words' hash.
  Sequence Result = S;
  for (size_t I = Before; I < S.size(); ++I) {
    const uint32_t Run[] = {S[I - 1].Word, S[I - 2].Word, S[I - 3].Word};
    static_assert(std::size(Run) == Before);
    const size_t Key = llvm::hash_combine(
        S[I].Word, llvm::hash_combine_range(std::begin(Run), std::end(Run)));
    auto [It, New] = FormOf.try_emplace(Key, uint32_t(All.Forms.size()));
    if (New)
      All.Forms.push_back({S[I].Word, 0, {std::begin(Run), std::end(Run)}});
    Result[I].Form = It->second;
  }
  return Result;
}

Sequences autoprof::analysis::readSequences(const Timeline &T) {
  return Reader(T).run();
}
