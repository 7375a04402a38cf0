// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/steps/Anchors.h"

#include "analysis/common/Sorting.h"
#include "analysis/common/Statistics.h"
#include "catalogue/Catalogue.h"
#include "trace/timeline/TimelineBuilder.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
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
    W = S.Kind == OpKind::Copy
            ? intern(textOf(S.Dir), S.Dir == trace::Direction::DtoH
                                        ? Word::CopyToHost
                                        : Word::Copy)
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
  Result.All.push_back({Call, W, It->second});
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

namespace {

/// Lengths that differ by no more than this from the median are similar.
uint32_t slack(uint32_t Length) { return std::max(1U, Length / 8); }

bool isSimilar(uint32_t Length, uint32_t Median) {
  return Length + slack(Median) >= Median && Length <= Median + slack(Median);
}

std::vector<int64_t> lengths(llvm::ArrayRef<uint32_t> At) {
  std::vector<int64_t> Result;
  for (size_t I = 1; I < At.size(); ++I)
    Result.push_back(At[I] - At[I - 1]);
  return Result;
}

/// What is known without looking into the parts: the share of them that has a
/// similar length, and how much they cover.
struct Regularity {
  uint32_t Length;
  double Similar, Covered;
};

Regularity regularity(llvm::ArrayRef<uint32_t> At) {
  Regularity R{uint32_t(median(lengths(At))), 0, 0};
  size_t Similar = 0;
  uint64_t Covered = 0;
  for (size_t I = 1; I < At.size(); ++I)
    if (const uint32_t Length = At[I] - At[I - 1];
        isSimilar(Length, R.Length)) {
      ++Similar;
      Covered += Length;
    }
  R.Similar = double(Similar) / double(At.size() - 1);
  R.Covered = double(Covered) / double(At.back() - At.front());
  return R;
}

/// The number of parts of usual length that make a reference.
constexpr size_t Samples = 33;

Counts referenceOf(const Anchor &A, size_t Words, const Sequence &S) {
  std::vector<size_t> Usual;
  for (size_t I = 0; I < A.parts(); ++I)
    if (isSimilar(A.At[I + 1] - A.At[I], A.Length))
      Usual.push_back(I);
  const size_t Stride = std::max<size_t>(1, Usual.size() / Samples);
  std::map<uint32_t, std::vector<int64_t>> Seen;
  size_t Taken = 0;
  for (size_t I = 0; I < Usual.size(); I += Stride, ++Taken) {
    std::map<uint32_t, int64_t> Part;
    for (uint32_t E = A.At[Usual[I]]; E < A.At[Usual[I] + 1]; ++E)
      ++Part[S[E].Word];
    for (auto [Word, Count] : Part)
      Seen[Word].push_back(Count);
  }
  Counts Result(Words);
  for (auto &[Word, Times] : Seen) {
    Times.resize(Taken); // Not in the others.
    Result[Word] = uint32_t(median(Times));
  }
  return Result;
}

} // namespace

std::vector<Anchor> autoprof::analysis::findAnchors(const Sequences &All,
                                                    const Sequence &S,
                                                    size_t Fewest) {
  // By the number of runs; of those that run as often, the most regular.
  struct Candidate {
    Regularity R;
    uint32_t Word, Form;
    llvm::ArrayRef<uint32_t> At;
  };
  std::map<size_t, std::vector<Candidate>> ByCount;
  std::vector<std::vector<uint32_t>> OfWords(All.Words.size()),
      OfForms(All.Forms.size());
  for (uint32_t I = 0; I < S.size(); ++I) {
    OfWords[S[I].Word].push_back(I);
    OfForms[S[I].Form].push_back(I);
  }
  auto Try = [&](uint32_t Word, uint32_t Form, llvm::ArrayRef<uint32_t> At) {
    if (At.size() < Fewest)
      return;
    const Regularity R = regularity(At);
    if (R.Similar >= 0.5 && R.Covered >= 0.4)
      ByCount[At.size()].push_back({R, Word, Form, At});
  };
  for (uint32_t W = 0; W < All.Words.size(); ++W)
    Try(W, None, OfWords[W]);
  for (uint32_t F = 0; F < All.Forms.size(); ++F)
    Try(All.Forms[F].Word, F, OfForms[F]);
  std::vector<Anchor> Result;
  for (auto &[Count, List] : ByCount) {
    auto Score = [&](const Candidate &C) {
      return std::tuple(C.R.Similar * C.R.Covered, C.Form == None,
                        All.Words[C.Word].Kind == Word::Kernel);
    };
    largestFirst(List, Score);
    for (const Candidate &C : List) {
      Anchor &A = Result.emplace_back();
      A.Word = C.Word;
      A.Form = C.Form;
      A.At = C.At.vec();
    }
  }
  return Result;
}

