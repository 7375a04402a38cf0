// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which part of a recording a page shows.
#include "analysis/common/Statistics.h"
#include "report/Format.h"
#include "report/Html.h"
#include "report/recording/Sections.h"
#include "report/recording/page/TimelineData.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

using namespace autoprof;
using namespace autoprof::report;
using analysis::Step;
using trace::Timeline;

namespace {

size_t countBetween(const std::vector<int64_t> &Starts, int64_t Start,
                    int64_t End) {
  return size_t(std::lower_bound(Starts.begin(), Starts.end(), End) -
                std::lower_bound(Starts.begin(), Starts.end(), Start));
}

/// Events that begin there.
size_t eventsIn(const Timeline &T, int64_t Start, int64_t End) {
  return countBetween(T.Host.Start, Start, End) +
         countBetween(T.Ops.Start, Start, End);
}

/// As far from `Start` as the limit allows.
int64_t roomBehind(const Timeline &T, int64_t Start, size_t MaxEvents) {
  int64_t Low = Start, High = T.end();
  while (High - Low > 1) {
    int64_t Middle = Low + (High - Low) / 2;
    (eventsIn(T, Start, Middle) <= MaxEvents ? Low : High) = Middle;
  }
  return eventsIn(T, Start, High) <= MaxEvents ? High : Low;
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

TimelinePart partOfSteps(const Input &Subject, size_t MaxEvents) {
  const std::vector<Step> &List = Subject.R.Steps.List;
  const size_t Typical = typicalStep(Subject.R.Steps);
  const std::string Reason = fmt::format(
      "around step {}{}", count(Typical + 1),
      List[Typical].TimeKnown ? ", whose time is nearest to the median" : "");
  TimelinePart P;
  P.ViewFrom = List[Typical ? Typical - 1 : 0].Start;
  P.ViewTo = List[std::min(Typical + 1, List.size() - 1)].End;
  if (eventsIn(Subject.T, Subject.T.begin(), Subject.T.end() + 1) <=
      MaxEvents) {
    P.Start = Subject.T.begin();
    P.End = Subject.T.end();
    P.Caption = "the whole recording; it opens " + Reason;
    return P;
  }
  const auto [First, Last] = neighbours(Subject.T, List, Typical, MaxEvents);
  P.Start = List[First].Start;
  P.End = std::min(List[Last].End, roomBehind(Subject.T, P.Start, MaxEvents));
  P.Caption = P.End < List[Last].End ? "the beginning of " : "";
  P.Caption += stepsText(First, Last, List.size()) + ", " + Reason;
  return P;
}

/// Around the most expensive wait; without one, at the first GPU operation.
TimelinePart partOfRun(const Input &Subject, size_t MaxEvents) {
  const Timeline &T = Subject.T;
  TimelinePart P{T.begin(), T.end(), T.begin(), T.end(), "the whole recording"};
  if (eventsIn(T, P.Start, P.End + 1) <= MaxEvents)
    return P;
  const std::vector<int64_t> &Stall = Subject.R.Stalls.OfWait;
  int64_t Around = T.Ops.size() ? T.Ops.Start[0] : T.begin();
  P.Caption = "the beginning of the GPU work";
  if (!Stall.empty()) {
    Around = Subject.R
                 .Waits[size_t(std::max_element(Stall.begin(), Stall.end()) -
                               Stall.begin())]
                 .Start;
    P.Caption = "what lies around the wait with the longest exposed stall";
  }
  // Half of the events are before it: as many as leave room for those after it.
  int64_t Low = T.begin(), High = Around;
  while (High - Low > 1) {
    int64_t Middle = Low + (High - Low) / 2;
    (eventsIn(T, Middle, Around) > MaxEvents / 2 ? Low : High) = Middle;
  }
  P.Start = P.ViewFrom = High;
  P.End = P.ViewTo = roomBehind(T, P.Start, MaxEvents);
  return P;
}

} // namespace

TimelinePart report::choosePart(const Input &Subject, size_t MaxEvents) {
  TimelinePart P = Subject.R.Steps.List.empty()
                       ? partOfRun(Subject, MaxEvents)
                       : partOfSteps(Subject, MaxEvents);
  P.ViewFrom = std::clamp(P.ViewFrom, P.Start, P.End);
  P.ViewTo = std::clamp(P.ViewTo, P.ViewFrom, P.End);
  return P;
}

static std::string stage(const Input &Subject, const TimelinePart &Part) {
  return fmt::format(
      "<div class=\"timeline\">\n<p class=\"what\">Shown: {0}.</p>\n"
      "<noscript><p class=\"what\">The timeline needs JavaScript; everything "
      "else on this page does not.</p></noscript>\n"
      "<div class=\"stage\" hidden></div>\n"
      "<script type=\"application/json\">{1}</script>\n</div>\n",
      escapeHtml(Part.Caption), timelineJson(Subject, Part));
}

Section report::timelineSection(const Input &Subject) {
  Section S;
  S.Heading = "Timeline";
  S.Id = "timeline";
  const TimelinePart Part = choosePart(Subject);
  if (Part.Start >= Part.End)
    return S;
  return S.add(Picture{[&Subject, Part] { return stage(Subject, Part); }},
               Shown::OnPages);
}
