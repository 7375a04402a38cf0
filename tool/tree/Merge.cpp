// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tree/Merge.h"

#include "source/text/ProbeText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using llvm::StringRef;
using namespace autoprof::source;

namespace autoprof::tree {

template <typename PlaceT> Merge::Key Merge::keyOf(const PlaceT &P) {
  return {P.Location.File, P.Location.Line, P.Location.Column, P.Kind,
          P.Callee};
}

static std::string withoutId(std::string Text) {
  if (size_t Pos = Text.find("0x"); Pos != std::string::npos)
    Text.replace(Pos, 18, "");
  return Text;
}

/// Whether both have the same text at the same place, apart from the probe's
/// id.
static bool isSameForm(const Edit &A, const Edit &B) {
  return std::tie(A.Offset, A.Order, A.End) ==
             std::tie(B.Offset, B.Order, B.End) &&
         withoutId(A.Text) == withoutId(B.Text) &&
         withoutId(A.Closing) == withoutId(B.Closing);
}

static bool isSameForm(llvm::ArrayRef<Edit> A, llvm::ArrayRef<Edit> B) {
  return A.size() == B.size() && std::equal(A.begin(), A.end(), B.begin(),
                                            [](const Edit &X, const Edit &Y) {
                                              return isSameForm(X, Y);
                                            });
}

/// Whether probe `A` also works in place of `B`: a block is a statement
/// wherever a prefix begins one, and the form for expressions in C is valid in
/// C++.
static bool replaces(llvm::ArrayRef<Edit> A, llvm::ArrayRef<Edit> B) {
  return A.size() == 1 && B.size() == 1 && A[0].Offset == B[0].Offset &&
         StringRef(A[0].Text).contains("AP_SITE_SCOPE(") &&
         StringRef(B[0].Text).contains("AP_SITE(") &&
         (B[0].Closing.empty() || A[0].End == B[0].End);
}

static std::vector<Edit> withIdOf(llvm::ArrayRef<Edit> Id,
                                  std::vector<Edit> Changes) {
  std::string &Text = Changes[0].Text;
  Text.replace(Text.find("0x"), 18,
               Id[0].Text.substr(Id[0].Text.find("0x"), 18));
  return Changes;
}

Merge::EditsById Merge::takeFiles(Rewriting &R) {
  EditsById Result;
  for (EditedFile &F : R.Files) {
    const std::string Path = F.File.getName().str();
    auto [Known, New] = Files.try_emplace(Path);
    if (New)
      Known->second = {F.Original, RuleOf(Path, F.Original)};
    else if (Known->second.Text != F.Original)
      Known->second.Handling.Refused = "the file changed while it was read";
    for (Edit &E : F.Changes) {
      std::optional<uint64_t> Id = probeId(E.Text);
      if (!Id)
        llvm::report_fatal_error("an edit that is not a probe");
      auto &Found = Result[*Id];
      Found.first = Path;
      Found.second.push_back(std::move(E));
    }
  }
  return Result;
}

void Merge::add(StringRef Main, StringRef Name, Rewriting R) {
  Units.push_back(Name.str());
  EditsById Edits = takeFiles(R);
  for (const Site &S : R.Sites) {
    auto Found = Edits.find(S.Id);
    if (Found == Edits.end())
      continue;
    addPlace(S, Found->second.first, std::move(Found->second.second));
    Tables[Main.str()].insert(keyOf(S));
  }
  for (Skipped &S : R.NotInstrumented)
    Skips[keyOf(S)].emplace_back(Units.size() - 1, std::move(S));
}

void Merge::addPlace(const Site &S, StringRef Path, std::vector<Edit> Changes) {
  const unsigned Unit = Units.size() - 1;
  auto [It, New] = Places.try_emplace(keyOf(S));
  Place &P = It->second;
  if (New)
    P = {S, Path.str(), std::move(Changes), {Unit}, ""};
  else if (P.File == Path && replaces(Changes, P.Changes))
    P.Changes = withIdOf(P.Changes, std::move(Changes));
  else if (P.File != Path ||
           !(isSameForm(P.Changes, Changes) || replaces(P.Changes, Changes)))
    refuse(P, *P.Units.begin(), Unit, "need different probes here");
  P.Units.insert(Unit);
}

void Merge::refuse(Place &P, unsigned A, unsigned B, StringRef Reason) {
  if (P.Refused.empty())
    P.Refused =
        (Units[A] + " and " + Units[B] + " " + Reason + ", and share this text")
            .str();
}

/// Refuses probes of one unit at places where another unit cannot have one.
void Merge::refuseSkipped() {
  for (auto &[PlaceKey, P] : Places) {
    auto Found = Skips.find(PlaceKey);
    if (Found == Skips.end())
      continue;
    for (const auto &[Unit, S] : Found->second)
      if (!P.Units.count(Unit) && P.Refused.empty())
        P.Refused = Units[Unit] +
                    " shares this text and can have no probe "
                    "here: " +
                    S.Reason;
  }
}

static unsigned firstOf(const std::set<unsigned> &Units) {
  return *Units.begin();
}

static bool haveCommon(const std::set<unsigned> &A,
                       const std::set<unsigned> &B) {
  return llvm::any_of(A, [&](unsigned Unit) { return B.count(Unit) != 0; });
}

/// Whether the two cannot both be in one text, although no unit has both. A
/// range and a site may begin at the same offset; otherwise two edits at one
/// offset are two views of one expression. Ranges of text must not overlap
/// partially.
static bool clash(const Edit &A, const Edit &B) {
  if (A.Offset == B.Offset)
    return (A.Order == Rank::Range) == (B.Order == Rank::Range) &&
           !isSameForm(A, B);
  const Edit &First = A.Offset < B.Offset ? A : B;
  const Edit &Second = A.Offset < B.Offset ? B : A;
  return !Second.Closing.empty() && Second.Offset < First.End &&
         First.End < Second.End;
}

void Merge::refuseClashes(llvm::ArrayRef<Place *> InFile) {
  for (size_t I = 0; I < InFile.size(); ++I)
    for (size_t J = I + 1; J < InFile.size(); ++J) {
      Place &A = *InFile[I], &B = *InFile[J];
      // In the order of offsets, no later edit can conflict with A any more.
      if (B.Changes[0].Offset > A.Changes[0].Offset &&
          B.Changes[0].Offset >= A.Changes[0].End)
        break;
      if (haveCommon(A.Units, B.Units) || !clash(A.Changes[0], B.Changes[0]))
        continue;
      const unsigned UnitA = firstOf(A.Units), UnitB = firstOf(B.Units);
      refuse(A, UnitA, UnitB, "need different probes here");
      refuse(B, UnitA, UnitB, "need different probes here");
    }
}

void Merge::refuseSameIds(llvm::ArrayRef<Place *> InFile) {
  std::map<uint64_t, Place *> First;
  for (Place *P : InFile) {
    auto [It, New] = First.try_emplace(P->Site.Id, P);
    if (!New)
      refuse(*P, firstOf(It->second->Units), firstOf(P->Units),
             "see different calls in this function");
  }
}

/// The places that are still candidates, in the order of offsets.
std::map<std::string, std::vector<Merge::Place *>> Merge::placesByFile() {
  std::map<std::string, std::vector<Place *>> Result;
  for (auto &[PlaceKey, P] : Places)
    if (P.Refused.empty())
      Result[P.File].push_back(&P);
  for (auto &[Path, InFile] : Result)
    llvm::sort(InFile, [](const Place *A, const Place *B) {
      return std::tie(A->Changes[0].Offset, A->Changes[0].Order, A->Site.Id) <
             std::tie(B->Changes[0].Offset, B->Changes[0].Order, B->Site.Id);
    });
  return Result;
}

Merged Merge::take() {
  for (auto &[PlaceKey, P] : Places)
    if (P.Refused.empty())
      P.Refused = Files[P.File].Handling.Refused;
  refuseSkipped();
  for (auto &[Path, InFile] : placesByFile())
    refuseClashes(InFile);
  for (auto &[Path, InFile] : placesByFile())
    refuseSameIds(InFile);

  Merged Result;
  std::map<std::string, MergedFile> Out;
  auto FileAt = [&](const std::string &Path) -> MergedFile & {
    MergedFile &F = Out[Path];
    F.Path = Path;
    F.Text = Files[Path].Text;
    return F;
  };
  for (auto &[Path, InFile] : placesByFile())
    if (!Files[Path].Handling.HasProbes)
      for (Place *P : InFile)
        llvm::append_range(FileAt(Path).Probes, P->Changes);
  for (auto &[PlaceKey, P] : Places) {
    const Site &S = P.Site;
    if (P.Refused.empty())
      Result.Sites.push_back(S);
    else
      Result.NotInstrumented.push_back(
          {S.Kind, S.Location, S.Function, S.Callee, P.Refused,
           P.Refused == Files[P.File].Handling.Refused});
  }
  for (auto &[PlaceKey, Reasons] : Skips)
    if (auto P = Places.find(PlaceKey);
        P == Places.end() || P->second.Refused.empty())
      Result.NotInstrumented.push_back(Reasons.front().second);
  for (const auto &[Main, Keys] : Tables) {
    const Rule &Handling = Files[Main].Handling;
    if (Handling.HasProbes || !Handling.Refused.empty())
      continue;
    for (const Key &PlaceKey : Keys)
      if (const Place &P = Places[PlaceKey]; P.Refused.empty())
        FileAt(Main).Table.push_back(P.Site);
  }
  for (auto &[Path, F] : Out)
    Result.Files.push_back(std::move(F));
  llvm::sort(Result.NotInstrumented, [](const Skipped &A, const Skipped &B) {
    return keyOf(A) < keyOf(B);
  });
  return Result;
}

} // namespace autoprof::tree
