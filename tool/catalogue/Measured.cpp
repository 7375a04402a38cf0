// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catalogue/Measured.h"

#include "catalogue/SemanticsJson.h"

#include "llvm/Support/ErrorHandling.h"

using namespace autoprof::catalogue;

namespace {

/// Made by the build from measured/*.json.
constexpr llvm::StringLiteral Files[] = {
#include "catalogue/Measured.inc"
};

#define AUTOPROF_EXPLAIN(CALL, WHAT, WHY) {#CALL, WHAT, WHY},
constexpr Explanation Explanations[] = {
#include "catalogue/explained.def"
};

std::vector<Semantics> readAll() {
  std::vector<Semantics> Result;
  for (llvm::StringRef Json : Files) {
    llvm::Expected<Semantics> S = readSemantics(Json);
    if (!S)
      llvm::report_fatal_error("a file of tool/catalogue/measured: " +
                               llvm::Twine(llvm::toString(S.takeError())));
    Result.push_back(std::move(*S));
  }
  return Result;
}

} // namespace

llvm::ArrayRef<Semantics> autoprof::catalogue::shipped() {
  static const std::vector<Semantics> All = readAll();
  return All;
}

ObservationIndex::ObservationIndex(
    llvm::ArrayRef<const Semantics *> Calibrations) {
  for (const Semantics *S : Calibrations)
    for (const Observation &O : S->Observations)
      if (const Row *General = lookup(O.Call))
        ByCall[General].push_back({S, &O, verdict(O, S->QueuedNs)});
}

llvm::ArrayRef<Seen> ObservationIndex::of(const Row &General) const {
  auto It = ByCall.find(&General);
  if (It == ByCall.end())
    return {};
  return It->second;
}

std::vector<Seen> ObservationIndex::under(const Row &Speaking) const {
  std::vector<Seen> Result;
  const Row *General = lookup(Speaking.Name);
  for (const Seen &S : of(*General))
    if (S.O->Foreign.empty() &&
        ask(*General, S.O->Known).Rows.front() == &Speaking)
      Result.push_back(S);
  return Result;
}

const Explanation *autoprof::catalogue::explanation(const Observation &O) {
  for (const Explanation &E : Explanations)
    if (E.Call == llvm::StringRef(O.Call) &&
        E.Arguments == llvm::StringRef(O.Arguments))
      return &E;
  return nullptr;
}
