// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/steps/Anchors.h"

#include "analysis/common/Statistics.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::None;

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

/// Positions of everything in the sequence, by number: a counting sort.
class Positions {
  std::vector<uint32_t> Begin, Of;

public:
  template <typename KeyOf>
  Positions(const Sequence &S, uint32_t Keys, KeyOf Key) : Begin(Keys + 1) {
    for (const Element &E : S)
      ++Begin[Key(E) + 1];
    for (uint32_t I = 0; I < Keys; ++I)
      Begin[I + 1] += Begin[I];
    Of.resize(S.size());
    std::vector<uint32_t> Next(Begin.begin(), Begin.end() - 1);
    for (uint32_t I = 0; I < S.size(); ++I)
      Of[Next[Key(S[I])]++] = I;
  }
  llvm::ArrayRef<uint32_t> operator[](uint32_t Key) const {
    return llvm::ArrayRef(Of).slice(Begin[Key], Begin[Key + 1] - Begin[Key]);
  }
};

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
  const Positions OfWords(S, All.Words.size(),
                          [](const Element &E) { return E.Word; });
  const Positions OfForms(S, All.Forms.size(),
                          [](const Element &E) { return E.Form; });
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
    llvm::stable_sort(List, [&](const Candidate &A, const Candidate &B) {
      return Score(A) > Score(B);
    });
    for (const Candidate &C : List) {
      Anchor &A = Result.emplace_back();
      A.Word = C.Word;
      A.Form = C.Form;
      A.At = C.At.vec();
      A.Length = C.R.Length;
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
  if (Result.At.size() >= 2)
    Result.Length = regularity(Result.At).Length;
  return Result;
}

namespace {

/// Compares parts with a reference; the counts are kept between parts, which
/// are many.
class Comparer {
  const Counts &Reference;
  const Sequence &S;
  uint64_t Size = 0; ///< Of the reference.
  Counts Part;

public:
  Comparer(const Counts &Reference, const Sequence &S)
      : Reference(Reference), S(S), Part(Reference.size()) {
    for (uint32_t Count : Reference)
      Size += Count;
  }
  float alike(size_t From, size_t To) {
    uint64_t Common = 0;
    for (size_t E = From; E < To; ++E)
      Common += ++Part[S[E].Word] <= Reference[S[E].Word];
    for (size_t E = From; E < To; ++E)
      Part[S[E].Word] = 0;
    // The coefficient of Sorensen and Dice, of multisets.
    return float(2.0 * double(Common) / double(Size + To - From));
  }
};

} // namespace

void autoprof::analysis::judge(Anchor &A, const Sequences &All,
                               const Sequence &S) {
  A.Reference = referenceOf(A, All.Words.size(), S);
  Comparer C(A.Reference, S);
  for (size_t I = 0; I < A.parts(); ++I)
    A.Alike.push_back(C.alike(A.At[I], A.At[I + 1]));
  summarize(A);
}

void autoprof::analysis::summarize(Anchor &A) {
  uint64_t Covered = 0;
  size_t Typical = 0;
  double Sum = 0;
  for (size_t I = 0; I < A.parts(); ++I)
    if (A.Alike[I] >= TypicalPart) {
      ++Typical;
      Sum += A.Alike[I];
      Covered += A.At[I + 1] - A.At[I];
    }
  A.Typical = double(Typical) / double(A.parts());
  A.Covered = double(Covered) / double(A.At.back() - A.At.front());
  A.MeanAlike = Typical ? Sum / double(Typical) : 0;
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
  double Sum = 0;
  size_t Pairs = 0;
  const size_t Stride = std::max<size_t>(1, A.parts() / Samples);
  for (size_t I = 1; I < A.parts(); I += Stride) {
    const auto Here = RunsOf(I), Before = RunsOf(I - 1);
    if (Here.empty() || Before.empty())
      continue;
    const size_t Common = size_t(
        llvm::count_if(Here, [&](size_t H) { return Before.count(H) > 0; }));
    Sum += double(Common) / double(std::max(Here.size(), Before.size()));
    ++Pairs;
  }
  return Pairs ? Sum / double(Pairs) : 1;
}

float autoprof::analysis::alike(const Anchor &A, const Sequence &S, size_t From,
                                size_t To) {
  return Comparer(A.Reference, S).alike(From, To);
}
