// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the rules.
#include "audit/Finding.h"
#include "audit/rules/Rules.h"

#include "llvm/ADT/STLExtras.h"

#include <set>
#include <tuple>

namespace autoprof::audit {

static auto keyOf(const Finding &F) {
  return std::tie(F.Location.File, F.Location.Line, F.Location.Column);
}

/// Rules use CUDA's names; findings in HIP programs get HIP's.
static void renameForHip(const Project &P, Finding &F) {
  if (!F.Site || !P.isHip(F.Site->Function))
    return;
  F.Message = catalogue::inHipNames(F.Message);
  F.Replacement = catalogue::inHipNames(F.Replacement);
  for (std::vector<SharedStep> *Steps : {&F.Path, &F.Notes})
    for (SharedStep &Step : *Steps)
      Step = {Step->Location, catalogue::inHipNames(Step->Description),
              Step->EndsObject};
}

/// The order of the source; of the pairs of one call, that of their loops.
static void arrangeFindings(Findings &F) {
  auto LoopOf = [&](const Finding &Found) {
    const Place At = Found.Loop < 0 ? Place() : F.Loops[Found.Loop].Location;
    return std::tuple(At.File, At.Offset, Found.Order);
  };
  llvm::stable_sort(F.All, [&](const Finding &A, const Finding &B) {
    return keyOf(A) != keyOf(B) ? keyOf(A) < keyOf(B) : LoopOf(A) < LoopOf(B);
  });
}

/// Rules about calls, wherever they are.
static const struct {
  llvm::StringLiteral Name;
  void (*Check)(const Project &, std::vector<Finding> &);
} Anywhere[] = {{"autoprof-unsafe-early-read", checkUnsafeEarlyRead},
                {"autoprof-unsafe-buffer-lifetime", checkUnsafeBufferLifetime}};

Findings check(const Project &P,
               llvm::function_ref<bool(llvm::StringRef)> Wants) {
  // Wrong results come before lost time: at their calls, nothing else is said.
  std::set<std::tuple<std::string, unsigned, unsigned>> Claimed;
  std::vector<Finding> Wrong;
  for (const auto &[Name, Check] : Anywhere) {
    std::vector<Finding> Found;
    Check(P, Found);
    for (Finding &F : Found) {
      F.Rule = Name.str();
      if (Claimed.insert(keyOf(F)).second)
        Wrong.push_back(std::move(F));
    }
  }
  Findings Result = findWaits(P, {describe, findRaces});
  // Each race once, whichever path shows it.
  for (Finding &F : Result.All)
    if (F.Loop < 0 && Claimed.insert(keyOf(F)).second)
      Wrong.push_back(std::move(F));
  llvm::erase_if(Result.All, [&](const Finding &F) {
    return F.Loop < 0 || Claimed.count(keyOf(F)) != 0;
  });
  std::move(Wrong.begin(), Wrong.end(), std::back_inserter(Result.All));
  llvm::erase_if(Result.All, [&](const Finding &F) { return !Wants(F.Rule); });
  for (Finding &F : Result.All)
    renameForHip(P, F);
  arrangeFindings(Result);
  arrangeLoops(Result);
  return Result;
}

} // namespace autoprof::audit
