// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The summary: names and values, first of the steps, then of the run.
#include "analysis/common/Statistics.h"
#include "analysis/steps/StepCandidates.h"
#include "report/Format.h"
#include "report/recording/Sections.h"
#include "report/recording/Sentences.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

/// Waits of threads that wait at the same time may exceed the time.
static const char *ofThreads(int64_t Waited, int64_t Time) {
  return Waited > Time ? " (threads together)" : "";
}

namespace {

using Lines = std::vector<std::pair<std::string, Phrase>>;

std::string warmUpText(size_t Steps) {
  if (!Steps)
    return "";
  if (Steps == 1)
    return ", the first is warm-up and not measured";
  return fmt::format(", the first {} are warm-up and not measured",
                     count(Steps));
}

std::string emptyText(size_t Runs) {
  if (!Runs)
    return "";
  return fmt::format("; {} without GPU work {} left out",
                     Runs == 1 ? "1 more" : count(Runs) + " more",
                     Runs == 1 ? "is" : "are");
}

bool isMuch(const BlockedCalls &Blocked, int64_t Time) {
  return Blocked.Count && 100 * Blocked.Time >= Time;
}

/// "456 ms in total (47.0 % of the time), of which 211 ms in the steps (89.8 %
/// of their CPU time): ...".
std::string blockedText(const Result &R) {
  std::string Text =
      fmt::format("{} in total ({} of the time)", duration(R.Blocked.Time),
                  percent(double(R.Blocked.Time), double(R.Recorded)));
  if (R.InSteps)
    Text += fmt::format(
        ", of which {} in the steps ({} of their CPU time)",
        duration(R.InSteps->Blocked.Time),
        percent(double(R.InSteps->Blocked.Time), double(R.InSteps->HostTime)));
  return Text + ": the GPU's command queue was full. While the GPU is "
                "busy, this costs nothing";
}

/// "mean 236 us, ": a median shows nothing of unlike steps.
std::string meanOfKinds(const Input &Subject) {
  if (Subject.R.Kinds.empty() || !Subject.R.InSteps)
    return "";
  return "mean " + perStep(Subject, Subject.R.InSteps->Span) + ", ";
}

void addSteps(Lines &Output, const Input &Subject) {
  const Result &R = Subject.R;
  const Steps &S = R.Steps;
  if (!S.SourceOfWhole.empty()) {
    Output.push_back(
        {"steps", "none: the window contains no complete step of the recording "
                  "(" +
                      S.SourceOfWhole + "); choose a longer --window"});
    return;
  }
  if (S.List.empty()) {
    Output.push_back(
        {"steps", std::string("none found (") +
                      (R.WaitsKnown ? "no range launched most of the GPU work, "
                                      "and no sequence of operations repeats"
                       : !Subject.T.Throttled.empty()
                           ? "throttled loops are not counted"
                           : "no loop with probes ran three times") +
                      (findStepCandidates(Subject.T).empty()
                           ? ")"
                           : "; select one with --step=NAME)")});
    return;
  }
  std::string Sure;
  if (S.From == StepsFrom::Repetition)
    Sure = fmt::format(", with {} confidence", analysis::name(S.Sure).str());
  Output.push_back(
      {"steps", fmt::format("{} ({}{}{}{}){}", count(S.List.size()), S.Source,
                            Sure, warmUpText(S.WarmUp), emptyText(S.Empty),
                            phaseShare(Subject))});
  for (const std::string &Phase : otherPhases(Subject))
    Output.push_back({"other phase", Phase});
  if (const std::string Inner = innerText(Subject); !Inner.empty())
    Output.push_back({"inside a step", Inner});
  std::vector<int64_t> Times = S.times();
  Output.push_back(
      {"step time",
       Times.empty()
           ? "unknown: no two consecutive steps were recorded"
           : fmt::format("{}median {}, p95 {}{}", meanOfKinds(Subject),
                         duration(median(Times)),
                         duration(quantile(Times, 0.95)),
                         S.FromGpu ? "" : " (host time)")});
  if (const auto &I = R.InSteps)
    Output.push_back(
        {"in the steps",
         fmt::format("GPU busy {}, CPU waiting {}{}{}, exposed stall {} of the "
                     "time (mean step {})",
                     percent(double(I->Busy), double(I->Span)),
                     percent(double(I->Waited), double(I->HostTime)),
                     ofThreads(I->Waited, I->HostTime), blockedShare(*I),
                     percent(double(I->exposed()), double(I->Span)),
                     perStep(Subject, I->Span))});
  if (S.FromGpu)
    Output.push_back(
        {"lead at step end", fmt::format("{} of GPU work queued, median",
                                         duration(median(S.leads())))});
}

/// "steps 3:8 of train_step (5 of 120 steps), 41 ms in 2 parts", or "2 parts of
/// the run, 41 ms" if no part was planned: the program or autoprof attach
/// paused the recording.
std::string recordedText(const Input &Subject) {
  const trace::Windows &W = Subject.T.Recorded;
  const std::string Time = duration(Subject.R.Recorded);
  const bool IsOne = W.List.size() <= 1;
  const std::string Parts =
      IsOne ? "a part" : fmt::format("{} parts", count(W.List.size()));
  if (W.PlansAll && !W.EndsWithRead)
    return fmt::format("{} of the run, {}", Parts, Time);
  std::string Counted;
  if (W.StepsSeen && W.StepsRecorded)
    Counted = fmt::format(" ({} of {} steps)", count(*W.StepsRecorded),
                          count(*W.StepsSeen));
  return fmt::format("{}{}, {}{}", Subject.T.plan(), Counted, Time,
                     IsOne ? "" : " in " + Parts);
}

/// "2 s to 3.5 s of 30.1 s (--window=2s:3.5s); 12,000 host events and 9,000 GPU
/// operations outside of it are left out".
std::string partText(const trace::Cut &C) {
  return fmt::format(
      "{} to {} of {} (--window={}); {} host events and {} GPU operations "
      "outside it are not analyzed",
      duration(C.Kept.Start - C.Whole.Start),
      duration(C.Kept.End - C.Whole.Start),
      duration(C.Whole.End - C.Whole.Start), C.Asked, count(C.HostEvents),
      count(C.Operations));
}

/// The basis of the answers about changes, in a long recording.
std::string sampleText(const Result &R) {
  const StepSample &S = *R.WhatIfs.Sampled;
  if (!S.Steps)
    return "single waits only: with more than a million GPU operations, other "
           "changes are replayed in a sample of steps, and no step qualified";
  return fmt::format("changes other than removing one wait were replayed in {} "
                     "of the {} measured steps and scaled to all; these steps "
                     "take {} on average, all steps {}",
                     count(S.Steps), count(R.Steps.measured()),
                     duration(S.Mean), duration(S.MeanOfAll));
}

void addRun(Lines &Output, const Input &Subject) {
  const Result &R = Subject.R;
  if (R.Measured && !R.Measured->Observations.empty())
    Output.push_back({"calls judged by",
                      "a calibration on " + catalogue::machine(*R.Measured) +
                          ", and the built-in table for calls that it lacks"});
  else if (R.Measured)
    Output.push_back(
        {"copies, pauses", "where this recording has too few, as measured by a "
                           "calibration on " +
                               catalogue::machine(*R.Measured)});
  if (const trace::Process &P = Subject.T.Info; P.Ranks && *P.Ranks > 1)
    Output.push_back({"rank", P.Rank
                                  ? fmt::format("{} of {}", *P.Rank, *P.Ranks)
                                  : fmt::format("one of {}", *P.Ranks)});
  Output.push_back({"wall time", duration(R.Wall)});
  if (Subject.T.Part)
    Output.push_back({"analyzed", partText(*Subject.T.Part)});
  else if (Subject.T.Recorded.Limited)
    Output.push_back({"recorded", recordedText(Subject)});
  const bool AnyUsed = llvm::any_of(
      R.Devices, [](const DeviceActivity &D) { return D.Ops > 0; });
  for (size_t I = 0; I < R.Devices.size(); ++I) {
    const DeviceActivity &D = R.Devices[I];
    const std::string &Name = Subject.T.Devices[I].Name;
    // A rank sees the other ranks' GPUs.
    if (!D.Ops && AnyUsed)
      continue;
    Output.push_back({fmt::format("GPU {}", D.Device),
                      fmt::format("{}busy {} of {} from its first to its last "
                                  "operation{}, {} operation{}",
                                  Name.empty() ? "" : Name + ", ",
                                  percent(double(D.Busy), double(D.span())),
                                  duration(D.span()),
                                  D.Unknown.empty() ? "" : " in each part",
                                  count(D.Ops), D.Ops == 1 ? "" : "s")});
  }
  if (!R.WaitsKnown)
    return;
  if (R.WhatIfs.Sampled)
    Output.push_back({"replays", sampleText(R)});
  Output.push_back(
      {"CPU waited",
       fmt::format("{} in total, {} of the {} from the first to the last GPU "
                   "operation{}",
                   duration(R.Waited),
                   percent(double(R.Waited), double(R.Span)), duration(R.Span),
                   ofThreads(R.Waited, R.Span))});
  if (isMuch(R.Blocked, R.Recorded) ||
      (R.InSteps && isMuch(R.InSteps->Blocked, R.InSteps->HostTime)))
    Output.push_back({"launches blocked", blockedText(R)});
  Output.push_back(
      {"queue ran dry",
       fmt::format("{} {}, {} of them after a wait", count(R.Drains),
                   R.Drains == 1 ? "time" : "times", count(R.WaitDrains))});
}

void addRecorder(Lines &Output, const Input &Subject) {
  if (Subject.T.Info.Source.Producer.empty() && Subject.T.Info.Mode == "full" &&
      !Subject.R.Steps.times().empty())
    Output.push_back(
        {"recorder",
         "how much longer the steps take because they are recorded is unknown: "
         "0.9 to 1.8 times in programs that were measured, the most where "
         "steps "
         "launch much"});
}

void addConstants(Lines &Output, const Input &Subject) {
  const std::optional<ReplayConstants> &C = Subject.R.Constants;
  if (!C)
    return;
  std::string BuiltIn;
  for (bool ChangesEngine : {false, true})
    if (C->PausesUsed[ChangesEngine] &&
        C->Pauses[ChangesEngine] == ConstantSource::BuiltIn)
      BuiltIn +=
          std::string(BuiltIn.empty() ? "" : ", and ") +
          (ChangesEngine ? "between kernels and copies" : "between kernels");
  if (!BuiltIn.empty())
    Output.push_back({"built-in figures",
                      "the pauses " + BuiltIn +
                          " are those of an H200, because this recording has "
                          "too few of its own; "
                          "'autoprof calibrate' measures a machine"});
}

/// "NCCL's kernels run 27.5 % of the GPU's span while no other kernel does";
/// "": hardly.
std::string aloneText(const Input &Subject) {
  const Result &R = Subject.R;
  const int64_t Alone = R.Used.part(Work::Communication);
  return !Alone || 100 * Alone < R.Used.Time
             ? ""
             : fmt::format("NCCL's kernels run {} of {} while no other "
                           "kernel does",
                           percent(double(Alone), double(R.Used.Time)),
                           R.InSteps ? "the steps' time" : "the GPU's span");
}

void addCollectives(Lines &Output, const Input &Subject) {
  const std::optional<ReplayConstants> &C = Subject.R.Constants;
  const std::string Alone = aloneText(Subject);
  if (!C || !C->Collectives) {
    if (!Alone.empty())
      Output.push_back({"collectives", Alone});
    return;
  }
  const std::string Text =
      (Alone.empty() ? "" : Alone + "; ") +
      fmt::format("{} kernels of NCCL may wait for other ranks, so a gain may "
                  "need the same change on other ranks: report all ranks "
                  "together",
                  count(C->Collectives));
  Output.push_back({"collectives", Text});
}

} // namespace

std::string report::blockedShare(const Steady &S) {
  if (!isMuch(S.Blocked, S.HostTime))
    return "";
  return fmt::format(", launches blocked by a full queue {}",
                     percent(double(S.Blocked.Time), double(S.HostTime)));
}

Section report::summarySection(const Input &Subject) {
  Facts F;
  addSteps(F.Lines, Subject);
  addRecorder(F.Lines, Subject);
  addCollectives(F.Lines, Subject);
  addConstants(F.Lines, Subject);
  addRun(F.Lines, Subject);
  Section S;
  S.Heading = "Summary";
  S.Id = "summary";
  return S.add(std::move(F));
}
