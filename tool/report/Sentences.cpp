// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Sentences.h"

#include "report/Format.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
using trace::Timeline;

std::vector<std::pair<std::string, std::string>>
report::summaryLines(const Input &In) {
  const Timeline &T = In.T;
  const Result &R = In.R;
  std::vector<std::pair<std::string, std::string>> Lines;
  Lines.push_back({"wall time", duration(R.Wall)});
  for (size_t I = 0; I < R.Devices.size(); ++I) {
    const DeviceActivity &D = R.Devices[I];
    Lines.push_back(
        {fmt::format("GPU {}", D.Device),
         fmt::format("{}busy {} of {} from its first to its last operation, "
                     "{} operations",
                     T.Devices[I].Name.empty() ? "" : T.Devices[I].Name + ", ",
                     percent(double(D.Busy), double(D.span())),
                     duration(D.span()), count(D.Ops))});
  }
  if (R.WaitsKnown)
    Lines.push_back(
        {"CPU waited", fmt::format("{}, {} of that time", duration(R.Waited),
                                   percent(double(R.Waited), double(R.Span)))});
  if (R.WaitsKnown)
    Lines.push_back(
        {"queue ran dry", fmt::format("{} times, {} of them behind a wait",
                                      count(R.Drains), count(R.WaitDrains))});
  const Steps &S = R.Steps;
  if (S.List.empty()) {
    Lines.push_back(
        {"steps", std::string("none found (") +
                      (R.WaitsKnown ? "no range launched most of the GPU work"
                                    : "no loop with probes ran three times") +
                      "; --step NAME picks one)"});
    return Lines;
  }
  std::vector<int64_t> Times = S.times();
  std::string WarmUp =
      S.WarmUp ? fmt::format(", the first {} not counted", S.WarmUp) : "";
  Lines.push_back({"steps", fmt::format("{} ({}{}): median {}, p95 {}{}",
                                        count(S.List.size()), S.Source, WarmUp,
                                        duration(median(Times)),
                                        duration(quantile(Times, 0.95)),
                                        S.FromGpu ? "" : " (host time)")});
  if (S.FromGpu)
    Lines.push_back(
        {"lead at step end", fmt::format("{} of GPU work queued, median",
                                         duration(median(S.leads())))});
  return Lines;
}

std::vector<std::string> report::caveats(const Input &In) {
  const trace::Process &P = In.T.Info;
  const trace::Loss &L = In.T.Lost;
  const trace::ReadLoss &U = In.T.Unread;
  std::vector<std::string> Lines;
  auto Say = [&Lines](uint64_t N, const char *What) {
    if (N)
      Lines.push_back(fmt::format("{} {}.", count(N), What));
  };
  if (!In.R.WaitsKnown) {
    std::string Why = P.CuptiReason;
    if (Why.empty() && P.Mode != "full")
      Why = "it was recorded in the mode '" + P.Mode + "'";
    Lines.push_back("The trace has no GPU work" +
                    (Why.empty()
                         ? std::string()
                         : ": " + llvm::StringRef(Why).rtrim('.').str()) +
                    ". Waits, exposed stalls and gains are unknown.");
  } else if (!P.CuptiState.empty() && P.CuptiState != "ok") {
    Lines.push_back("GPU recording was incomplete: " + P.CuptiReason);
  }
  if (U.BytesDropped)
    Lines.push_back(fmt::format(
        "The file is cut off or damaged: its last {} of {} could not be read.",
        bytes(U.BytesDropped), bytes(U.FileBytes)));
  if (P.EndReason.empty())
    Lines.push_back("The program did not end in order (killed, crashed or "
                    "_exit); the last moments before that may be missing.");
  Say(U.PacketsDamaged, "packets of the trace were damaged and left out");
  Say(U.EventsInvalid, "events had impossible times and were left out");
  Say(U.SlicesUnpaired, "slices had no beginning or no end and were left out");
  Say(L.CuptiDropped, "GPU or API records were dropped by CUPTI");
  Say(L.BuffersRefused, "record buffers were refused for lack of memory");
  Say(L.ZeroTimestamps, "GPU operations have no times and were left out");
  Say(L.ProbesDropped, "probe records were dropped");
  Say(L.ProbesUnbalanced, "probes ended without having begun");
  Say(L.WriteErrors, "writes to the trace failed");
  return Lines;
}

