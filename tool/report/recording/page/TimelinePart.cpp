// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which part of a recording a page shows.
#include "analysis/common/Statistics.h"
#include "report/Format.h"
#include "report/recording/page/TimelineData.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

using namespace autoprof;
using namespace autoprof::report;
using analysis::Step;
using trace::Timeline;

namespace {

size_t countBetween(const std::vector<int64_t> &Starts, int64_t From,
                    int64_t To) {
  return size_t(std::lower_bound(Starts.begin(), Starts.end(), To) -
                std::lower_bound(Starts.begin(), Starts.end(), From));
}

/// Events that begin there.
size_t eventsIn(const Timeline &T, int64_t From, int64_t To) {
  return countBetween(T.Host.Start, From, To) +
         countBetween(T.Ops.Start, From, To);
}

/// As far from `From` as there is room.
int64_t roomBehind(const Timeline &T, int64_t From, size_t MaxEvents) {
  int64_t Low = From, High = T.end();
  while (High - Low > 1) {
    int64_t Middle = Low + (High - Low) / 2;
    (eventsIn(T, From, Middle) <= MaxEvents ? Low : High) = Middle;
  }
  return eventsIn(T, From, High) <= MaxEvents ? High : Low;
}

/// Of the steps that count, the one whose time is nearest to their median; the
/// first where no time is known.
size_t typicalStep(const analysis::Steps &S) {
  const std::vector<int64_t> Times = S.times();
  if (Times.empty())
    return S.WarmUp;
  const int64_t Median = analysis::median(Times);
  size_t Best = S.WarmUp;
  for (size_t I = S.WarmUp; I < S.List.size(); ++I)
    if (S.List[I].TimeKnown &&
        (!S.List[Best].TimeKnown || std::abs(S.List[I].Time - Median) <
                                        std::abs(S.List[Best].Time - Median)))
      Best = I;
  return Best;
}

/// The steps around `Typical` that fit in.
std::pair<size_t, size_t> neighbours(const Timeline &T,
                                     const std::vector<Step> &List,
                                     size_t Typical, size_t MaxEvents) {
  size_t First = Typical, Last = Typical;
  auto Fits = [&](size_t A, size_t B) {
    return eventsIn(T, List[A].Start, List[B].End) <= MaxEvents;
  };
  for (bool Grew = true; Grew;) {
    Grew = false;
    if (Last + 1 < List.size() && Fits(First, Last + 1))
      Grew = ++Last;
    if (First && Fits(First - 1, Last)) {
      --First;
      Grew = true;
    }
  }
  return {First, Last};
}

std::string stepsText(size_t First, size_t Last, size_t Count) {
  if (First == Last)
    return fmt::format("step {} of {}", count(First + 1), count(Count));
  return fmt::format("steps {} to {} of {}", count(First + 1), count(Last + 1),
                     count(Count));
}

TimelinePart partOfSteps(const Input &In, size_t MaxEvents) {
  const std::vector<Step> &List = In.R.Steps.List;
  const size_t Typical = typicalStep(In.R.Steps);
  const std::string Why = fmt::format(
      "around step {}{}", count(Typical + 1),
      List[Typical].TimeKnown ? ", whose time is nearest to the median" : "");
  TimelinePart P;
  P.ViewFrom = List[Typical ? Typical - 1 : 0].Start;
  P.ViewTo = List[std::min(Typical + 1, List.size() - 1)].End;
  if (eventsIn(In.T, In.T.begin(), In.T.end() + 1) <= MaxEvents) {
    P.From = In.T.begin();
    P.To = In.T.end();
    P.What = "the whole recording; it opens " + Why;
    return P;
  }
  const auto [First, Last] = neighbours(In.T, List, Typical, MaxEvents);
  P.From = List[First].Start;
  P.To = std::min(List[Last].End, roomBehind(In.T, P.From, MaxEvents));
  P.What = P.To < List[Last].End ? "the beginning of " : "";
  P.What += stepsText(First, Last, List.size()) + ", " + Why;
  return P;
}

/// Around the costliest wait; without one, at the first GPU operation.
TimelinePart partOfRun(const Input &In, size_t MaxEvents) {
  const Timeline &T = In.T;
  TimelinePart P{T.begin(), T.end(), T.begin(), T.end(), "the whole recording"};
  if (eventsIn(T, P.From, P.To + 1) <= MaxEvents)
    return P;
  const std::vector<int64_t> &Stall = In.R.Stalls.OfWait;
  int64_t Around = T.Ops.size() ? T.Ops.Start[0] : T.begin();
  P.What = "the beginning of the GPU work";
  if (!Stall.empty()) {
    Around = In.R.Waits[size_t(std::max_element(Stall.begin(), Stall.end()) -
                               Stall.begin())]
                 .Start;
    P.What = "what lies around the wait with the longest exposed stall";
  }
  // Half of the room lies before: as far as reaching it leaves room behind.
  int64_t Low = T.begin(), High = Around;
  while (High - Low > 1) {
    int64_t Middle = Low + (High - Low) / 2;
    (eventsIn(T, Middle, Around) > MaxEvents / 2 ? Low : High) = Middle;
  }
  P.From = P.ViewFrom = High;
  P.To = P.ViewTo = roomBehind(T, P.From, MaxEvents);
  return P;
}

} // namespace

TimelinePart report::choosePart(const Input &In, size_t MaxEvents) {
  TimelinePart P = In.R.Steps.List.empty() ? partOfRun(In, MaxEvents)
                                           : partOfSteps(In, MaxEvents);
  P.ViewFrom = std::clamp(P.ViewFrom, P.From, P.To);
  P.ViewTo = std::clamp(P.ViewTo, P.ViewFrom, P.To);
  return P;
}
