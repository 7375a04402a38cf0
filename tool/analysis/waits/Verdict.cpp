// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/waits/Verdict.h"

using namespace autoprof;
using namespace autoprof::analysis;
using catalogue::CallClass;

llvm::StringRef autoprof::analysis::name(Verdict V) {
  constexpr llvm::StringLiteral Names[] = {
      "", "remove", "postpone", "make_async", "keep", "not_worth_it"};
  return Names[unsigned(V)];
}

llvm::StringRef autoprof::analysis::phrase(Verdict V) {
  constexpr llvm::StringLiteral Phrases[] = {
      "",     "remove",      "postpone to first use", "make asynchronous",
      "keep", "not worth it"};
  return Phrases[unsigned(V)];
}

namespace {

Judgement judgeWorthwhile(const Evidence &E) {
  if (!E.Row)
    return {Verdict::Keep, "no cheaper form of this call is known"};
  std::string Replacement = E.Row->Replacement.str();
  bool Async = E.Row->Name.ends_with("Async");
  if (E.Row->Target == catalogue::WaitsFor::Event)
    return {Verdict::Postpone, Replacement};
  if (E.Row->Class == CallClass::Sync)
    return {Verdict::Remove,
            "unless the CPU reads a result immediately after it: " +
                Replacement};
  if (E.Row->Class == CallClass::Copy && !Async &&
      E.Copy == trace::Direction::DtoH)
    return {Verdict::Postpone, Replacement + ", for example one step later"};
  if (Replacement.empty())
    return {Verdict::Keep, "no cheaper form of this call is known"};
  return {Verdict::MakeAsync, Replacement};
}

} // namespace

Judgement autoprof::analysis::judge(const Evidence &E) {
  if (E.Wait <= 0)
    return {};
  if (E.IsWorthIt) {
    Judgement Result =
        E.OnlyRemoving ? Judgement{Verdict::Remove,
                                   "or call it less often: its own CPU time "
                                   "costs more than the wait"}
                       : judgeWorthwhile(E);
    if (E.Torch)
      Result.Advice = E.Torch->Advice.str();
    return Result;
  }
  // The GPU was busy during half of it, and there is nothing to gain: give the
  // reason.
  bool Busy = 2 * E.Exposed < E.Wait;
  if (Busy)
    return {Verdict::NotWorthIt,
            "the GPU stays busy meanwhile, so the wait costs almost nothing"};
  return {Verdict::NotWorthIt,
          E.OfSteps ? "the estimated gain is less than 1 % of the step time"
                    : "the estimated gain is less than 1 % of the GPU's span"};
}
