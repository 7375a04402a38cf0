// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/Match.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::None;

namespace {

using Table = std::vector<trace::Site>;

/// A function with its places in the order of the source.
struct Function {
  std::string File, Name;
  std::vector<uint32_t> Places; ///< Into the table.
};

/// What a place is within its function.
std::string label(const trace::Site &S) {
  return S.Kind == "function" || S.Kind == "loop" ? "<" + S.Kind + ">"
                                                  : S.Callee;
}

std::vector<Function> functionsOf(const Table &Sites) {
  std::map<std::pair<std::string, std::string>, std::vector<uint32_t>> Found;
  for (uint32_t I = 0; I < Sites.size(); ++I)
    if (!Sites[I].isUserRange())
      Found[{Sites[I].File, Sites[I].Function}].push_back(I);
  std::vector<Function> Result;
  for (auto &[Key, Places] : Found) {
    llvm::sort(Places, [&](uint32_t A, uint32_t B) {
      auto CallerOf = [&](uint32_t I) {
        const auto &From = Sites[I].CalledFrom;
        return std::pair(From ? From->File : "", From ? From->Line : 0);
      };
      return std::tuple(Sites[A].Line, Sites[A].Column, CallerOf(A), A) <
             std::tuple(Sites[B].Line, Sites[B].Column, CallerOf(B), B);
    });
    Result.push_back({Key.first, Key.second, std::move(Places)});
  }
  return Result;
}

/// All longest common subsequences of two lists of labels at once.
class Alignment {
  const std::vector<std::string> &A, &B;
  /// Lengths for the first I of A and J of B, and for all after them.
  std::vector<std::vector<uint32_t>> Before, After;

public:
  Alignment(const std::vector<std::string> &A,
            const std::vector<std::string> &B);
  uint32_t length() const { return After[0][0]; }
  /// Whether a longest one pairs A[I] with B[J].
  bool mayPair(size_t I, size_t J) const {
    return A[I] == B[J] && Before[I][J] + 1 + After[I + 1][J + 1] == length();
  }
};

Alignment::Alignment(const std::vector<std::string> &A,
                     const std::vector<std::string> &B)
    : A(A), B(B), Before(A.size() + 1, std::vector<uint32_t>(B.size() + 1)),
      After(Before) {
  for (size_t I = 0; I < A.size(); ++I)
    for (size_t J = 0; J < B.size(); ++J)
      Before[I + 1][J + 1] = A[I] == B[J]
                                 ? Before[I][J] + 1
                                 : std::max(Before[I][J + 1], Before[I + 1][J]);
  for (size_t I = A.size(); I-- > 0;)
    for (size_t J = B.size(); J-- > 0;)
      After[I][J] = A[I] == B[J] ? After[I + 1][J + 1] + 1
                                 : std::max(After[I + 1][J], After[I][J + 1]);
}

/// An alignment takes as much memory as the product of the lengths.
constexpr size_t LongestAligned = 2000;

class Matcher {
  const Table &Base, &New;
  std::vector<Match> Result;
  std::vector<bool> Used; ///< Of Base.

