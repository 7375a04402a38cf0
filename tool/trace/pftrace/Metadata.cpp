// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/pftrace/Metadata.h"

#include "config/ParseJson.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>

using namespace autoprof::trace;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

std::string text(const json::Object &O, StringRef Key) {
  return O.getString(Key).value_or("").str();
}

std::optional<uint32_t> index(const json::Object &O, StringRef Key) {
  std::optional<int64_t> V = O.getInteger(Key);
  if (!V || *V < 0 || *V >= int64_t(None))
    return std::nullopt;
  return uint32_t(*V);
}

std::optional<int64_t> number(const json::Object &O, StringRef Key) {
  std::optional<uint32_t> N = index(O, Key);
  return N ? std::optional<int64_t>(*N) : std::nullopt;
}

/// 0: there is none.
uint64_t amount(const json::Object &O, StringRef Key) {
  return uint64_t(std::max<int64_t>(0, O.getInteger(Key).value_or(0)));
}

std::optional<int64_t> positive(const json::Object *O, StringRef Key) {
  std::optional<int64_t> N = O ? O->getInteger(Key) : std::nullopt;
  return N && *N > 0 ? N : std::nullopt;
}

/// Nothing if it is not an object in JSON.
std::optional<json::Object> parsed(StringRef Json) {
  llvm::Expected<json::Value> Document = autoprof::parseJson(Json);
  if (!Document) {
    llvm::consumeError(Document.takeError());
    return std::nullopt;
  }
  if (json::Object *O = Document->getAsObject())
    return std::move(*O);
  return std::nullopt;
}

bool applyProcess(TimelineBuilder &B, const json::Object &O) {
  Process &P = B.T.Info;
  P.Pid = O.getInteger("pid").value_or(-1);
  P.Host = text(O, "host");
  P.Mode = text(O, "mode");
  P.Version = text(O, "version");
  P.Rank = number(O, "rank");
  P.LocalRank = number(O, "local_rank");
  P.Ranks = number(O, "ranks");
  if (const json::Object *Stacks = O.getObject("stacks"))
    P.Stacks = {Stacks->getInteger("long_ns").value_or(0),
                Stacks->getInteger("pause_ns"), amount(*Stacks, "one_in")};
  P.CommandLine.clear();
  if (const json::Array *Words = O.getArray("cmdline"))
    for (const json::Value &Word : *Words) {
      if (!P.CommandLine.empty())
        P.CommandLine += ' ';
      P.CommandLine += Word.getAsString().value_or("").str();
    }
  if (const json::Object *Cupti = O.getObject("cupti")) {
    P.CuptiState = text(*Cupti, "state");
    P.CuptiReason = text(*Cupti, "reason");
  }
  return true;
}

bool applyDevice(TimelineBuilder &B, const json::Object &O) {
  std::optional<uint32_t> Id = index(O, "id");
  if (!Id)
    return false;
  Device Read;
  Read.Id = *Id;
  Read.Name = text(O, "name");
  auto [Major, Minor] = O.getString("compute").value_or("").split('.');
  Major.getAsInteger(10, Read.ComputeMajor);
  Minor.getAsInteger(10, Read.ComputeMinor);
  Read.Sms = index(O, "sms").value_or(0);
  Read.MemoryBytes = amount(O, "memory_bytes");
  Read.WarpsPerSm = index(O, "warps_per_sm").value_or(0);
  Read.BlocksPerSm = index(O, "blocks_per_sm").value_or(0);
  Read.RegistersPerSm = index(O, "registers_per_sm").value_or(0);
  Read.SharedPerSm = amount(O, "shared_per_sm");
  for (Device &D : B.T.Devices)
    if (D.Id == *Id) {
      D = std::move(Read);
      return true;
    }
  B.T.Devices.push_back(std::move(Read));
  return true;
}

bool applyStream(TimelineBuilder &B, const json::Object &O) {
  std::optional<uint32_t> Id = index(O, "id"), Context = index(O, "context"),
                          Device = index(O, "device");
  if (!Id || !Context || !Device)
    return false;
  auto Flag = llvm::StringSwitch<StreamFlag>(text(O, "flag"))
                  .Case("null", StreamFlag::Null)
                  .Case("default", StreamFlag::Blocking)
                  .Case("nonblocking", StreamFlag::NonBlocking)
                  .Default(StreamFlag::Unknown);
  B.setFlag(*Device, *Context, *Id, Flag);
  return true;
}

bool applyLoss(TimelineBuilder &B, const json::Object &O) {
  B.T.Lost = {amount(O, "cupti_dropped"),   amount(O, "probes_dropped"),
              amount(O, "zero_timestamps"), amount(O, "buffers_refused"),
              amount(O, "write_errors"),    amount(O, "probes_unbalanced"),
              amount(O, "stacks_dropped")};
  return true;
}

