// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/control/Environment.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace autoprof::runtime {

const char *name(Mode M) {
  constexpr const char *Names[] = {"nvtx", "light", "full"};
  return Names[static_cast<unsigned>(M)];
}

static std::string valueOf(GetEnv Get, const char *Name) {
  const char *Value = Get(Name);
  return Value ? Value : "";
}

static void readMode(GetEnv Get, Settings &S) {
  std::string Value = valueOf(Get, "AUTOPROF_MODE");
  S.Stacks = Value == "full+stacks";
  S.Calls = Value == "light+calls";
  S.StepTimes = Value == "steps";
  if (Value.empty() || Value == "full" || S.Stacks)
    S.RecordingMode = Mode::Full;
  else if (Value == "light" || S.Calls || S.StepTimes)
    S.RecordingMode = Mode::Light;
  else if (Value == "nvtx")
    S.RecordingMode = Mode::Nvtx;
  else {
    S.RecordingMode = Mode::Full;
    S.Problems.push_back("AUTOPROF_MODE=" + Value +
                         " is not full, full+stacks, light, light+calls, "
                         "steps or nvtx; using full");
  }
  if (S.Output.empty())
    S.RecordingMode = Mode::Nvtx;
}

static void readLevel(GetEnv Get, Settings &S) {
  std::string Value = valueOf(Get, "AUTOPROF_LOG_LEVEL");
  if (Value == "quiet")
    S.Level = LogLevel::Quiet;
  else if (!Value.empty() && Value != "warn")
    S.Problems.push_back("AUTOPROF_LOG_LEVEL=" + Value +
                         " is not quiet or warn; using warn");
}

static void readMemory(GetEnv Get, Settings &S) {
  const uint64_t Limit = 8u << 20;
  std::string Value = valueOf(Get, "AUTOPROF_MAX_MEMORY");
  if (Value.empty())
    return;
  uint64_t Bytes = parseBytes(Value);
  if (Bytes >= Limit)
    S.MaxMemory = Bytes;
  else
    S.Problems.push_back("AUTOPROF_MAX_MEMORY=" + Value +
                         " is not a size of 8M or more (as 256M, 1G); using "
                         "256M");
}

static void readWindow(GetEnv Get, Settings &S) {
  const WindowWords Given = windowWords([Get](const char *Option) {
    return valueOf(Get, variableOf(Option).c_str());
  });
  std::string Problem;
  if (!parseWindow(Given, SpelledAs::Variable, S.Window, Problem))
    S.Problems.push_back(Problem + "; recording the whole run");
}

// The value is copied into the trace, so reject what a reader could not parse.
static void readMachine(GetEnv Get, Settings &S) {
  std::string Value = valueOf(Get, "AUTOPROF_MACHINE");
  if (Value.empty() || S.RecordingMode != Mode::Full)
    return;
  const bool IsPlain = std::all_of(
      Value.begin(), Value.end(), [](char C) { return C >= 0x20 && C < 0x7f; });
  if (IsPlain && Value.front() == '{' && Value.back() == '}')
    S.Machine = std::move(Value);
  else
    S.Problems.push_back(
        "AUTOPROF_MACHINE is not an object in JSON; it is not stored");
}

// "off" and similar values are for `autoprof run` only.
static void readCosts(GetEnv Get, Settings &S) {
  if (S.RecordingMode == Mode::Full)
    parseCosts(valueOf(Get, "AUTOPROF_RECORDER_COST"), S.OwnCosts);
}

static void readThrottle(GetEnv Get, Settings &S) {
  std::string Value = valueOf(Get, "AUTOPROF_THROTTLE");
  if (!Value.empty() && !parseThrottle(Value, S.ThrottleAfter))
    S.Problems.push_back("AUTOPROF_THROTTLE=" + Value +
                         " is not a number of runs or off; using " +
                         std::to_string(DefaultThrottle));
}

static void readStackPause(GetEnv Get, Settings &S) {
  std::string Value = valueOf(Get, "AUTOPROF_STACKS_PAUSE");
  if (!Value.empty() && !parseStackPause(Value, S.StackPauseNs))
    S.Problems.push_back("AUTOPROF_STACKS_PAUSE=" + Value +
                         " is not a time of 1us or more (as 50us, 1ms) or "
                         "off; using 50us");
}

// Once GRAPH_TRACE is on it stays on (Cupti.cpp), so a program of which only a
// part is recorded would pay for it throughout its run.
static void readGraphs(GetEnv Get, Settings &S) {
  std::string Value = valueOf(Get, "AUTOPROF_GRAPHS");
  S.Graphs = GraphRecords::Auto;
  if (!Value.empty() && !parseGraphs(Value, S.Graphs))
    S.Problems.push_back("AUTOPROF_GRAPHS=" + Value +
                         " is not auto, graph or node; using auto");
  if (S.Graphs == GraphRecords::Auto)
    S.Graphs = S.Window.Kind == WindowKind::All ? GraphRecords::Launches
                                                : GraphRecords::Nodes;
}