  std::vector<std::string> labels(const Table &T, const Function &F) const {
    std::vector<std::string> Labels;
    for (uint32_t I : F.Places)
      Labels.push_back(label(T[I]));
    return Labels;
  }
  bool isFree(uint32_t B, uint32_t N) const {
    return !Used[B] && Result[N].Base == None;
  }
  bool haveOneId(uint32_t B, uint32_t N) const {
    return Base[B].Id && Base[B].Id == New[N].Id;
  }
  /// Sure for one id; places without ids are the same where their lines are.
  bool isSure(uint32_t B, uint32_t N) const {
    return haveOneId(B, N) ||
           (!Base[B].Id && !New[N].Id && Base[B].File == New[N].File &&
            Base[B].Line == New[N].Line);
  }
  void pair(uint32_t B, uint32_t N, llvm::StringRef Guess) {
    Result[N] = {B, Guess.str()};
    Used[B] = true;
  }
  void pairSame(const Function &B, const Function &N, llvm::StringRef Reason);
  void pairAligned(const Function &B, const Function &N,
                   const std::vector<std::string> &LB,
                   const std::vector<std::string> &LN, llvm::StringRef Reason);
  void pairDoubtful(const Function &B, const Function &N,
                    const std::vector<std::string> &LB,
                    const std::vector<std::string> &LN);
  void pairFunctions(const Function &B, const Function &N,
                     llvm::StringRef Reason);
  double likeness(const Function &B, const Function &N) const;
  void pairRenamed(const std::vector<Function> &B,
                   const std::vector<Function> &N);
  void pairLeftIds();
  void pairUserRanges();

public:
  Matcher(const Table &Base, const Table &New)
      : Base(Base), New(New), Result(New.size()), Used(Base.size()) {}
  std::vector<Match> run();
};

/// The same calls in the same order.
void Matcher::pairSame(const Function &B, const Function &N,
                       llvm::StringRef Reason) {
  std::map<uint64_t, uint32_t> ById;
  for (uint32_t I : B.Places)
    if (Base[I].Id)
      ById[Base[I].Id] = I;
  for (uint32_t J : N.Places)
    if (auto It = ById.find(New[J].Id); New[J].Id && It != ById.end())
      pair(It->second, J, "");
  for (auto [I, J] : llvm::zip_equal(B.Places, N.Places))
    if (isFree(I, J))
      pair(I, J,
           isSure(I, J)      ? ""
           : !Reason.empty() ? Reason
           : New[J].Id       ? "the parameters of its function changed"
                             : "the lines above it changed");
}

/// Other calls, or another order.
void Matcher::pairAligned(const Function &B, const Function &N,
                          const std::vector<std::string> &LB,
                          const std::vector<std::string> &LN,
                          llvm::StringRef Reason) {
  // The only call of a name needs no neighbors.
  for (size_t I = 0; I < LB.size(); ++I)
    for (size_t J = 0; J < LN.size(); ++J)
      if (LB[I] == LN[J] && llvm::count(LB, LB[I]) == 1 &&
          llvm::count(LN, LN[J]) == 1 && isFree(B.Places[I], N.Places[J]))
        pair(B.Places[I], N.Places[J],
             isSure(B.Places[I], N.Places[J])
                 ? ""
                 : (Reason.empty() ? "calls around it changed" : Reason));
  const Alignment All(LB, LN);
  for (size_t I = 0; I < LB.size(); ++I) {
    std::vector<size_t> Partners;
    for (size_t J = 0; J < LN.size(); ++J)
      if (All.mayPair(I, J))
        Partners.push_back(J);
    if (Partners.size() != 1)
      continue;
    const size_t J = Partners[0];
    size_t Rivals = 0;
    for (size_t Other = 0; Other < LB.size(); ++Other)
      Rivals += All.mayPair(Other, J);
    if (Rivals == 1 && isFree(B.Places[I], N.Places[J]))
      pair(B.Places[I], N.Places[J],
           isSure(B.Places[I], N.Places[J]) ? ""
           : Reason.empty() ? "equal calls were added or removed before it"
                            : Reason);
  }
}

/// What the alignments do not decide is left to the ids, and marked as
/// uncertain.
void Matcher::pairDoubtful(const Function &B, const Function &N,
                           const std::vector<std::string> &LB,
                           const std::vector<std::string> &LN) {
  for (size_t I = 0; I < LB.size(); ++I)
    for (size_t J = 0; J < LN.size(); ++J)
      if (haveOneId(B.Places[I], N.Places[J]) &&
          isFree(B.Places[I], N.Places[J])) {
        const auto Was = llvm::count(LB, LB[I]), Is = llvm::count(LN, LN[J]);
        pair(B.Places[I], N.Places[J],
             N.Name + " calls " + LN[J] + " " + std::to_string(Is) +
                 " times instead of " + std::to_string(Was) +
                 ", so the calls cannot be told apart");
      }
}

void Matcher::pairFunctions(const Function &B, const Function &N,
                            llvm::StringRef Reason) {
  const std::vector<std::string> LB = labels(Base, B), LN = labels(New, N);
  if (LB == LN)
    return pairSame(B, N, Reason);
  if (LB.size() <= LongestAligned && LN.size() <= LongestAligned)
    pairAligned(B, N, LB, LN, Reason);
  pairDoubtful(B, N, LB, LN);
}

/// 1: the same calls in the same order; 0: nothing in common.
double Matcher::likeness(const Function &B, const Function &N) const {
  const std::vector<std::string> LB = labels(Base, B), LN = labels(New, N);
  if (LB.size() > LongestAligned || LN.size() > LongestAligned)
    return 0;
  return 2 * double(Alignment(LB, LN).length()) / double(LB.size() + LN.size());
}

/// Pairs of which each is the other's one best partner.
void Matcher::pairRenamed(const std::vector<Function> &B,
                          const std::vector<Function> &N) {
  constexpr double Moved = 0.6, Renamed = 0.8; // Least likeness.
  struct Candidate {
    size_t B, N;
    double Likeness;
  };
  std::vector<Candidate> All;
  for (size_t I = 0; I < B.size(); ++I)
    for (size_t J = 0; J < N.size(); ++J) {
      const bool SameName = B[I].Name == N[J].Name,
                 SameFile = B[I].File == N[J].File;
      if (SameName == SameFile)
        continue;
      double Likeness = likeness(B[I], N[J]);
      if (Likeness >= (SameName ? Moved : Renamed))
        All.push_back({I, J, Likeness});
    }
  for (const Candidate &C : All)
    if (llvm::all_of(All, [&](const Candidate &Other) {
          return &Other == &C || (Other.B != C.B && Other.N != C.N) ||
                 Other.Likeness < C.Likeness;
        }))
      pairFunctions(B[C.B], N[C.N],
                    B[C.B].Name == N[C.N].Name
                        ? "its file was " + B[C.B].File
                        : "its function was " + B[C.B].Name);
}

/// A function that is only written differently (another version of autoprof).
void Matcher::pairLeftIds() {
  std::map<uint64_t, uint32_t> ById;
  for (uint32_t I = 0; I < Base.size(); ++I)
    if (Base[I].Id && !Used[I])
      ById[Base[I].Id] = I;
  for (uint32_t J = 0; J < New.size(); ++J)
    if (auto It = ById.find(New[J].Id);
        Result[J].Base == None && It != ById.end())
      pair(It->second, J, "");
}

void Matcher::pairUserRanges() {
  std::map<std::pair<std::string, std::string>, uint32_t> ByName;
  for (uint32_t I = 0; I < Base.size(); ++I)
    if (Base[I].isUserRange())
      ByName.try_emplace({Base[I].Function, Base[I].Callee}, I);
  for (uint32_t J = 0; J < New.size(); ++J)
    if (New[J].isUserRange())
      if (auto It = ByName.find({New[J].Function, New[J].Callee});
          It != ByName.end() && isFree(It->second, J))
        pair(It->second, J, "");
}

std::vector<Match> Matcher::run() {
  const std::vector<Function> OfBase = functionsOf(Base),
                              OfNew = functionsOf(New);
  std::map<std::pair<std::string, std::string>, const Function *> ByKey;
  for (const Function &F : OfBase)
    ByKey[{F.File, F.Name}] = &F;
  std::vector<Function> Gone, Added;
  for (const Function &N : OfNew) {
    auto It = ByKey.find({N.File, N.Name});
    if (It == ByKey.end()) {
      Added.push_back(N);
      continue;
    }
    pairFunctions(*It->second, N, "");
    It->second = nullptr;
  }
  for (const Function &F : OfBase)
    if (ByKey[{F.File, F.Name}])
      Gone.push_back(F);
  pairLeftIds();
  pairRenamed(Gone, Added);
  pairUserRanges();
  return std::move(Result);
}

} // namespace

