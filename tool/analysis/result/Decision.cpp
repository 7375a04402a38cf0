// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/result/Decision.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;

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
  case analysis::Answer::Change:
    return true;
  case analysis::Answer::NotWorthIt:
  case analysis::Answer::NoWaits:
    return false;
  case analysis::Answer::Unknown:
    break;
  }
  return std::nullopt;
}

ExpectedGain ExpectedGain::scaled(double Share) const {
  auto Part = [Share](int64_t Ns) { return int64_t(Share * double(Ns)); };
  ExpectedGain Result = *this;
  Result.Saved = {Part(Saved.Middle), Part(Saved.Low), Part(Saved.High)};
  return Result;
}

std::optional<ExpectedGain> Decision::gain() const {
  if (!Mild || !Strong)
    return Mild ? Mild : Strong;
  ExpectedGain Both = *Mild;
  Both.Saved.High = std::max(Mild->Saved.High, Strong->Saved.High);
  return Both;
}