static bool isSet(GetEnv Get, const char *Name) {
  std::string Value = valueOf(Get, Name);
  return !Value.empty() && Value != "0";
}

// The variables that launchers set for their processes. torchrun's names are so
// generic that rank and world size must both be set to count.
static RankNumbers readNumbers(GetEnv Get) {
  static constexpr struct {
    const char *Rank, *Local, *All;
    bool NeedsAll;
  } Launchers[] = {
      {"RANK", "LOCAL_RANK", "WORLD_SIZE", true}, // torchrun
      {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK",
       "OMPI_COMM_WORLD_SIZE", false},
      {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_LOCAL_RANK",
       "MV2_COMM_WORLD_SIZE", false},
      {"PMI_RANK", "MPI_LOCALRANKID", "PMI_SIZE", false}, // MPICH, Intel MPI
      {"SLURM_PROCID", "SLURM_LOCALID", "SLURM_NTASKS", false}};
  auto Number = [Get](const char *Name) {
    std::string Value = valueOf(Get, Name);
    bool Plain = Value.size() <= 9 &&
                 Value.find_first_not_of("0123456789") == std::string::npos;
    return Plain ? Value : "";
  };
  for (const auto &L : Launchers) {
    RankNumbers N = {Number(L.Rank), Number(L.Local), Number(L.All)};
    if (!N.Rank.empty() && (!L.NeedsAll || !N.All.empty()))
      return N;
  }
  return {};
}

Settings readSettings(GetEnv Get) {
  Settings S;
  S.Disabled = isSet(Get, "AUTOPROF_DISABLE");
  S.Compress = isSet(Get, "AUTOPROF_COMPRESS");
  S.IsNamedLater = isSet(Get, "AUTOPROF_NAMED_LATER");
  S.Numbers = readNumbers(Get);
  S.Output = valueOf(Get, "AUTOPROF_OUTPUT");
  S.Cupti = valueOf(Get, "AUTOPROF_CUPTI");
  readLevel(Get, S);
  readMode(Get, S);
  S.Memory = isSet(Get, "AUTOPROF_MEMORY") && S.RecordingMode == Mode::Full;
  readMemory(Get, S);
  readWindow(Get, S);
  readCosts(Get, S);
  readMachine(Get, S);
  readThrottle(Get, S);
  readStackPause(Get, S);
  readGraphs(Get, S);
  S.Listens =
      isSet(Get, "AUTOPROF_ATTACH") || S.Window.Kind == WindowKind::Manual;
  return S;
}

static std::string hostName() {
  char Name[256] = "";
  if (gethostname(Name, sizeof Name - 1) != 0)
    return "unknown";
  return Name;
}

// Expands %q{NAME} at `Pos` (the position of '%') and moves `Pos` past it.
static bool expandVariable(const std::string &Pattern, size_t &Pos, GetEnv Get,
                           std::string &Result,
                           std::vector<std::string> &Problems) {
  size_t Close = Pattern.find('}', Pos);
  if (Pattern.compare(Pos, 3, "%q{") != 0 || Close == std::string::npos)
    return false;
  std::string Name = Pattern.substr(Pos + 3, Close - Pos - 3);
  const char *Value = Get(Name.c_str());
  if (!Value)
    Problems.push_back("AUTOPROF_OUTPUT uses %q{" + Name + "}, but " + Name +
                       " is not set");
  Result += Value ? Value : "unset";
  Pos = Close + 1;
  return true;
}

std::string expandOutput(const std::string &Pattern,
                         const std::string &Directory, GetEnv Get,
                         std::vector<std::string> &Problems) {
  std::string Result;
  for (size_t Pos = 0; Pos < Pattern.size();) {
    char Next = Pos + 1 < Pattern.size() ? Pattern[Pos + 1] : '\0';
    if (Pattern[Pos] != '%') {
      Result += Pattern[Pos++];
    } else if (Next == 'p' || Next == 'h' || Next == '%') {
      Result += Next == 'p'   ? std::to_string(getpid())
                : Next == 'h' ? hostName()
                              : "%";
      Pos += 2;
    } else if (!expandVariable(Pattern, Pos, Get, Result, Problems)) {
      Problems.push_back("AUTOPROF_OUTPUT=" + Pattern +
                         " holds a % that is "
                         "not %p, %h, %q{NAME} or %%; keeping it as it is");
      Result += Pattern[Pos++];
    }
  }
  if (!Result.empty() && Result[0] != '/' && !Directory.empty())
    Result = Directory + "/" + Result;
  return Result;
}

} // namespace autoprof::runtime
