// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Rules.h"

#include "config/Suggestion.h"

#include "llvm/ADT/STLExtras.h"
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

} // namespace autoprof::audit
