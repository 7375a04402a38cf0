// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Finding.h"

#include "config/Suggestion.h"

#include "llvm/ADT/Twine.h"

namespace autoprof::audit {

static const Rule Table[] = {
#define RULE(NAME, DOC) {NAME, DOC},
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

llvm::StringRef name(Silence S) {
  constexpr llvm::StringLiteral Names[] = {
      "accepted",   "comment",       "not_chosen",   "outside_loops",
      "error_path", "once",          "leaves_loop",  "no_launches",
      "no_rule",    "other_finding", "not_expected", "may_wait",
      "not_read",   "ambiguous",     "changed",      "not_in_sources",
      "no_place"};
  return Names[unsigned(S)];
}

llvm::StringRef describe(Silence S) {
  constexpr llvm::StringLiteral Words[SilenceKinds] = {
      "with findings that the baseline accepts",
      "with findings that comments silence",
      "excluded by --checks or .autoprof",
      "outside loops",
      "on error paths",
      "in branches that run once",
      "in branches that leave the loop, or in loops over devices",
      "in loops that are not known to launch kernels",
      "in launching loops, but no rule applies",
      "named in a note of another finding"};
  return Words[unsigned(S)];
}

Silence whySilent(const Project &P, const Findings &All, const LinkedSite &S) {
  if (S.OnErrorPath)
    return Silence::ErrorPath;
  const std::vector<Scope> &Scopes = P.functionOf(S).Scopes;
  bool InLoop = false;
  for (int I = S.Model->Scope; I >= 0; I = Scopes[I].Parent) {
    if (Scopes[I].Class == Scope::Once)
      return Silence::RunsOnce;
    InLoop |= Scopes[I].Class == Scope::Loop;
  }
  switch (All.Seen[&S - P.sites().data()]) {
  case SiteSeen::InLaunchingLoop:
    return Silence::NoRule;
  case SiteSeen::InLoop:
    return Silence::LeavesLoop;
  case SiteSeen::NotInLoop:
    break;
  }
  return InLoop ? Silence::NoLaunches : Silence::OutsideLoops;
}

} // namespace autoprof::audit
