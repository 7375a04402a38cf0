// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A calibration that takes precedence over the catalogue. A question is what is
// known of a call's arguments: for each fact, the values that are still
// possible. This is a box with one dimension per fact, and so are the arguments
// of an observation. Observations answer a question if
//
// - together they cover its box: every case that is still possible was
//   measured, and
// - all that intersect the box agree.
//
// Otherwise the catalogue's own rows answer: observations that the catalogue's
// facts cannot tell apart and that contradict each other (a copy that waits at
// one size and not at another of the same class) prove neither.
#include "catalogue/Semantics.h"

using namespace autoprof::catalogue;

namespace {

/// A file may contain anything; real files stay far below this limit.
constexpr unsigned MaxSteps = 2000;

using Boxes = llvm::ArrayRef<const Observation *>;

/// Whether every case of `Question` is in one of the boxes: what the first does
/// not cover, fact by fact, the others must.
bool areCovering(Boxes Cover, Facts Question, unsigned &Steps) {
  while (!Cover.empty() && (Cover.front()->Known & Question).impossible())
    Cover = Cover.drop_front();
  if (Cover.empty() || ++Steps > MaxSteps)
    return false;
  const Facts &First = Cover.front()->Known;
  for (unsigned I = 0; I < NumFacts; ++I) {
    Facts Rest = Question;
    Rest.Possible[I] &= ~First.Possible[I];
    if (Rest.Possible[I] && !areCovering(Cover.drop_front(), Rest, Steps))
      return false;
    Question.Possible[I] &= First.Possible[I];
  }
  return true;
}

/// "Every value", as the values that exist.
Facts bounded(Facts F) {
  for (unsigned I = 0; I < NumFacts; ++I)
    F.Possible[I] &= everyValue(Fact(I));
  return F;
}

/// What the observations that intersect the question agree on, if they answer
/// it.
std::optional<Verdict> measured(const Row &General, const Facts &Question,
                                const Semantics &Measured) {
  std::vector<const Observation *> Meeting;
  std::optional<Verdict> Result;
  for (const Observation &O : Measured.Observations) {
    if (!O.Foreign.empty() || (O.Known & Question).impossible() ||
        lookup(O.Call) != &General)
      continue;
    std::optional<Verdict> Says = verdict(O, Measured.QueuedNs);
    if (!Says)
      continue;
    if (Result && mayWait(Result->Wait) != mayWait(Says->Wait))
      return std::nullopt;
    if (!Result || Says->Target > Result->Target || Says->Wait == Waits::Slow)
      Result = Says;
    Meeting.push_back(&O);
  }
  unsigned Steps = 0;
  return areCovering(Meeting, bounded(Question), Steps) ? Result : std::nullopt;
}

} // namespace

Answer autoprof::catalogue::ask(const Row &General, const Facts &Known,
                                const Semantics *Measured) {
  Answer Result = ask(General, Known);
  if (!Measured)
    return Result;
  std::optional<Verdict> Says = measured(General, settled(Known), *Measured);
  if (!Says)
    return Result;
  Result.Measured = Measured;
  Result.Source = "measured here: " + machine(*Measured);
  if (agrees(*Says, Result))
    return Result;
  Result.Wait = Says->Wait;
  Result.Target = Says->Target;
  Result.Reason = Says->Wait == Waits::Slow ? "as measured here" : "";
  Result.Replacement =
      Says->Wait == Waits::No ? "" : llvm::StringRef(General.Replacement);
  return Result;
}

bool autoprof::catalogue::agrees(const Verdict &Seen, const Answer &Said) {
  if (Said.Wait == Waits::Maybe || mayWait(Said.Wait) != mayWait(Seen.Wait))
    return false;
  if (mayWait(Seen.Wait))
    return Said.Target == Seen.Target || Said.Target == WaitsFor::Event;
  return Seen.Wait == Waits::No || Said.Wait == Waits::Slow;
}

std::vector<Difference>
autoprof::catalogue::differences(const Semantics &Measured) {
  std::vector<Difference> Result;
  for (const Observation &O : Measured.Observations) {
    const Row *General = lookup(O.Call);
    std::optional<Verdict> Says = verdict(O, Measured.QueuedNs);
    if (!General || !Says || !O.Foreign.empty())
      continue;
    Answer Said = ask(*General, O.Known);
    if (!agrees(*Says, Said))
      Result.push_back({&O, *Says, std::move(Said)});
  }
  return Result;
}

std::string autoprof::catalogue::machine(const Semantics &S) {
  std::string Result = S.Gpu;
  if (!S.Driver.empty())
    Result += ", driver " + S.Driver;
  if (!S.Cuda.empty())
    Result += ", CUDA " + S.Cuda;
  if (S.Gpus > 1)
    Result += ", " + std::to_string(S.Gpus) + " GPUs";
  return Result;
}
