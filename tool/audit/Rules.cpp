// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Rules.h"

#include "config/Suggestion.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <set>
#include <tuple>

namespace autoprof::audit {

#define RULE(CHECK, NAME, DOC)                                                 \
  void CHECK(const Project &, std::vector<Finding> &);
#include "audit/Rules.def"

static const Rule Table[] = {
#define RULE(CHECK, NAME, DOC) {NAME, DOC, CHECK},
#include "audit/Rules.def"
};

llvm::ArrayRef<Rule> rules() { return Table; }

llvm::StringRef name(Severity S) {
  constexpr llvm::StringLiteral Names[] = {"note", "low", "medium", "high"};
  return Names[unsigned(S)];
}

llvm::StringRef name(Confidence C) {
  constexpr llvm::StringLiteral Names[] = {"low", "medium", "high"};
  return Names[unsigned(C)];
}

std::optional<Severity> severityNamed(llvm::StringRef Name) {
  for (Severity S :
       {Severity::Note, Severity::Low, Severity::Medium, Severity::High})
    if (name(S) == Name)
      return S;
  return std::nullopt;
}

std::string nearestRule(llvm::StringRef Name) {
  constexpr llvm::StringLiteral Prefix = "autoprof-";
  std::vector<llvm::StringRef> Known;
  for (const Rule &R : rules())
    Known.push_back(R.Name);
  const std::string Whole = Name.starts_with(Prefix)
                                ? Name.str()
                                : (llvm::Twine(Prefix) + Name).str();
  return nearest(Whole, Known).str();
}

static auto keyOf(const Finding &F) {
  return std::tie(F.Location.File, F.Location.Line, F.Location.Column);
}

/// Rules use CUDA's names; findings in HIP programs get HIP's.
static void renameForHip(const Project &P, Finding &F) {
  if (!F.Site || !P.isHip(F.Site->Function))
    return;
  F.Message = catalogue::inHipNames(F.Message);
  F.Replacement = catalogue::inHipNames(F.Replacement);
  for (std::vector<PathStep> *Steps : {&F.Path, &F.Notes})
    for (PathStep &Step : *Steps)
      Step.Description = catalogue::inHipNames(Step.Description);
  for (FixIt &Fix : F.FixIts)
    Fix.Text = catalogue::inHipNames(Fix.Text);
}

std::vector<Finding> check(const Project &P,
                           llvm::function_ref<bool(llvm::StringRef)> Wants) {
  std::vector<Finding> Result;
  // By location, because a call that a macro repeats is one call in the source.
  std::set<std::tuple<std::string, unsigned, unsigned>> Claimed;
  for (const Rule &R : rules()) {
    std::vector<Finding> Found;
    R.Check(P, Found);
    for (Finding &F : Found) {
      F.Rule = R.Name.str();
      renameForHip(P, F);
      if (Claimed.insert(keyOf(F)).second && Wants(R.Name))
        Result.push_back(std::move(F));
    }
  }
  llvm::sort(Result, [](const Finding &A, const Finding &B) {
    return keyOf(A) < keyOf(B);
  });
  return Result;
}

} // namespace autoprof::audit
