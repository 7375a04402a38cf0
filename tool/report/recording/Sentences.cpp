// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Sentences.h"

#include "report/recording/Limits.h"
#include "report/recording/RecorderPart.h"
#include "report/recording/Transfers.h"

#include "analysis/steps/StepCandidates.h"
#include "report/Format.h"
#include "report/recording/CallName.h"
#include "report/recording/Graphs.h"
#include "report/recording/Throttled.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <cmath>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

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
                      (findStepCandidates(Subject.T, 1).empty()
                           ? ")"
                           : "; select one with --step=NAME)")});
    return;
  }
  std::string Sure;
  if (S.From == StepsFrom::Repetition || !S.Layers.empty())
    Sure = fmt::format(", with {} confidence", analysis::name(S.Sure).str());
  Output.push_back(
      {"steps", fmt::format("{} ({}{}{}{})", count(S.List.size()), S.Source,
                            Sure, warmUpText(S.WarmUp), emptyText(S.Empty))});
  if (!S.Layers.empty())
    Output.push_back({"perhaps layers", "what repeats may be the layers of one "
                                        "step: " +
                                            S.Layers});
  std::vector<int64_t> Times = S.times();
  Output.push_back(
      {"step time",
       Times.empty()
           ? "unknown: no two consecutive steps were recorded"
           : fmt::format("median {}, p95 {}{}", duration(median(Times)),
                         duration(quantile(Times, 0.95)),
                         S.FromGpu ? "" : " (host time)")});
  if (const auto &I = R.InSteps)
    Output.push_back(
        {"in the steps",
         fmt::format("GPU busy {}, CPU waiting {}{}, exposed stall {} of the "
                     "time (mean "
                     "step {})",
                     percent(double(I->Busy), double(I->Span)),
                     percent(double(I->Waited), double(I->HostTime)),
                     blockedShare(*I),
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
      "{} to {} of {} (--window={}{}); {} host events and {} GPU operations "
      "outside it are not analyzed",
      duration(C.Kept.Start - C.Whole.Start),
      duration(C.Kept.End - C.Whole.Start),
      duration(C.Whole.End - C.Whole.Start), C.Asked,
      C.IsSteady ? ": without start-up and end; --window=all includes them"
                 : "",
      count(C.HostEvents), count(C.Operations));
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
                   "operation",
                   duration(R.Waited),
                   percent(double(R.Waited), double(R.Span)),
                   duration(R.Span))});
  if (isMuch(R.Blocked, R.Recorded) ||
      (R.InSteps && isMuch(R.InSteps->Blocked, R.InSteps->HostTime)))
    Output.push_back({"launches blocked", blockedText(R)});
  Output.push_back(
      {"queue ran dry",
       fmt::format("{} {}, {} of them after a wait", count(R.Drains),
                   R.Drains == 1 ? "time" : "times", count(R.WaitDrains))});
}

} // namespace

std::string report::blockedShare(const Steady &S) {
  if (!isMuch(S.Blocked, S.HostTime))
    return "";
  return fmt::format(", launches blocked by a full queue {}",
                     percent(double(S.Blocked.Time), double(S.HostTime)));
}

std::string report::runName(const Input &Subject) {
  const std::string &Command = Subject.T.Info.CommandLine;
  return Command.empty() ? llvm::sys::path::filename(Subject.Path).str()
                         : Command;
}

Lines report::summaryLines(const Input &Subject) {
  Lines Result;
  addSteps(Result, Subject);
  addRecorder(Result, Subject);
  addLimits(Result, Subject);
  addCollectives(Result, Subject);
  addConstants(Result, Subject);
  addRun(Result, Subject);
  return Result;
}

std::string report::perStep(const Input &Subject,
                            const std::optional<int64_t> &Sum) {
  if (!Sum || !Subject.R.InSteps || !Subject.R.InSteps->Count)
    return "-";
  return duration(*Sum / int64_t(Subject.R.InSteps->Count));
}

std::string report::timesPerStep(const Input &Subject, uint64_t Count) {
  const double Mean =
      double(Count) / double(std::max<size_t>(1, Subject.R.InSteps->Count));
  if (Mean >= 100)
    return count(uint64_t(std::llround(Mean)));
  return Count && Mean < 0.01 ? "< 0.01" : fmt::format("{:.3g}", Mean);
}

