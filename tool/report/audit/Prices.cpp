// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/audit/Prices.h"

#include "support/Words.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>
#include <map>

using namespace autoprof;
using namespace autoprof::audit;
using namespace autoprof::report;
using prices::SitePrice;

namespace {

std::string times(uint64_t N) {
  return count(N) + (N == 1 ? " time" : " times");
}

/// "in the recording", "in any of the 3 recordings".
std::string recordings(const Pricing &Priced, const char *Several) {
  const size_t Number = Priced.recorded().Recordings.size();
  return Number == 1 ? "in the recording"
                     : fmt::format("{} the {} recordings", Several, Number);
}

llvm::StringRef doing(const prices::Promise &Gain) {
  return Gain.Change == "postpone"     ? "postponing it"
         : Gain.Change == "make_async" ? "making it asynchronous"
                                       : "removing it";
}

const char *change(const prices::Promise &Gain) {
  return Gain.Change == "postpone"     ? "if postponed"
         : Gain.Change == "make_async" ? "if made asynchronous"
                                       : "if removed";
}

/// In parts.
struct GainText {
  std::string Amount; ///< "14.6 to 24.2 us per step", "0".
  std::string Change; ///< "if postponed", or "".
  std::string Share;  ///< "9.6 to 15.9 %", or "".
};

GainText gainWords(const prices::Promise &Gain) {
  if (!Gain.Saved.High)
    return {"0", "", ""};
  const char *Per = Gain.InSteps ? " per step" : "";
  const int64_t N = Gain.Count;
  const char *Scope = !Gain.InSteps        ? " of the GPU's span"
                      : Gain.IsLaunchBound ? ", may be more: launch-bound"
                                           : "";
  const double Whole = double(Gain.Whole);
  const double Low = double(Gain.Saved.Low), High = double(Gain.Saved.High);
  if (Gain.IsBound)
    return {"at most " + duration(Gain.Saved.High / Gain.Count) + Per,
            change(Gain), percent(High, Whole) + Scope};
  // As reports print it; see report::gainText.
  if (Gain.Middle && !Gain.IsRecorded && *Gain.Middle <= Gain.Resolution)
    return {noMeasurableGain(*Gain.Middle / N, Gain.Saved.High / N, Per),
            change(Gain), ""};
  if (Gain.Middle)
    return {fmt::format("about {}{}{} ({})", duration(*Gain.Middle / N), Per,
                        Gain.IsRecorded ? " in the recorded run" : "",
                        gainInterval(Gain.Saved.Low / N, Gain.Saved.High / N)),
            change(Gain), percent(double(*Gain.Middle), Whole) + Scope};
  return {durations(Gain.Saved.Low / Gain.Count, Gain.Saved.High / Gain.Count) +
              Per,
          change(Gain), percents(Low, High, Whole) + Scope};
}

std::string amountAndShare(const GainText &Gain) {
  return Gain.Share.empty() ? Gain.Amount : Gain.Amount + ", " + Gain.Share;
}

std::string waitedText(const Pricing &Priced, const SitePrice &S) {
  std::string Text = fmt::format("waited {} of {}, {}", count(S.Waits),
                                 times(S.Calls), duration(*S.Wait));
  if (Priced.recorded().Recordings.size() > 1)
    Text += fmt::format(" in {} of {} recordings", S.Recordings,
                        Priced.recorded().Recordings.size());
  const std::optional<prices::Promise> Gain = prices::promise(S);
  if (S.Steps && !S.waitsInSteps())
    Text += ", all outside the steps";
  if (!Gain)
    return Text + "; what that costs is unknown";
  if (!Gain->Saved.High)
    return Text + "; no gain: the GPU was busy meanwhile";
  return Text + "; " + doing(*Gain).str() + " gains " +
         amountAndShare(gainWords(*Gain));
}

std::string stateText(const Pricing &Priced, const FindingPrice &Price) {
  switch (Price.State) {
  case Measured::Waited:
    return waitedText(Priced, *Price.Site);
  case Measured::NeverWaited:
    return fmt::format("ran {}, never waited", times(Price.Site->Calls));
  case Measured::NotAWait:
    return fmt::format("ran {}, {} in the call; it never waited, and its cost "
                       "is not a wait",
                       times(Price.Site->Calls),
                       duration(Price.Site->HostTime));
  case Measured::NotReached:
    return "not reached " + recordings(Priced, "in any of");
  case Measured::NoProbe:
    return "not measured: the recorded program has no probe at this call";
  case Measured::Unknown:
    return Price.Site ? fmt::format("ran {}; without GPU work in the trace its "
                                    "waits are unknown",
                                    times(Price.Site->Calls))
                      : "unknown: the recording does not tell whether it ran";
  }
  return "";
}

std::string placeOf(const Audit &A, const UnfoundWait &W) {
  if (W.Known)
    return A.P.shownPath(W.Known->Model->Location) + ":" +
           llvm::utostr(W.Known->Model->Location.Line);
  const prices::Place &Position = W.Site->Position;
  return Position.File.empty()
             ? "(no source line)"
             : Position.File + ":" + llvm::utostr(Position.Line);
}

} // namespace