std::string report::gainText(const SiteRow &Row) {
  if (!Row.Gained)
    return "-";
  if (!Row.GainNote.empty())
    return "at most " + duration(Row.Gained->High);
  return durations(Row.Gained->Low, Row.Gained->High);
}

std::string report::verdictLine(const Input &In, const SiteRow &Row) {
  if (Row.Judged.What == Verdict::None)
    return "";
  std::string Line = "gain " + gainText(Row);
  std::string Share = percent(double(Row.Gained->High), double(In.R.Span)) +
                      " of the GPU's span";
  if (!Row.GainNote.empty())
    Line += fmt::format(" ({}; not replayed: {})", Share, Row.GainNote);
  else if (Row.Gained->High)
    Line += fmt::format(" ({})", Share);
  Line += fmt::format("; {}", analysis::phrase(Row.Judged.What).str());
  if (!Row.Judged.Advice.empty())
    Line += ": " + Row.Judged.Advice;
  return Line;
}

llvm::StringRef report::phrase(Cause C) {
  constexpr llvm::StringLiteral Phrases[NumCauses] = {
      "exposed stall of a wait",
      "launch blocked by a full queue",
      "module or function loading",
      "the recorder itself",
      "CPU busy outside CUDA calls",
      "launching takes longer than the GPU work",
      "waiting for another stream",
      "pause between queued operations",
      "unknown"};
  return Phrases[unsigned(C)];
}

namespace {

/// What happened to the site whose wait changed most.
std::string waitSentence(const Input &Base, const Input &New,
                         const Difference &D) {
  if (!Base.R.WaitsKnown || !New.R.WaitsKnown)
    return "Waits cannot be compared, as a trace has no GPU work";
  // Less than a thousandth of a step, or of the span, is noise.
  int64_t Whole = D.PerStep && D.Step ? D.Step->BaseMedian : Base.R.Span;
  const SiteChange *Main = nullptr;
  for (const SiteChange &C : D.Sites) {
    if (std::abs(*C.NewWait - *C.BaseWait) > Whole / 1000)
      Main = &C;
    break;
  }
  const char *Per = D.PerStep ? " per step" : "";
  if (!Main)
    return "No site waits noticeably more or less than before";
  const SiteRow &Row = Main->Base ? *Main->Base : *Main->New;
  const Timeline &T = Main->Base ? Base.T : New.T;
  std::string Name = place(T, Row.Site) + " " + Row.Call;
  if (!*Main->NewWait)
    return fmt::format("{} no longer waits ({}{} before)", Name,
                       duration(*Main->BaseWait), Per);
  if (!*Main->BaseWait)
    return fmt::format("{} now waits {}{}", Name, duration(*Main->NewWait),
                       Per);
  return fmt::format("{} waits {}{}", Name,
                     durationChange(*Main->BaseWait, *Main->NewWait), Per);
}

} // namespace

std::string report::diffSummary(const Input &Base, const Input &New,
                                const Difference &D) {
  std::string Text = waitSentence(Base, New, D);
  if (!D.Step)
    return Text +
           fmt::format(". The two have no steps in common; the GPU's span "
                       "went {}.",
                       durationChange(Base.R.Span, New.R.Span));
  const StepChange &S = *D.Step;
  if (Base.R.Steps.FromGpu && New.R.Steps.FromGpu)
    Text += fmt::format("; lead at step end {}",
                        durationChange(S.BaseLead, S.NewLead));
  std::string Times = durationChange(S.BaseMedian, S.NewMedian);
  if (!S.Enough)
    return Text + fmt::format(". Step time {} ({}), but {} and {} steps are "
                              "too few to tell ({} on each side are needed).",
                              Times, signedPercent(S.Change), S.BaseCount,
                              S.NewCount, MinSteps);
  if (!S.Significant)
    return Text + fmt::format(". Step time {}: no significant change ({}, {}).",
                              Times, signedPercent(S.Change), pValue(S.P));
  return Text + fmt::format(". Step time {} ({}, {}).", Times,
                            signedPercent(S.Change), pValue(S.P));
}