/// Whether only stacks could show where the waits are, and none were taken.
static bool lacksLines(const Input &Subject) {
  bool HasSites = llvm::any_of(Subject.T.Sites, [](const trace::Site &S) {
    return !S.isUserRange() && (S.Id || !S.Frames.empty() || !S.File.empty());
  });
  return !HasSites && Subject.T.Info.Mode == "full" &&
         llvm::any_of(Subject.R.Sites,
                      [](const SiteRow &Row) { return Row.Waits > 0; });
}

/// Which calls have stacks: otherwise readers would take the counts of their
/// lines for those of all calls.
static std::string stackSentence(const Input &Subject) {
  const std::optional<trace::StackSampling> &S = Subject.T.Info.Stacks;
  const trace::HostEvents &H = Subject.T.Host;
  uint64_t Calls = 0, Placed = 0;
  std::vector<int64_t> OpenUntil(Subject.T.Threads.size(), INT64_MIN);
  for (size_t I = 0; S && I < H.size(); ++I) {
    if (!H.isCall(I))
      continue;
    Placed += H.Site[I] != trace::None;
    int64_t &Open = OpenUntil[H.Thread[I]];
    if (H.Start[I] < Open)
      continue; // Inside of another call.
    ++Calls;
    Open = H.End[I];
  }
  if (!Placed)
    return "";
  std::string Others;
  if (S->Pause)
    Others += fmt::format(", of those before and after pauses of {} or more",
                          duration(*S->Pause));
  if (S->OneIn)
    Others += fmt::format(", and of one in {} of the others", S->OneIn);
  return fmt::format(
      "{} of {} calls have a source line from their host stack, and only these "
      "are counted for lines without probes. Stacks are taken of calls that "
      "may wait and take {} or more{}.",
      count(Placed), count(Calls), duration(S->Long), Others);
}

/// What it means that launches are not in the recording; "": a hundredth of
/// the operations at most have none.
static std::string launchSentence(const Input &Subject) {
  const Unlaunched &U = Subject.R.Unlaunched;
  const size_t All = Subject.T.Ops.size();
  if (!U.Count || 100 * U.Count < All)
    return "";
  const std::string Of = fmt::format(
      "{} of {} GPU operations ({}) have no launch in the {}", count(U.Count),
      count(All), percent(double(U.Count), double(All)),
      Subject.T.Part ? "window" : "recording");
  if (U.Before.empty())
    return Of + ". They count as GPU work, but belong to no site, range, or "
                "step, and they do not count as queued work.";
  const bool AreAll = U.Before.size() == U.Count;
  return fmt::format(
      "{}{} queued before it began. They count as GPU work, but belong to "
      "no site, range, or step{}; the first step may take longer because of "
      "them.",
      Of,
      AreAll ? ": they were"
             : fmt::format(", {} of them because they were",
                           count(U.Before.size())),
      AreAll ? "" : ", and only those queued before count as queued work");
}

/// What was to be recorded never began.
static std::string missedPlan(const trace::Windows &W) {
  if (W.SkippedFirst.empty())
    return "Nothing was recorded: the run never reached " + W.Plan + ".";
  return "Nothing was recorded: the run ended before recording began (after "
         "the first " +
         W.SkippedFirst + "). --unrecorded=0 records from the start.";
}

/// A warning about a window that holds hardly any of the GPU work, though it
/// holds much of the time.
static std::string emptyWindow(const Input &Subject) {
  if (!Subject.T.Part || !Subject.R.WaitsKnown)
    return "";
  const trace::Cut &C = *Subject.T.Part;
  const double Inside = double(Subject.T.Ops.size()),
               All = Inside + double(C.Operations);
  const double Time = double(C.Kept.End - C.Kept.Start) /
                      double(std::max<int64_t>(1, C.Whole.End - C.Whole.Start));
  if (10 * Inside >= Time * All)
    return "";
  return fmt::format("The window has {} of the recording's {} GPU operations, "
                     "in {} of its time: choose another --window to analyze "
                     "the others.",
                     count(Subject.T.Ops.size()), count(uint64_t(All)),
                     percent(Time, 1.0));
}