std::string report::measuredText(const Audit &A, const Finding &F,
                                 bool IsSentence) {
  const std::optional<FindingPrice> Price =
      A.Priced ? A.Priced->of(F) : std::nullopt;
  if (!Price)
    return "";
  // The text without a probe says itself that nothing was measured.
  std::string Result =
      (Price->State == Measured::NoProbe ? "" : "measured: ") +
      stateText(*A.Priced, *Price) +
      (Price->ByPlace ? " (matched by file, line and call)" : "");
  if (IsSentence)
    Result[0] = llvm::toUpper(Result[0]);
  return Result;
}

std::string report::pricingSummary(const Audit &A) {
  const prices::Prices &Recorded = A.Priced->recorded();
  std::string Text =
      Recorded.Recordings.size() == 1
          ? llvm::sys::path::filename(Recorded.Recordings.front().Path).str()
          : fmt::format("sums of {} recordings", Recorded.Recordings.size());
  if (Recorded.Steps)
    Text += fmt::format(" ({} steps: {})", count(Recorded.Steps->Count),
                        Recorded.Steps->Source);
  std::map<Measured, unsigned> States;
  std::set<uint64_t> Counted; // A call may wait in several loops.
  int64_t Explained = 0;
  for (const Finding &F : A.Findings)
    if (const std::optional<FindingPrice> Price = A.Priced->of(F);
        Price && Counted.insert(F.Site->Model->Id).second) {
      ++States[Price->State];
      if (Price->Site)
        Explained += Price->Site->Wait.value_or(0);
    }
  constexpr llvm::StringLiteral Words[] = {
      "waited",      "never waited",    "ran and cost no wait",
      "not reached", "without a probe", "unknown"};
  std::string Separator = ": " + llvm::utostr(Counted.size()) +
                          (Counted.size() == 1 ? " call with findings, "
                                               : " calls with findings, ");
  for (const auto &[State, Number] : States) {
    Text +=
        Separator + llvm::utostr(Number) + " " + Words[unsigned(State)].str();
    Separator = ", ";
  }
  if (Recorded.Waited.value_or(0) > 0)
    Text += fmt::format("; the findings explain {} of the {} that the host "
                        "waited",
                        percent(double(Explained), double(*Recorded.Waited)),
                        duration(*Recorded.Waited));
  return Text;
}

std::vector<std::string> report::pricingCaveats(const Audit &A) {
  std::vector<std::string> Result;
  const prices::Prices &Recorded = A.Priced->recorded();
  for (const prices::Recording &R : Recorded.Recordings) {
    if (!R.WaitsKnown)
      Result.push_back(
          R.Path + " has no GPU work" +
          (R.NoGpuWork.empty()
               ? ""
               : " (" + llvm::StringRef(R.NoGpuWork).rtrim('.').str() + ")") +
          ": it tells what ran, not what waited");
    else if (R.IsPart)
      Result.push_back(R.Path + " holds a part of its run: calls outside of "
                                "it count as not reached");
  }
  return Result;
}

/// "14.6 to 24.2 us per step if postponed (9.6 to 15.9 %)".
static std::string gainCell(const SitePrice &S) {
  const std::optional<prices::Promise> Promised = prices::promise(S);
  if (!Promised)
    return "-";
  GainText Gain = gainWords(*Promised);
  if (!Gain.Change.empty())
    Gain.Amount += " " + Gain.Change;
  return amountAndShare(Gain);
}

Table report::unfoundTable(const Audit &A) {
  Table T({{"call", true},
           {"waits"},
           {"wait"},
           {"gain", true},
           {"why it is not a finding", true}});
  for (const UnfoundWait &W : A.Unfound)
    T.addRow({placeOf(A, W) + " " + W.Site->Position.Call, count(W.Site->Waits),
              duration(W.Site->Wait), gainCell(*W.Site), W.Text});
  return T;
}
