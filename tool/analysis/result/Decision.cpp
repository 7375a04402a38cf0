// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/result/Decision.h"

using namespace autoprof;
using namespace autoprof::analysis;

constexpr llvm::StringLiteral VerdictNames[] = {
    "", "remove", "postpone", "make_async", "keep", "not_worth_it"};

llvm::StringRef autoprof::analysis::name(Verdict V) {
  return VerdictNames[unsigned(V)];
}

Verdict autoprof::analysis::verdictOf(llvm::StringRef Name) {
  for (Verdict V : {Verdict::Remove, Verdict::Postpone, Verdict::MakeAsync,
                    Verdict::Keep, Verdict::NotWorthIt})
    if (Name == name(V))
      return V;
  return Verdict::None;
}

llvm::StringRef autoprof::analysis::phrase(Verdict V) {
  constexpr llvm::StringLiteral Phrases[] = {
      "",     "remove",      "postpone to first use", "make asynchronous",
      "keep", "not worth it"};
  return Phrases[unsigned(V)];
}

Edit autoprof::analysis::editOf(Verdict V) {
  switch (V) {
  case Verdict::Remove:
    return Edit::Remove;
  case Verdict::Postpone:
    return Edit::Postpone;
  case Verdict::MakeAsync:
    return Edit::MakeAsync;
  case Verdict::None:
  case Verdict::Keep:
  case Verdict::NotWorthIt:
    break;
  }
  return Edit::None;
}

std::optional<bool> Decision::isWorthwhile() const {
  switch (Answer) {
  case analysis::Answer::ChangeWait:
  case analysis::Answer::ChangeTransfer:
    return true;
  case analysis::Answer::NotWorthIt:
  case analysis::Answer::NoWaits:
    return false;
  case analysis::Answer::Unknown:
    break;
  }
  return std::nullopt;
}