std::vector<std::string> report::caveats(const Input &Subject) {
  const trace::Process &P = Subject.T.Info;
  const trace::Loss &L = Subject.T.Lost;
  const trace::ReadLoss &U = Subject.T.Unread;
  std::vector<std::string> Lines;
  auto Say = [&Lines](uint64_t N, const char *Noun) {
    if (N)
      Lines.push_back(fmt::format("{}: {}.", Noun, count(N)));
  };
  if (!Subject.R.WaitsKnown) {
    std::string Reason = P.CuptiReason;
    if (Reason.empty() && P.Mode != "full" &&
        Subject.T.Info.Source.Producer.empty())
      Reason = "it was recorded in mode '" + P.Mode + "'";
    Lines.push_back("The trace has no GPU work" +
                    (Reason.empty()
                         ? std::string()
                         : ": " + llvm::StringRef(Reason).rtrim('.').str()) +
                    ". Waits, exposed stalls and gains are unknown.");
    if (P.Mode == "light" && P.CuptiState == "ok")
      Lines.push_back(
          "The time in a call includes both waiting for the GPU and other "
          "work. Launches and calls that never wait were not recorded.");
    else if (P.Mode == "light" && Subject.T.Sites.empty())
      Lines.push_back("The program has no probes: it was not recompiled. "
                      "'autoprof run --mode=light+calls' records its calls "
                      "that may wait.");
  } else if (!P.CuptiState.empty() && P.CuptiState != "ok") {
    Lines.push_back("GPU recording was incomplete: " + P.CuptiReason);
  }
  for (std::string Line : {emptyWindow(Subject), launchSentence(Subject)})
    if (!Line.empty())
      Lines.push_back(std::move(Line));
  if (Subject.T.Recorded.Limited && Subject.T.Recorded.List.empty())
    Lines.push_back(missedPlan(Subject.T.Recorded));
  if (lacksLines(Subject))
    Lines.push_back("The program was not recompiled, so its waits have no "
                    "source lines; 'autoprof run --stacks' records them.");
  if (U.BytesDropped)
    Lines.push_back(fmt::format("The file is truncated or damaged: the last {} "
                                "of {} could not be read.",
                                bytes(U.BytesDropped), bytes(U.FileBytes)));
  if (U.BytesSkipped)
    Lines.push_back(fmt::format("The file lacks its beginning or is damaged: "
                                "{} of {} could not be read.",
                                bytes(U.BytesSkipped), bytes(U.FileBytes)));
  if (!Subject.T.Info.Source.Producer.empty())
    Lines.push_back("The trace was recorded by " +
                    Subject.T.Info.Source.Producer + ", not by autoprof run.");
  llvm::append_range(Lines, Subject.T.Info.Source.Limits);
  if (P.EndReason.empty() && Subject.T.Info.Source.Producer.empty())
    Lines.push_back("The program did not exit cleanly (killed, crashed or "
                    "_exit); its last moments may be missing.");
  if (std::string Stacks = stackSentence(Subject); !Stacks.empty())
    Lines.push_back(std::move(Stacks));
  Say(U.PacketsDamaged, "Damaged packets, skipped");
  Say(U.EventsInvalid, "Events with impossible times, skipped");
  Say(U.SlicesUnpaired, "Slices without a start or an end, skipped");
  Say(L.CuptiDropped, "GPU or API records dropped by CUPTI");
  Say(L.BuffersRefused, "Record buffers refused for lack of memory");
  Say(L.ZeroTimestamps, "GPU operations without times, skipped");
  Say(L.ProbesDropped, "Probe records dropped");
  Say(L.ProbesUnbalanced, "Probe ends without a matching start");
  Say(L.StacksDropped, "Host stacks dropped");
  Say(L.WriteErrors, "Failed writes to the trace");
  llvm::append_range(Lines, throttledLines(Subject));
  llvm::append_range(Lines, graphLines(Subject));
  return Lines;
}

llvm::StringRef report::adviceDoubt(const SiteRow &Row) {
  if (Row.Kind == "free")
    return "The trace does not show whether other calls rely on this wait.";
  return "The trace does not show whether the program needs the data there.";
}

std::string report::auditText(const Input &Subject, const SiteRow &Row) {
  const llvm::StringRef Rule = ruleOf(Subject, Row);
  return Rule.empty() ? "no rule" : Rule.str();
}
