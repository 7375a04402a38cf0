// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/compare/TrialsFile.h"

#include "config/ParseJson.h"
#include "report/JsonFields.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

constexpr StringRef Schema = "autoprof-compare/1";

void texts(json::OStream &J, StringRef Key,
           const std::vector<std::string> &Values) {
  J.attributeArray(Key, [&] {
    for (const std::string &V : Values)
      J.value(json::fixUTF8(V));
  });
}

void side(json::OStream &J, StringRef Key, const TrialSide &S) {
  J.attributeObject(Key, [&] {
    texts(J, "command", S.Command);
    J.attributeObject("environment", [&] {
      for (const auto &[Name, Value] : S.Environment)
        J.attribute(json::fixUTF8(Name), json::fixUTF8(Value));
    });
    text(J, "recording", S.Recording);
    text(J, "step", S.Step);
    optional(J, "steps",
             S.Steps ? std::optional(int64_t(S.Steps)) : std::nullopt);
    J.attribute("exit_code", S.ExitCode);
    texts(J, "output_sha256", S.Outputs);
  });
}

void trial(json::OStream &J, const Trial &R) {
  auto Number = [](const std::optional<uint64_t> &V) {
    return V ? std::optional(int64_t(*V)) : std::nullopt;
  };
  J.object([&] {
    J.attribute("side", R.IsNew ? "new" : "base");
    J.attribute("time_ns", R.Time);
    J.attributeArray("parts_ns", [&] {
      for (int64_t Part : R.Parts)
        J.value(Part);
    });
    J.attribute("wall_ns", R.Wall);
    J.attribute("cpu_ns", R.Cpu);
    J.attribute("preempted", int64_t(R.Preempted));
    optional(J, "migrations", Number(R.Migrations));
    optional(J, "gpu_mhz", R.GpuMHz);
    optional(J, "cpu_mhz", R.CpuMHz);
    optional(J, "gpu_limited", Number(R.GpuLimited));
    optional(J, "launch_ns", R.LaunchCost);
    optional(J, "event_ns", R.EventCost);
    texts(J, "disturbed", R.Disturbed);
  });
}

void change(json::OStream &J, const RunsChange &C) {
  auto Bound = [&](double Interval::*Which) {
    return C.Range ? std::optional((*C.Range).*Which) : std::nullopt;
  };
  J.attribute("base_median_ns", C.BaseTime);
  J.attribute("new_median_ns", C.NewTime);
  J.attribute("change", C.Change);
  optional(J, "low", Bound(&Interval::Low));
  optional(J, "high", Bound(&Interval::High));
  J.attribute("p", C.P);
  J.attribute("significant", C.Differs);
}

StringRef objectionName(LaunchAdjustment::Objection O) {
  switch (O) {
  case LaunchAdjustment::Objection::None:
    return "";
  case LaunchAdjustment::Objection::Environments:
    return "environments_differ";
  case LaunchAdjustment::Objection::Cost:
    return "launch_cost_differs";
  }
  return "";
}

void adjustment(json::OStream &J, const LaunchAdjustment &L) {
  text(J, "not_used", objectionName(L.Obstacle));
  J.attribute("base_launch_ns", L.BaseCost);
  J.attribute("new_launch_ns", L.NewCost);
  J.attribute("slope", L.Slope);
  J.attribute("explained", L.Explained);
  J.attribute("spread", L.Spread);
  change(J, L.Adjusted);
}

/// Reads fields; the first that is missing or of the wrong kind is remembered.
class Reader {
  std::string Wrong;

  void fail(StringRef Key) {
    if (Wrong.empty())
      Wrong = Key.str();
  }

public:
  const std::string &wrong() const { return Wrong; }

