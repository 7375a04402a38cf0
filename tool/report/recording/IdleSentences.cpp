// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Sentences.h"

#include "report/Format.h"
#include "report/recording/CallName.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
using trace::Timeline;

llvm::StringRef report::phrase(Cause C) {
  constexpr llvm::StringLiteral Phrases[NumCauses] = {
      "exposed stall of a wait",
      "launch blocked by a full queue",
      "module or function loading",
      "the recorder itself",
      "CPU busy, not launching",
      "launching takes longer than the GPU work",
      "queued, but started late",
      "waiting for another stream",
      "pause between queued operations",
      "unknown"};
  return Phrases[unsigned(C)];
}

std::string report::rangeName(const Timeline &T, const Reason &R) {
  if (R.Site == trace::None || R.Kind == Cause::ExposedWait)
    return "";
  const trace::Site &S = T.Sites[R.Site];
  return S.Kind == "loop" ? S.Kind : S.Function;
}

/// "called in train (loop at train.cu:12)".
static std::string inRange(const Timeline &T, const Reason &R) {
  if (R.Site == trace::None)
    return " outside all ranges";
  const trace::Site &S = T.Sites[R.Site];
  std::string Text = R.Call == trace::None ? " in " : ", called in ";
  Text += S.Function;
  if (S.Kind == "loop")
    return Text + " (loop at " + place(T, R.Site) + ")";
  return S.File.empty() ? Text : Text + " (" + place(T, R.Site) + ")";
}

int64_t report::idleBasis(const Result &R) {
  if (R.InSteps)
    return R.InSteps->Span;
  int64_t Sum = 0;
  for (const DeviceActivity &D : R.Devices)
    if (D.Ops)
      Sum += D.span();
  return Sum;
}

int64_t report::busyTime(const Result &R) {
  int64_t Sum = 0;
  for (const DeviceActivity &D : R.Devices)
    Sum += D.Busy;
  return Sum;
}

/// ns, of all causes.
static int64_t idleTime(const std::vector<CauseTotal> &Gaps) {
  int64_t Sum = 0;
  for (const CauseTotal &C : Gaps)
    Sum += C.Total;
  return Sum;
}

std::string report::reasonText(const Timeline &T, const Reason &R) {
  const std::string Call = R.Call == trace::None ? "" : T.Strings[R.Call].str();
  switch (R.Kind) {
  case Cause::ExposedWait:
    return "exposed stall of " + (Call.empty() ? "a wait" : Call) +
           (R.Site == trace::None ? "" : " at " + place(T, R.Site));
  case Cause::HostBusy:
    return (Call.empty() ? "CPU busy" : "CPU in " + Call) + inRange(T, R);
  case Cause::LaunchBound:
    return "launching is too slow" + inRange(T, R);
  default:
    return phrase(R.Kind).str() + (Call.empty() ? "" : " (" + Call + ")");
  }
}

std::vector<std::string> report::idleSentences(const Input &Subject) {
  constexpr size_t MaxSentences = 3;
  const bool Inside = Subject.R.InSteps.has_value();
  auto Total = [Inside](const ReasonRow &Row) {
    return Inside ? Row.Steps.Total : Row.Run.Total;
  };
  const int64_t Whole = idleBasis(Subject.R);
  std::vector<const ReasonRow *> Rows;
  for (const ReasonRow &Row : Subject.R.Reasons)
    if ((Row.Key.Kind == Cause::HostBusy ||
         Row.Key.Kind == Cause::LaunchBound ||
         Row.Key.Kind == Cause::QueuedLate) &&
        100 * Total(Row) >= Whole)
      Rows.push_back(&Row);
  llvm::sort(Rows, [&](const ReasonRow *A, const ReasonRow *B) {
    return std::pair(Total(*B), A) < std::pair(Total(*A), B);
  });
  Rows.resize(std::min(Rows.size(), MaxSentences));
  std::vector<std::string> Result;
  for (const ReasonRow *Row : Rows)
    Result.push_back(
        fmt::format("GPU idle {} ({}): {}",
                    Inside ? perStep(Subject, Total(*Row)) + " per step"
                           : duration(Total(*Row)),
                    percent(double(Total(*Row)), double(Whole)),
                    reasonText(Subject.T, Row->Key)));
  const int64_t Outside =
      Inside ? idleTime(Subject.R.Gaps) - idleTime(Subject.R.InSteps->Gaps) : 0;
  if (Outside > 0)
    Result.push_back(
        fmt::format("Outside these steps, the GPU was idle for {} in total",
                    duration(Outside)));
  return Result;
}