std::vector<Match> analysis::matchSites(const std::vector<trace::Site> &Base,
                                        const std::vector<trace::Site> &New) {
  return Matcher(Base, New).run();
}

size_t DiffPlaces::add() {
  Guesses.emplace_back();
  return Guesses.size() - 1;
}

DiffPlaces::DiffPlaces(const std::vector<RunSummary> &Base,
                       const std::vector<RunSummary> &New) {
  OfBase.emplace_back();
  for (size_t I = 0; I < Base[0].Table.size(); ++I)
    OfBase[0].push_back(add());
  OfNew.emplace_back();
  for (const Match &M : matchSites(Base[0].Table, New[0].Table)) {
    OfNew[0].push_back(M.Base == None ? add() : OfBase[0][M.Base]);
    Guesses[OfNew[0].back()] = M.Guess;
  }
  addRepeats(Base, OfBase);
  addRepeats(New, OfNew);
}

/// Later runs of a side are of the same program, where a guess would be wrong.
void DiffPlaces::addRepeats(const std::vector<RunSummary> &Side,
                            std::vector<std::vector<size_t>> &PlacesOf) {
  for (size_t R = 1; R < Side.size(); ++R) {
    PlacesOf.emplace_back();
    for (const Match &M : matchSites(Side[0].Table, Side[R].Table))
      PlacesOf[R].push_back(
          M.Base != None && M.Guess.empty() ? PlacesOf[0][M.Base] : add());
  }
}
