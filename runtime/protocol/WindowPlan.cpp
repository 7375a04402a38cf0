// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/protocol/WindowPlan.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>

namespace autoprof::runtime {

static constexpr std::string_view Digits = "0123456789";

static bool parseNumber(std::string_view Text, uint64_t &Result) {
  const size_t MostDigits = 18;
  if (Text.empty() || Text.size() > MostDigits ||
      Text.find_first_not_of(Digits) != std::string_view::npos)
    return false;
  Result = strtoull(std::string(Text).c_str(), nullptr, 10);
  return true;
}

uint64_t parseBytes(const std::string &Text) {
  if (Text.empty() || Text[0] < '0' || Text[0] > '9')
    return 0;
  char *End = nullptr;
  unsigned long long Number = strtoull(Text.c_str(), &End, 10);
  unsigned Shift = 0;
  if (*End == 'K' || *End == 'M' || *End == 'G') {
    Shift = *End == 'K' ? 10 : *End == 'M' ? 20 : 30;
    ++End;
  }
  if (*End != '\0' || Number > (UINT64_MAX >> Shift))
    return 0;
  return Number << Shift;
}

bool parseThrottle(const std::string &Text, uint64_t &Runs) {
  if (Text != "off")
    return parseNumber(Text, Runs);
  Runs = 0;
  return true;
}

bool parseGraphs(const std::string &Text, GraphRecords &Records) {
  if (Text == "auto")
    Records = GraphRecords::Auto;
  else if (Text == "graph")
    Records = GraphRecords::Launches;
  else if (Text == "node")
    Records = GraphRecords::Nodes;
  else
    return false;
  return true;
}

static std::string bytesText(uint64_t Bytes) {
  if (Bytes % (1u << 30) == 0)
    return std::to_string(Bytes >> 30) + "G";
  if (Bytes % (1u << 20) == 0)
    return std::to_string(Bytes >> 20) + "M";
  return std::to_string(Bytes >> 10) + "K";
}

// "3:8", "3:", ":8".
static bool parseSpan(std::string_view Text, StepSpan &Span) {
  size_t Colon = Text.find(':');
  if (Colon == std::string_view::npos || Text.size() == 1)
    return false;
  Span = {0, UINT64_MAX};
  std::string_view From = Text.substr(0, Colon), To = Text.substr(Colon + 1);
  return (From.empty() || parseNumber(From, Span.From)) &&
         (To.empty() || parseNumber(To, Span.To)) && Span.From < Span.To;
}

static bool parseSteps(std::string_view Text, std::vector<StepSpan> &Steps) {
  for (;;) {
    size_t Comma = Text.find(',');
    StepSpan Span;
    if (!parseSpan(Text.substr(0, Comma), Span) ||
        (!Steps.empty() && Span.From < Steps.back().To))
      return false;
    Steps.push_back(Span);
    if (Comma == std::string_view::npos)
      return true;
    Text.remove_prefix(Comma + 1);
  }
}

bool parseTime(const std::string &Text, uint64_t &Ns) {
  const double MostSeconds = 1e9;
  if (Text.empty() || Digits.find(Text[0]) == std::string_view::npos)
    return false;
  size_t End = Text.find_first_not_of("0123456789.");
  std::string Unit = End == std::string::npos ? "s" : Text.substr(End);
  const double Scale = Unit == "s"    ? 1
                       : Unit == "ms" ? 1e-3
                       : Unit == "us" ? 1e-6
                       : Unit == "m"  ? 60
                       : Unit == "h"  ? 3600
                                      : 0;
  char *Stop = nullptr;
  double Seconds = strtod(Text.c_str(), &Stop) * Scale;
  if (Scale == 0 || Stop != Text.c_str() + std::min(End, Text.size()) ||
      Seconds > MostSeconds)
    return false;
  Ns = static_cast<uint64_t>(std::llround(Seconds * 1e9));
  return true;
}

bool parseStackPause(const std::string &Text, uint64_t &Ns) {
  const uint64_t Microsecond = 1'000;
  uint64_t Parsed = UINT64_MAX;
  if (Text != "off" && (!parseTime(Text, Parsed) || Parsed < Microsecond))
    return false;
  Ns = Parsed;
  return true;
}

static std::string timeText(uint64_t Ns) {
  const uint64_t Second = 1'000'000'000, Millisecond = 1'000'000;
  if (Ns % Second == 0)
    return std::to_string(Ns / Second) + "s";
  if (Ns % Millisecond == 0)
    return std::to_string(Ns / Millisecond) + "ms";
  return std::to_string(Ns / 1000) + "us";
}

bool WindowPlan::contains(uint64_t Step) const {
  return std::any_of(Steps.begin(), Steps.end(), [Step](const StepSpan &S) {
    return S.From <= Step && Step < S.To;
  });
}

std::string WindowPlan::text() const {
  std::string Text = KeepBytes ? "the last " + bytesText(KeepBytes) : "";
  if (Kind != WindowKind::All || !KeepBytes)
    Text += (Text.empty() ? "" : " of ") + partText();
  return Text;
}

std::string WindowPlan::partText() const {
  std::string Text;
  switch (Kind) {
  case WindowKind::All:
    return "the whole run";
  case WindowKind::Steps:
    for (const StepSpan &S : Steps)
      Text += (Text.empty() ? "steps " : ",") + std::to_string(S.From) + ":" +
              (S.To == UINT64_MAX ? "" : std::to_string(S.To));
    return Text + (Range.empty() ? "" : " of " + Range);
  case WindowKind::Time:
    Text = DurationNs ? timeText(DurationNs) : "all";
    return Text + (DelayNs ? " from " + timeText(DelayNs) + " on" : "");
  case WindowKind::ProfilerApi:
    return "profiler-api";
  case WindowKind::Manual:
    return "manual";
  }
  return Text;
}

static bool parseCapture(const std::string &Value, WindowPlan &Plan) {
  if (Value == "profiler-api")
    Plan.Kind = WindowKind::ProfilerApi;
  else if (Value == "manual")
    Plan.Kind = WindowKind::Manual;
  return Plan.Kind != WindowKind::All || Value.empty() || Value == "all";
}

std::string variableOf(std::string_view Option) {
  std::string Name = "AUTOPROF_";
  for (char C : Option)
    Name += C == '-' ? '_' : static_cast<char>(toupper(C));
  return Name;
}

bool parseWindow(const WindowWords &Given, SpelledAs Names, WindowPlan &Plan,
                 std::string &Problem) {
  WindowPlan New;
  auto Spelled = [Names](const char *Option) {
    return (Names == SpelledAs::Option ? std::string("--") + Option
                                       : variableOf(Option)) +
           "=";
  };
  auto Refuse = [&](const char *Option, const std::string &Value,
                    const char *Reason) {
    Problem = Spelled(Option) + Value + " is not " + Reason;
    return false;
  };
  if (!parseCapture(Given.Capture, New))
    return Refuse("capture", Given.Capture, "all, profiler-api or manual");
  unsigned Kinds = New.Kind != WindowKind::All;
  New.Range = Given.Range;
  if (!Given.Steps.empty()) {
    New.Kind = WindowKind::Steps;
    ++Kinds;
  }
  if (!Given.Steps.empty() && !parseSteps(Given.Steps, New.Steps))
    return Refuse("steps", Given.Steps,
                  "FROM:TO with FROM below TO, or several of them in order "
                  "(3:8,100:110)");
  if (!New.Range.empty() && New.Kind != WindowKind::Steps) {
    Problem = Spelled("range") + Given.Range + " names what a step is: give " +
              Spelled("steps") + "FROM:TO, too";
    return false;
  }
  if (!Given.Delay.empty() || !Given.Duration.empty()) {
    New.Kind = WindowKind::Time;
    ++Kinds;
  }
  if (!Given.Delay.empty() && !parseTime(Given.Delay, New.DelayNs))
    return Refuse("delay", Given.Delay, IsTime);
  if (!Given.Duration.empty() &&
      (!parseTime(Given.Duration, New.DurationNs) || !New.DurationNs))
    return Refuse("duration", Given.Duration, IsTime);
  const uint64_t LeastKept = 1u << 20;
  New.KeepBytes = parseBytes(Given.MaxSize);
  if (!Given.MaxSize.empty() && New.KeepBytes < LeastKept)
    return Refuse("max-size", Given.MaxSize,
                  "a size of 1M or more (as 64M, 1G)");
  if (Kinds > 1) {
    Problem = "a window is given by steps, by times, or by a capture: choose "
              "one of them";
    return false;
  }
  Plan = std::move(New);
  return true;
}

} // namespace autoprof::runtime