  int64_t number(const json::Object &O, StringRef Key, int64_t Least = 0) {
    auto V = O.getInteger(Key);
    if (!V || *V < Least)
      fail(Key);
    return V.value_or(Least);
  }
  std::optional<int64_t> optionalNumber(const json::Object &O, StringRef Key) {
    return O.getInteger(Key);
  }
  double share(const json::Object &O, StringRef Key) {
    auto V = O.getNumber(Key);
    if (!V || !(*V >= 0))
      fail(Key);
    return V.value_or(0);
  }
  std::string text(const json::Object &O, StringRef Key) {
    auto V = O.getString(Key);
    return V ? V->str() : "";
  }
  std::vector<std::string> texts(const json::Object &O, StringRef Key) {
    std::vector<std::string> Result;
    const json::Array *A = O.getArray(Key);
    if (!A)
      fail(Key);
    else
      for (const json::Value &V : *A)
        Result.push_back(V.getAsString().value_or("").str());
    return Result;
  }
  TrialSide side(const json::Object &Whole, StringRef Key) {
    TrialSide S;
    const json::Object *O = Whole.getObject(Key);
    if (!O) {
      fail(Key);
      return S;
    }
    S.Command = texts(*O, "command");
    if (const json::Object *E = O->getObject("environment"))
      for (const auto &[Name, Value] : *E)
        S.Environment[Name.str()] = Value.getAsString().value_or("").str();
    S.Recording = text(*O, "recording");
    S.Step = text(*O, "step");
    S.Steps = uint64_t(O->getInteger("steps").value_or(0));
    S.ExitCode = int(O->getInteger("exit_code").value_or(0));
    S.Outputs = texts(*O, "output_sha256");
    return S;
  }
  Trial trial(const json::Object &O) {
    Trial R;
    const std::string Side = text(O, "side");
    if (Side != "base" && Side != "new")
      fail("side");
    R.IsNew = Side == "new";
    R.Time = number(O, "time_ns", 1);
    if (const json::Array *A = O.getArray("parts_ns"))
      for (const json::Value &V : *A)
        R.Parts.push_back(V.getAsInteger().value_or(0));
    R.Wall = number(O, "wall_ns");
    R.Cpu = number(O, "cpu_ns");
    R.Preempted = uint64_t(number(O, "preempted"));
    if (auto V = O.getInteger("migrations"))
      R.Migrations = uint64_t(*V);
    R.GpuMHz = O.getInteger("gpu_mhz");
    R.CpuMHz = O.getInteger("cpu_mhz");
    if (auto V = O.getInteger("gpu_limited"))
      R.GpuLimited = uint64_t(*V);
    R.LaunchCost = O.getInteger("launch_ns");
    R.EventCost = O.getInteger("event_ns");
    return R;
  }
  Trials trials(const json::Object &O) {
    Trials T;
    const std::string Metric = text(O, "metric");
    if (Metric != "step" && Metric != "wall")
      fail("metric");
    T.Metric = Metric == "wall" ? TrialMetric::Wall : TrialMetric::Step;
    T.SelfTest = O.getBoolean("self_test").value_or(false);
    T.Stored = O.getBoolean("base_is_stored").value_or(false);
    T.Base = side(O, "base");
    T.New = side(O, "new");
    T.Cpus = texts(O, "cpus");
    T.Gpu = text(O, "gpu");
    T.Host = text(O, "host");
    T.MostRuns = size_t(number(O, "most_runs", 1));
    T.LeastRuns = size_t(number(O, "least_runs"));
    T.Precision = share(O, "precision");
    const json::Array *Runs = O.getArray("runs");
    if (!Runs)
      fail("runs");
    else
      for (const json::Value &V : *Runs)
        if (const json::Object *R = V.getAsObject())
          T.Runs.push_back(trial(*R));
        else
          fail("runs");
    return T;
  }
};

} // namespace

llvm::StringRef report::verdictName(const TrialsJudged &Judged) {
  if (Judged.Differs)
    return Judged.Change > 0 ? "slower" : "faster";
  return Judged.ShowsNone ? "no_change" : "unclear";
}

void report::writeJudgement(json::OStream &J, const Trials &T,
                            const TrialsJudged &Judged) {
  J.attribute("verdict", verdictName(Judged));
  J.attribute("base_runs", int64_t(Judged.BaseRuns));
  J.attribute("new_runs", int64_t(Judged.NewRuns));
  J.attribute("basis", Judged.isAdjusted() ? "adjusted_runs" : "runs");
  change(J, Judged);
  J.attribute("error", StoppingPlan::Error);
  J.attribute("base_spread", Judged.BaseSpread);
  J.attribute("new_spread", Judged.NewSpread);
  J.attributeObject("unadjusted", [&] { change(J, Judged.Unadjusted); });
  if (Judged.Launch)
    J.attributeObject("adjustment", [&] { adjustment(J, *Judged.Launch); });
  else
    J.attribute("adjustment", nullptr);
  texts(J, "confounders", confounders(T));
}

void report::writeTrials(llvm::raw_ostream &Out, const Trials &T,
                         const TrialsJudged *Judged,
                         llvm::function_ref<void(json::OStream &)> WriteMore) {
  json::OStream J(Out, 1);
  J.object([&] {
    J.attribute("schema", Schema);
    J.attribute("metric", T.Metric == TrialMetric::Wall ? "wall" : "step");
    J.attribute("self_test", T.SelfTest);
    J.attribute("base_is_stored", T.Stored);
    side(J, "base", T.Base);
    side(J, "new", T.New);
    texts(J, "cpus", T.Cpus);
    text(J, "gpu", T.Gpu);
    text(J, "host", T.Host);
    J.attribute("most_runs", int64_t(T.MostRuns));
    J.attribute("least_runs", int64_t(T.LeastRuns));
    J.attribute("precision", T.Precision);
    if (Judged)
      J.attributeObject("result", [&] { writeJudgement(J, T, *Judged); });
    else
      J.attribute("result", nullptr);
    WriteMore(J);
    J.attributeArray("runs", [&] {
      for (const Trial &R : T.Runs)
        trial(J, R);
    });
  });
  J.flush();
  Out << '\n';
}

bool report::isTrialsFile(StringRef Path) {
  constexpr uint64_t Enough = 64;
  auto Start = llvm::MemoryBuffer::getFileSlice(Path, Enough, 0,
                                                /*IsVolatile=*/true);
  return Start && (*Start)->getBuffer().ltrim().starts_with("{") &&
         (*Start)->getBuffer().contains(Schema);
}

llvm::Expected<Trials> report::readTrials(StringRef Path) {
  auto Failure = [Path](const llvm::Twine &Reason) {
    return llvm::createStringError("cannot read the comparison '" + Path +
                                   "': " + Reason);
  };
  auto File = llvm::MemoryBuffer::getFile(Path);
  if (!File)
    return Failure(File.getError().message());
  llvm::Expected<json::Value> V = parseJson((*File)->getBuffer());
  if (!V)
    return Failure(llvm::toString(V.takeError()));
  const json::Object *O = V->getAsObject();
  if (!O || O->getString("schema").value_or("") != Schema)
    return Failure("its schema is not " + Schema);
  Reader R;
  Trials T = R.trials(*O);
  if (!R.wrong().empty())
    return Failure("'" + R.wrong() + "' is missing or wrong");
  markDisturbed(T);
  return T;
}