Anchor autoprof::analysis::anchorOf(const Sequences &All, const Sequence &S,
                                    uint64_t Id) {
  Anchor Result;
  Result.Word = None;
  for (uint32_t W = 0; W < All.Words.size(); ++W)
    if (All.Words[W].Id == Id)
      Result.Word = W;
  for (uint32_t F = 0; Result.Word == None && F < All.Forms.size(); ++F)
    if (idOf(All, All.Forms[F]) == Id)
      Result.Form = F;
  for (uint32_t I = 0; I < S.size(); ++I)
    if (const Element &E = S[I]; E.Word == Result.Word || E.Form == Result.Form)
      Result.At.push_back(I);
  if (Result.Form != None)
    Result.Word = All.Forms[Result.Form].Word;
  return Result;
}

Comparer::Comparer(Counts Reference, const Sequence &S)
    : Reference(std::move(Reference)), Part(this->Reference.size()), S(S) {
  for (uint32_t Count : this->Reference)
    Size += Count;
}

float Comparer::alike(size_t From, size_t To) {
  uint64_t Common = 0;
  for (size_t E = From; E < To; ++E)
    Common += ++Part[S[E].Word] <= Reference[S[E].Word];
  for (size_t E = From; E < To; ++E)
    Part[S[E].Word] = 0;
  return float(2.0 * double(Common) / double(Size + To - From));
}

void autoprof::analysis::judge(Anchor &A, const Sequences &All,
                               const Sequence &S) {
  A.Length = uint32_t(median(lengths(A.At)));
  A.Reference = referenceOf(A, All.Words.size(), S);
  A.Alike.clear();
  Comparer C(A.Reference, S);
  for (size_t I = 0; I < A.parts(); ++I)
    A.Alike.push_back(C.alike(A.At[I], A.At[I + 1]));
  summarize(A);
}

void autoprof::analysis::summarize(Anchor &A) {
  uint64_t Covered = 0;
  size_t Typical = 0;
  for (size_t I = 0; I < A.parts(); ++I)
    if (A.Alike[I] >= TypicalPart) {
      ++Typical;
      Covered += A.At[I + 1] - A.At[I];
    }
  A.Typical = double(Typical) / double(A.parts());
  A.Covered = double(Covered) / double(A.At.back() - A.At.front());
}

double autoprof::analysis::sameOrder(const Anchor &A, const Sequence &S) {
  const uint32_t Run = A.Length >= 10 ? 5 : 3;
  auto RunsOf = [&](size_t Part) {
    std::set<size_t> Result;
    for (uint32_t I = A.At[Part]; I + Run <= A.At[Part + 1]; ++I) {
      llvm::hash_code H(0);
      for (uint32_t W = I; W < I + Run; ++W)
        H = llvm::hash_combine(H, S[W].Word);
      Result.insert(size_t(H));
    }
    return Result;
  };
  auto Share = [](const std::set<size_t> &A, const std::set<size_t> &B) {
    const auto Common =
        llvm::count_if(A, [&](size_t Hash) { return B.count(Hash) > 0; });
    return double(Common) / double(std::max({A.size(), B.size(), size_t(1)}));
  };
  double Sum = 0;
  size_t Asked = 0;
  const size_t Stride = std::max<size_t>(1, A.parts() / Samples);
  for (size_t I = 1; I < A.parts(); I += Stride) {
    const auto Here = RunsOf(I);
    if (Here.empty())
      continue;
    Sum += std::max(Share(Here, RunsOf(I - 1)),
                    I > 1 ? Share(Here, RunsOf(I - 2)) : 0);
    ++Asked;
  }
  return Asked ? Sum / double(Asked) : 1;
}
