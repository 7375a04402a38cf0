// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/control/Session.h"

#include "runtime/cupti/Synchronizations.h"
#include "runtime/probes/Modules.h"
#include "runtime/probes/Probes.h"
#include "runtime/stacks/PythonStack.h"
#include "runtime/stacks/Sampler.h"
#include "runtime/support/Clock.h"
#include "runtime/support/Json.h"
#include "runtime/support/Log.h"
#include "runtime/support/Loss.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <utility>

namespace autoprof::runtime {

// Adds `Text` as a plain number: "007" would not be valid JSON.
static void addNumber(JsonObject &Out, const char *Key,
                      const std::string &Text) {
  if (!Text.empty())
    Out.number(Key, strtoull(Text.c_str(), nullptr, 10));
}

// Event ids of ranks that are shown together must differ, or arrows would
// connect the wrong events. Taking the share from the rank ensures that; other
// processes get a hash, which rarely collides.
ProcessIdentity Session::identify(const Settings &Chosen) {
  ProcessIdentity Process = identifyProcess();
  if (!Chosen.Numbers.Rank.empty())
    Process.Share = static_cast<uint8_t>(
        strtoull(Chosen.Numbers.Rank.c_str(), nullptr, 10) % ShareCount);
  return Process;
}

// States at which calls stacks are taken, so that no reader assumes that every
// call has one.
static std::string stacksJson(uint64_t PauseNs) {
  JsonObject Json;
  Json.number("long_ns", StackPlan::LongNs);
  if (PauseNs == UINT64_MAX)
    Json.raw("pause_ns", "null");
  else
    Json.number("pause_ns", PauseNs);
  return Json.number("one_in", StackPlan::OneIn).str();
}

void Session::writeProcess(const CuptiStatus &Status) {
  std::string Key = name(Status.State) + Status.Reason;
  if (Key == StatusSeen)
    return;
  StatusSeen = std::move(Key);
  JsonObject Cupti;
  Cupti.text("state", name(Status.State));
  if (!Status.Reason.empty())
    Cupti.text("reason", Status.Reason);
  std::string Words;
  for (const std::string &Word : Process.CommandLine)
    Words += (Words.empty() ? "" : ",") + quoted(Word);
  char Host[256] = "";
  gethostname(Host, sizeof Host - 1);
  JsonObject Json;
  Json.text("schema", "autoprof-trace/1")
      .number("pid", Process.Pid)
      .raw("cmdline", "[" + Words + "]")
      .text("host", Host)
      .text("mode", name(Chosen.RecordingMode))
      .text("version", AUTOPROF_VERSION)
      .raw("cupti", Cupti.str());
  if (Chosen.Stacks)
    Json.raw("stacks", stacksJson(Chosen.StackPauseNs));
  if (Chosen.Memory)
    Json.raw("memory", "true");
  if (Status.Graphs != GraphRecords::Auto)
    Json.text("graphs",
              Status.Graphs == GraphRecords::Nodes ? "node" : "graph");
  addNumber(Json, "rank", Chosen.Numbers.Rank);
  addNumber(Json, "local_rank", Chosen.Numbers.Local);
  addNumber(Json, "ranks", Chosen.Numbers.All);
  Events.standing("process", 0, Json.str());
}

void Session::writeOwnCosts() {
  const MeasuredCosts &Own = Chosen.OwnCosts;
  if (!Own.isKnown() || std::exchange(OwnWritten, true))
    return;
  auto Json = [](const CallCosts &Costs) {
    return JsonObject()
        .number("launch_ns", Costs.Launch)
        .number("wait_ns", Costs.Wait)
        .str();
  };
  Events.standing("recorder_cost", 0,
                  JsonObject()
                      .raw("unrecorded", Json(Own.Unrecorded))
                      .raw("recorded", Json(Own.Recorded))
                      .str());
}

void Session::writeMachine() {
  if (!Chosen.Machine.empty() && !std::exchange(MachineWritten, true))
    Events.standing("machine", 0, Chosen.Machine);
}

void Session::compressIfWanted() {
  if (!Chosen.Compress)
    return;
  if (Packer.open())
    Events.compress(Packer);
  else
    warn("there is no libz.so.1 on this machine; the trace is not compressed");
}

void Session::writeTables() {
  scanModules(probeHooks());
  for (const std::string &Rows : takeNewTables())
    Events.standing("sites", ++TablesSeen,
                    JsonObject().text("rows", Rows).str());
}

static std::string lossJson() {
  auto Total = [](const std::atomic<uint64_t> &N) {
    return N.load(std::memory_order_relaxed);
  };
  return JsonObject()
      .number("cupti_dropped", Total(Lost.CuptiDropped))
      .number("probes_dropped", Total(Lost.ProbesDropped))
      .number("zero_timestamps", Total(Lost.ZeroTimestamps))
      .number("buffers_refused", Total(Lost.BuffersRefused))
      .number("write_errors", Total(Lost.WriteErrors))
      .number("probes_unbalanced", Total(Lost.ProbesUnbalanced))
      .number("stacks_dropped", Total(Lost.StacksDropped))
      .str();
}

void Session::writeLoss(bool Always) {
  std::string Json = lossJson();
  if (Json == LossSeen && !Always)
    return;
  Events.standing("loss", 0, Json);
  LossSeen = std::move(Json);
}

// Writes a range's totals again only when they have grown by an eighth: a loop
// may run for days.
void Session::writeLeftOut(bool Always) {
  for (auto &[Id, L] : Ranges.leftOut()) {
    if (L.Runs == L.Written || (!Always && L.Runs - L.Written < L.Written / 8))
      continue;
    char Hex[24];
    snprintf(Hex, sizeof Hex, "0x%016llx", static_cast<unsigned long long>(Id));
    Events.standing("throttled", Id,
                    JsonObject()
                        .text("id", Hex)
                        .number("runs", L.Runs)
                        .number("ns", L.Ns)
                        .str());
    L.Written = L.Runs;
  }
}

void Session::drainActivity(const CuptiStatus &Status, bool Last) {
  flushCupti(Last, ~0u);
  Layout Records;
  if (Status.State != CuptiState::Ok || !Layout::of(Status.Version, Records))
    return;
  if (!Decoder)
    Decoder =
        std::make_unique<ActivityDecoder>(Events, Records, cuptiFunctionName);
  for (ActivityBuffer Buffer; takeCompleted(Buffer);) {
    decodeBuffer(Buffer, *Decoder);
    recycle(Buffer);
    repeatIfDue();
  }
  for (Synchronization S : takeSynchronizations()) {
    S.Correlation = Decoder->widen(static_cast<uint32_t>(S.Correlation));
    Events.synchronization(S);
  }
  Lost.CuptiDropped.fetch_add(takeDroppedRecords());
  refillBuffers();
}

// Stacks are kept until there is a decoder, which widens their correlation ids.
void Session::drainStacks() {
  if (!Chosen.Stacks || !Decoder)
    return;
  lookForPython(); // Python may have been loaded meanwhile.
  StackBatch Batch = takeStacks();
  for (const StackModule &M : Batch.Modules)
    Events.standing("module", ++ModulesSeen,
                    JsonObject()
                        .text("path", M.Path)
                        .number("bytes", M.Size)
                        .number("mtime_ns", M.Changed)
                        .str());
  for (const CallStack &S : Batch.Stacks)
    Events.stack(S.Tid, S.Time, Decoder->widen(S.Correlation), S.Frames);
  for (const ThreadSample &S : Batch.Samples)
    Events.sample(S);
}

void Session::writeWindow() {
  for (const WindowEdge &Edge : takeWindowEdges()) {
    Ranges.expectWindows();
    Events.standing("window", ++EdgesSeen,
                    JsonObject()
                        .raw("open", Edge.Opens ? "true" : "false")
                        .number("at_ns", Edge.Time - Start)
                        .text("plan", Chosen.Window.text())
                        .str());
  }
  StepCount Steps = countedSteps();
  if (Steps.Seen != StepsWritten.Seen ||
      Steps.Recorded != StepsWritten.Recorded)
    Events.standing("steps", 0,
                    JsonObject()
                        .number("seen", Steps.Seen)
                        .number("recorded", Steps.Recorded)
                        .str());
  StepsWritten = Steps;
  const uint64_t Cost = launchCost();
  if (Cost && !std::exchange(CostWritten, true))
    Events.standing("launch_cost", 0,
                    JsonObject().number("launch_ns", Cost).str());
}

// Makes a part of a long trace readable alone, such as what `tail -c 100M` cuts
// off. The repeated names of a large program take about 1 % of this.
static constexpr uint64_t RepeatAfter = 32u << 20;

void Session::repeatIfDue() {
  if (Kept.isDue()) {
    // Events that begin from now on are not in the half that is dropped.
    const uint64_t From = now() - Start;
    if (!Events.flush() || !Kept.turn())
      return;
    Events.standingLater("ring", 0,
                         JsonObject()
                             .number("limit_bytes", Chosen.Window.KeepBytes)
                             .number("from_ns", From)
                             .text("plan", Chosen.Window.text())
                             .str());
  } else if (Events.bytes() - BytesRepeated < RepeatAfter) {
    return;
  }
  Events.repeat();
  BytesRepeated = Events.bytes();
}

std::string Session::dump(std::string &Problem) {
  Events.flush();
  return Kept.dump(Problem);
}

bool Session::pump(const CuptiStatus &Status, bool Last) {
  repeatIfDue();
  writeTables();
  writeProcess(Status);
  writeOwnCosts();
  writeMachine();
  writeWindow();
  drainActivity(Status, Last);
  drainProbes(Ranges);
  drainStacks();
  writeLeftOut(Last);
  writeLoss(Last);
  if (Events.packets() == PacketsSeen)
    return File.isOpen();
  Events.clockSnapshot();
  if (Last)
    writeEnd();
  PacketsSeen = Events.packets();
  return Events.flush();
}

void Session::writeEnd() {
  Events.metadata("end", JsonObject()
                             .text("reason", "exit")
                             .number("wall_ns", now() - Start)
                             .str());
}

} // namespace autoprof::runtime
