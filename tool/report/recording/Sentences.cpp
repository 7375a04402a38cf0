// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Sentences.h"

#include "report/Format.h"

#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

std::string report::runName(const Input &Subject) {
  const std::string &Command = Subject.T.Info.CommandLine;
  return Command.empty() ? llvm::sys::path::filename(Subject.Path).str()
                         : Command;
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

std::string report::each(const Input &Subject, int64_t Ns) {
  return Subject.R.InSteps ? perStep(Subject, Ns) : duration(Ns);
}

llvm::StringRef report::adviceDoubt(const SiteRow &Row) {
  if (Row.Kind == "free")
    return "The trace does not show whether other calls rely on this wait.";
  return "The trace does not show whether the program needs the data there.";
}

/// "; 51.2 % from A to B: move that work out of the steps ...".
static std::string busyAdvice(const Input &Subject) {
  if (const HostLine *Line = mainLine(Subject))
    return fmt::format(
        "; {} of the step passes at {}{}",
        percent(double(Line->Samples), double(Subject.R.Lines->Samples)),
        lineText(Subject.T.Sites[Line->Site]),
        2 * Line->Asleep > Line->Samples ? ", asleep" : "");
  const BusyRow *Row = mainBusyRow(Subject);
  if (!Row)
    return "";
  return fmt::format(
      "; {} {}{}: move that work out of the steps or to another thread",
      percent(double(Row->Idle), double(Subject.R.InSteps->Span)),
      Row->Call == trace::None ? "from " : "",
      busySentence(Subject.T, Subject.R, *Row));
}

/// What keeps a GPU-bound run's GPU, which has work queued, from working; "":
/// nothing much.
static std::string pausesText(const Steady &S) {
  if (S.Limit != Regime::GpuBound || 10 * (S.Span - S.Busy) < S.Span)
    return "";
  return fmt::format(
      "; it is busy {} of the time, and pauses between queued operations take "
      "{}",
      percent(double(S.Busy), double(S.Span)),
      percent(double(S.pauses()), double(S.Span)));
}

/// A kernel of NCCL that waits for another rank keeps its GPU busy.
static std::string collectivesText(const Steady &S) {
  const int64_t Alone = S.Used.part(Work::Communication);
  if (20 * Alone < S.Used.Time)
    return "";
  return fmt::format("; {} of the time, only NCCL's kernels run, which may be "
                     "waiting for other ranks",
                     percent(double(Alone), double(S.Used.Time)));
}

std::string report::regimeText(const Input &Subject) {
  const Steady &S = *Subject.R.InSteps;
  auto Share = [&S](int64_t Ns) { return percent(double(Ns), double(S.Span)); };
  auto Idle = [&](Cause C) { return Share(S.Gaps[unsigned(C)].Total); };
  std::string Name = analysis::phrase(S.Limit).str() + ": ";
  bool MostlyWaiting = 2 * S.Waited > S.HostTime;
  const bool HasChange = Subject.R.Decided.gain().has_value();
  const char *Unchanged =
      HasChange ? "" : ", which removing waits does not change";
  switch (S.Limit) {
  case Regime::TransferBound:
    return Name + fmt::format("the GPU copies {} of the time with no kernel "
                              "running, and runs kernels for {}",
                              Share(S.Used.part(Work::Copy)),
                              Share(S.Used.part(Work::Compute)));
  case Regime::LaunchBound:
    return Name + fmt::format("the GPU lacks work {} of the time because "
                              "launching takes longer than the work{}",
                              Idle(Cause::LaunchBound), Unchanged);
  case Regime::CpuBound:
    return Name +
           fmt::format(
               "the GPU lacks work {} of the time because the CPU does other "
               "work between launches{}{}",
               Idle(Cause::HostBusy), Unchanged, busyAdvice(Subject));
  case Regime::HeldUp:
    return Name +
           fmt::format(
               "the GPU is idle {} of the time although work is queued; it is "
               "busy {}",
               Idle(Cause::QueuedLate), Share(S.Busy));
  case Regime::GpuBound:
    if (!MostlyWaiting || !pausesText(S).empty())
      break;
    Name += "the CPU waits because the GPU is busy";
    if (100 * S.exposed() < S.Span)
      return Name + (HasChange ? "" : "; the waits cost next to nothing") +
             collectivesText(S);
    return Name + fmt::format("; after its waits the GPU idles {} of the time",
                              Share(S.exposed()));
  case Regime::Between:
    break;
  }
  const std::string Late =
      1000 * S.late() < S.Span
          ? ""
          : fmt::format("; it is idle {} of the time although work is "
                        "queued",
                        Share(S.late()));
  if (1000 * S.starved() < S.Span)
    return Name + "the GPU always has work queued" + pausesText(S) + Late +
           collectivesText(S);
  const std::string Lacks =
      Name + "the GPU lacks work " + Share(S.starved()) + " of the time, ";
  // Where waits hide behind each other, few stalls are seen.
  const Decision &D = Subject.R.Decided;
  const auto &Changed =
      D.Mild ? Subject.R.WhatIfs.Mild : Subject.R.WhatIfs.Strong;
  int64_t Saved = D.gain() ? (Changed->Saved.Low + Changed->Saved.High) / 2 : 0;
  if (!D.Lines.empty())
    Saved = std::max(Saved, D.Lines[0].Mild.Saved.Middle * int64_t(S.Count));
  if (50 * (Saved - S.exposed()) > S.Span)
    return Lacks + "of which these changes give back " +
           Share(std::min(Saved, S.starved())) + pausesText(S) + Late;
  const std::string Behind = Share(S.exposed());
  return Lacks + (Share(S.starved()) == Behind ? "all of it" : Behind) +
         " after waits" + pausesText(S) + Late;
}

/// The finding of a rule that costs most; null: there is none.
static const Finding *firstOf(const Input &Subject, llvm::StringRef Rule) {
  for (const Finding &F : Subject.R.Findings)
    if (F.Rule == Rule)
      return &F;
  return nullptr;
}

/// Of each graph that torch.compile breaks off: the first.
static std::string graphBreakSentence(const Input &Subject) {
  const Finding *Break = firstOf(Subject, "graph-break");
  if (!Break)
    return "";
  const llvm::json::Object &At = Break->Evidence;
  return fmt::format(
      " torch.compile breaks the graph at {}:{}.",
      llvm::sys::path::filename(At.getString("file").value_or("")).str(),
      At.getInteger("line").value_or(0));
}

/// Where the CPU limits the steps and most of what the GPU lacks is in launches
/// in close succession and between them: that there are many.
static std::string manyLaunchesSentence(const Input &Subject) {
  const Steady &S = *Subject.R.InSteps;
  const Finding *Tiny = firstOf(Subject, "tiny-kernels");
  if (!Tiny || S.Limit != Regime::CpuBound || 2 * Tiny->Cost < S.starved())
    return "";
  const HostLine *Line = Tiny->Evidence.get("line")
                             ? mainStatement(Subject.T, *Subject.R.Lines)
                             : nullptr;
  return fmt::format(
      " In launches and the short pauses between them, the GPU idles {} of the "
      "time: of {} kernels a step, most are shorter than their launches, and "
      "fewer launches{} may help (a compiled model, a CUDA graph, larger "
      "batches).",
      percent(double(Tiny->Cost), double(S.Span)),
      count(uint64_t(Tiny->Evidence.getInteger("kernels").value_or(0)) /
            std::max<uint64_t>(1, S.Count)),
      Line ? " in " + lineText(Subject.T.Sites[Line->Site]) : "");
}

std::string report::regimeSentence(const Input &Subject) {
  const bool Limited = Subject.R.InSteps->Limit != Regime::Between;
  return (Limited ? "The steps are " : "The steps have ") +
         regimeText(Subject) + "." + manyLaunchesSentence(Subject) +
         graphBreakSentence(Subject);
}
