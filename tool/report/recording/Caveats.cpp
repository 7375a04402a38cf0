// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a recording lacks, and what was lost.
#include "report/Format.h"
#include "report/recording/Sentences.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

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

std::optional<uint64_t> report::allRuns(const Input &Subject,
                                        const trace::ThrottledRange &R) {
  if (Subject.T.Part || Subject.T.Recorded.KeptFrom || Subject.T.isCutOff())
    return std::nullopt;
  uint64_t Runs = R.Runs;
  for (const RangeRow &Row : Subject.R.Ranges)
    if (Row.Site == R.Site)
      Runs += Row.Count;
  return Runs;
}

/// "loop at train.cu:12 in main".
static std::string rangePlace(const trace::Site &S) {
  const std::string Place =
      fmt::format("{}:{}", llvm::sys::path::filename(S.File).str(), S.Line);
  return S.Kind == "loop" ? "loop at " + Place + " in " + S.Function
                          : "function " + S.Function + " at " + Place;
}

/// One sentence for each of the ranges with most of these runs, and one for
/// the others.
static std::vector<std::string> throttledLines(const Input &Subject) {
  constexpr size_t Most = 3;
  std::vector<std::string> Lines;
  std::vector<trace::ThrottledRange> All = Subject.T.Throttled;
  llvm::sort(All, [](const auto &A, const auto &B) {
    return std::pair(B.Runs, A.Site) < std::pair(A.Runs, B.Site);
  });
  for (size_t I = 0; I < All.size() && I < Most; ++I) {
    const std::optional<uint64_t> Runs = allRuns(Subject, All[I]);
    Lines.push_back(fmt::format(
        "Throttled: the {}{}. {} runs{} of less than 10 us each without GPU "
        "work were not recorded ({} in total). 'autoprof run --throttle=off' "
        "records them.",
        rangePlace(Subject.T.Sites[All[I].Site]),
        Runs ? fmt::format(" ran {} times", count(*Runs)) : "",
        count(All[I].Runs), Runs ? "" : " or more", duration(All[I].Time)));
  }
  if (All.size() > Most)
    Lines.push_back(fmt::format("{} more ranges were throttled; "
                                "--format=json lists them.",
                                All.size() - Most));
  return Lines;
}

static std::string launches(size_t Count) {
  return Count == 1 ? "1 launch of a CUDA graph was"
                    : count(Count) + " launches of CUDA graphs were";
}

/// What the recording does not show about launches of CUDA graphs.
static std::vector<std::string> graphLines(const Input &Subject) {
  const analysis::GraphLaunches &Graphs = Subject.R.Graphs;
  const bool IsOurs = Subject.T.Info.Source.Producer.empty();
  std::vector<std::string> Lines;
  if (Graphs.Whole)
    Lines.push_back(fmt::format(
        "{} recorded as one operation each, so {} kernels are not listed{}.",
        launches(Graphs.Whole), Graphs.Whole == 1 ? "its" : "their",
        IsOurs ? "; 'autoprof run --graphs=node' records them" : ""));
  if (Graphs.ByNode && IsOurs && Subject.T.Info.Mode == "full")
    Lines.push_back(fmt::format(
        "{} recorded node by node, which makes launches several times as "
        "expensive, so savings in an unrecorded run are unknown. 'autoprof run "
        "--graphs=graph' records a launch as one operation.",
        launches(Graphs.ByNode)));
  return Lines;
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
  if (std::string Line = launchSentence(Subject); !Line.empty())
    Lines.push_back(std::move(Line));
  if (Subject.T.Recorded.Limited && Subject.T.Recorded.List.empty())
    Lines.push_back("Nothing was recorded: the run never reached " +
                    Subject.T.Recorded.Plan + ".");
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
  Say(U.EventsInvalid,
      "Events with impossible times, or far from all others, skipped");
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