/// "0x" and hex digits. Zero is not an id.
std::optional<uint64_t> parseId(StringRef S) {
  uint64_t Id;
  if (!S.consume_front("0x") || S.getAsInteger(16, Id) || !Id)
    return std::nullopt;
  return Id;
}

/// Totals so far: the last one of a range holds.
bool applyThrottled(TimelineBuilder &B, const json::Object &O) {
  std::optional<uint64_t> Id = parseId(text(O, "id"));
  std::optional<int64_t> Runs = O.getInteger("runs"), Time = O.getInteger("ns");
  if (!Id || !Runs || *Runs <= 0 || !Time || *Time < 0)
    return false;
  const ThrottledRange Read = {B.site(*Id), uint64_t(*Runs), *Time};
  for (ThrottledRange &Known : B.T.Throttled)
    if (Known.Site == Read.Site) {
      Known = Read;
      return true;
    }
  B.T.Throttled.push_back(Read);
  return true;
}

/// The words of one plan are a part of the format (docs/trace-format.md).
void setPlan(Windows &W, const json::Object &O) {
  W.Plan = text(O, "plan");
  W.PlansAll = W.Plan == "the whole run";
}

/// The window opened or closed.
bool applyWindow(TimelineBuilder &B, const json::Object &O) {
  Windows &W = B.T.Recorded;
  std::optional<bool> Opens = O.getBoolean("open");
  std::optional<int64_t> Time = O.getInteger("at_ns");
  if (!Opens || !Time || *Time < 0)
    return false;
  // All edges are repeated after a marker.
  if (!W.List.empty()) {
    bool IsOpen = W.List.back().End == std::numeric_limits<int64_t>::max();
    if (*Time <= (IsOpen ? W.List.back().Start : W.List.back().End))
      return true;
  }
  // A recording without a plan is open until it is closed for the first time.
  bool First = !W.Limited;
  W.Limited = true;
  setPlan(W, O);
  if (*Opens)
    W.List.push_back({*Time, std::numeric_limits<int64_t>::max()});
  else if (!W.List.empty())
    W.List.back().End = *Time;
  else if (First && *Time > 0)
    W.List.push_back({0, *Time});
  return true;
}

/// Only the end was kept. The first of several pieces states where it begins.
bool applyRing(TimelineBuilder &B, const json::Object &O) {
  Windows &W = B.T.Recorded;
  std::optional<int64_t> Start = O.getInteger("from_ns");
  if (!Start || *Start < 0)
    return false;
  if (W.KeptFrom == 0)
    W.KeptFrom = *Start;
  if (W.Plan.empty())
    setPlan(W, O);
  return true;
}

bool applySteps(TimelineBuilder &B, const json::Object &O) {
  auto Count = [&O](StringRef Key) -> std::optional<uint64_t> {
    std::optional<int64_t> N = O.getInteger(Key);
    return N && *N >= 0 ? std::optional<uint64_t>(*N) : std::nullopt;
  };
  B.T.Recorded.StepsSeen = Count("seen");
  B.T.Recorded.StepsRecorded = Count("recorded");
  return B.T.Recorded.StepsSeen.has_value();
}

bool applyLaunchCost(TimelineBuilder &B, const json::Object &O) {
  B.T.Recorded.LaunchCost = positive(&O, "launch_ns");
  return B.T.Recorded.LaunchCost.has_value();
}

CallCosts callCosts(const json::Object &O, StringRef Key) {
  const json::Object *Costs = O.getObject(Key);
  return {positive(Costs, "launch_ns"), positive(Costs, "wait_ns")};
}

/// What the recorder measured of itself.
bool applyRecorderCost(TimelineBuilder &B, const json::Object &O) {
  const RecorderCosts Read = {callCosts(O, "unrecorded"),
                              callCosts(O, "recorded")};
  if (!Read.Unrecorded.Launch || !Read.Recorded.Launch)
    return false;
  B.T.OwnCosts = Read;
  return true;
}

/// Who analyzes the timeline reads the rest.
bool applyMachine(TimelineBuilder &B, const json::Object &O) {
  if (!O.getString("schema"))
    return false;
  B.T.Constants = llvm::formatv("{0}", json::Value(json::Object(O)));
  return true;
}

bool applyModule(TimelineBuilder &B, const json::Object &O) {
  Module M;
  M.Path = text(O, "path");
  M.Bytes = O.getInteger("bytes").value_or(0);
  M.Time = O.getInteger("mtime_ns").value_or(0);
  if (M.Path.empty())
    return false;
  // All are repeated after a marker.
  if (llvm::none_of(B.T.Modules,
                    [&M](const Module &Known) { return Known.Path == M.Path; }))
    B.T.Modules.push_back(std::move(M));
  return true;
}

