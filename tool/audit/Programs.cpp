// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Programs.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

static bool hasMain(const TranslationUnit &TU) {
  return llvm::any_of(TU.Functions,
                      [](const Function &F) { return F.Name == "main"; });
}

size_t sharedFolders(llvm::StringRef A, llvm::StringRef B) {
  size_t I = 0, Folder = 0;
  for (; I < A.size() && I < B.size() && A[I] == B[I]; ++I)
    if (A[I] == '/')
      Folder = I;
  return Folder;
}

namespace {

struct Program {
  llvm::BitVector Certain, Possible;
};

/// Follows symbol names from unit to unit.
class Finder {
  llvm::ArrayRef<TranslationUnit> Units;
  Programs::UnitOf Lookup;
  Programs::UnitsOf Candidates;

public:
  Finder(llvm::ArrayRef<TranslationUnit> Units, Programs::UnitOf Lookup,
         Programs::UnitsOf Candidates)
      : Units(Units), Lookup(Lookup), Candidates(Candidates) {}

  Program programOf(unsigned Main) const {
    Program Result{llvm::BitVector(Units.size()),
                   llvm::BitVector(Units.size())};
    std::vector<unsigned> Perhaps;
    follow({Main}, Result.Certain, Perhaps);
    Result.Possible = Result.Certain;
    while (!Perhaps.empty()) {
      std::vector<unsigned> Next;
      follow(std::move(Perhaps), Result.Possible, Next);
      Perhaps = std::move(Next);
    }
    return Result;
  }

private:
  /// `Perhaps` receives units of which one defines the name.
  void follow(std::vector<unsigned> Worklist, llvm::BitVector &Reached,
              std::vector<unsigned> &Perhaps) const {
    auto Reach = [&Reached](unsigned Unit, std::vector<unsigned> &List) {
      if (!Reached.test(Unit))
        List.push_back(Unit);
    };
    while (!Worklist.empty()) {
      const unsigned Unit = Worklist.back();
      Worklist.pop_back();
      if (Reached.test(Unit))
        continue;
      Reached.set(Unit);
      for (const std::string &Usr : Units[Unit].Elsewhere) {
        if (const int Next = Lookup(Usr, Unit); Next >= 0)
          Reach(Next, Worklist);
        else
          for (unsigned Candidate : Candidates(Usr))
            if (!hasMain(Units[Candidate]))
              Reach(Candidate, Perhaps);
      }
    }
  }
};

} // namespace

Programs::Programs(llvm::ArrayRef<TranslationUnit> Units, UnitOf Lookup,
                   UnitsOf Candidates) {
  const Finder TheFinder(Units, Lookup, Candidates);
  std::vector<Program> List;
  std::vector<unsigned> Mains;
  for (unsigned I = 0; I < Units.size(); ++I)
    if (hasMain(Units[I])) {
      Mains.push_back(I);
      List.push_back(TheFinder.programOf(I));
    }
  Certain.assign(Units.size(), llvm::BitVector(List.size()));
  Possible = Certain;
  for (unsigned P = 0; P < List.size(); ++P) {
    for (unsigned I : List[P].Certain.set_bits())
      Certain[I].set(P);
    for (unsigned I : List[P].Possible.set_bits())
      Possible[I].set(P);
  }
  addOrphans(Units, Mains);
}

void Programs::addOrphans(llvm::ArrayRef<TranslationUnit> Units,
                          llvm::ArrayRef<unsigned> Mains) {
  for (unsigned I = 0; I < Units.size(); ++I) {
    if (Possible[I].any() || llvm::is_contained(Mains, I))
      continue;
    auto Nearness = [&](unsigned P) {
      return sharedFolders(Units[I].MainFile, Units[Mains[P]].MainFile);
    };
    size_t Nearest = 0;
    for (unsigned P = 0; P < Mains.size(); ++P)
      Nearest = std::max(Nearest, Nearness(P));
    for (unsigned P = 0; P < Mains.size(); ++P)
      if (Nearness(P) == Nearest)
        Possible[I].set(P);
  }
}

bool Programs::mayShare(unsigned A, unsigned B) const {
  return Certain[A].anyCommon(Possible[B]) ||
         Possible[A].anyCommon(Certain[B]) ||
         (Certain[A].none() && Certain[B].none());
}

} // namespace autoprof::audit