/// The trace was converted from another profiler's.
bool applyOrigin(TimelineBuilder &B, const json::Object &O) {
  Origin &Source = B.T.Info.Source;
  Source.Producer = text(O, "producer");
  Source.Limits.clear();
  if (const json::Array *Limits = O.getArray("limits"))
    for (const json::Value &Limit : *Limits)
      Source.Limits.push_back(Limit.getAsString().value_or("").str());
  return !Source.Producer.empty();
}

bool applyEnd(TimelineBuilder &B, const json::Object &O) {
  std::optional<StringRef> Reason = O.getString("reason");
  if (!Reason || Reason->empty())
    return false;
  B.T.Info.EndReason = Reason->str();
  B.T.Info.Wall = O.getInteger("wall_ns");
  return true;
}

std::string unescape(StringRef S) {
  std::string Result;
  for (size_t I = 0; I < S.size(); ++I) {
    if (S[I] == '%' && I + 2 < S.size() && llvm::isHexDigit(S[I + 1]) &&
        llvm::isHexDigit(S[I + 2])) {
      Result += char(llvm::hexFromNibbles(S[I + 1], S[I + 2]));
      I += 2;
    } else {
      Result += S[I];
    }
  }
  return Result;
}

} // namespace

bool autoprof::trace::applyMetadata(TimelineBuilder &B, StringRef Name,
                                    StringRef Json) {
  auto Apply =
      llvm::StringSwitch<bool (*)(TimelineBuilder &, const json::Object &)>(
          Name)
          .Case("process", applyProcess)
          .Case("device", applyDevice)
          .Case("stream", applyStream)
          .Case("loss", applyLoss)
          .Case("end", applyEnd)
          .Case("throttled", applyThrottled)
          .Case("window", applyWindow)
          .Case("ring", applyRing)
          .Case("origin", applyOrigin)
          .Case("module", applyModule)
          .Case("steps", applySteps)
          .Case("launch_cost", applyLaunchCost)
          .Case("recorder_cost", applyRecorderCost)
          .Case("machine", applyMachine)
          .Case("sites",
                [](TimelineBuilder &B, const json::Object &O) {
                  std::optional<StringRef> Rows = O.getString("rows");
                  if (Rows)
                    applySiteRows(B, *Rows);
                  return Rows.has_value();
                })
          .Default(nullptr);
  if (!Apply)
    return true;
  const std::optional<json::Object> O = parsed(Json);
  return O && Apply(B, *O);
}

std::optional<SiteBinding> autoprof::trace::parseSiteBinding(StringRef Json) {
  const std::optional<json::Object> O = parsed(Json);
  if (!O)
    return std::nullopt;
  std::optional<int64_t> Name = O->getInteger("name");
  std::optional<int64_t> Iid = Name ? Name : O->getInteger("iid");
  std::optional<uint64_t> Id = parseId(text(*O, "id"));
  if (!Iid || *Iid <= 0 || !Id)
    return std::nullopt;
  return SiteBinding{uint64_t(*Iid), *Id, Name.has_value()};
}

/// A row that is no place: the step of `.autoprof`, or that of autoprof_step().
static void applyStepRow(Process &P, StringRef Function, std::string Step) {
  if (Function == "autoprof_step")
    P.MarksSteps = true;
  else if (!llvm::is_contained(P.NamedSteps, Step))
    P.NamedSteps.push_back(std::move(Step));
}

size_t autoprof::trace::applySiteRows(TimelineBuilder &B, StringRef Rows) {
  size_t Read = 0;
  while (!Rows.empty()) {
    StringRef Row;
    std::tie(Row, Rows) = Rows.split(';');
    llvm::SmallVector<StringRef, 7> Field;
    Row.split(Field, '|');
    uint32_t Line, Column;
    std::optional<uint64_t> Id =
        Field.size() == 7 ? parseId(Field[0]) : std::nullopt;
    if (!Id || Field[2].getAsInteger(10, Line) ||
        Field[3].getAsInteger(10, Column))
      continue;
    ++Read;
    if (Field[1] == "step") {
      applyStepRow(B.T.Info, Field[5], unescape(Field[6]));
      continue;
    }
    Site &S = B.T.Sites[B.site(*Id)];
    S.Kind = Field[1].str();
    S.Line = Line;
    S.Column = Column;
    S.File = unescape(Field[4]);
    S.Function = unescape(Field[5]);
    S.Callee = unescape(Field[6]);
  }
  return Read;
}
