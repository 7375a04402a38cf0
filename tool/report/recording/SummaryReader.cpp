// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Summary.h"

#include "config/ParseJson.h"

#include "llvm/Support/MathExtras.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// ns, and steps: 46 days, so that sums over thousands of ranks stay below 64
/// bits.
constexpr int64_t Most = 4'000'000'000'000'000;

/// Reads the fields of one document; names the first invalid one.
struct Fields {
  std::string &Problem;
  const json::Object &O;

  void complain(StringRef Key, StringRef Reason) {
    if (Problem.empty())
      Problem = ("'" + Key + "' " + Reason).str();
  }
  std::optional<int64_t> known(StringRef Key) {
    const json::Value *V = O.get(Key);
    if (!V || V->kind() == json::Value::Null)
      return std::nullopt;
    std::optional<int64_t> N = V->getAsInteger();
    if (!N || *N < 0 || *N > Most)
      complain(Key, "is not a number from 0 to 4,000,000,000,000,000");
    return N && *N >= 0 && *N <= Most ? N : std::nullopt;
  }
  int64_t number(StringRef Key) {
    if (!O.get(Key))
      complain(Key, "is missing");
    return known(Key).value_or(0);
  }
  std::string text(StringRef Key) {
    const json::Value *V = O.get(Key);
    if (!V || V->kind() == json::Value::Null)
      return "";
    if (!V->getAsString())
      complain(Key, "is not a string");
    return V->getAsString().value_or("").str();
  }
  uint64_t id(StringRef Key) {
    std::string Text = text(Key);
    StringRef Digits = Text;
    uint64_t Id = 0;
    if (!Text.empty() &&
        (!Digits.consume_front("0x") || Digits.getAsInteger(16, Id)))
      complain(Key, "is not an id (0x and hex digits)");
    return Id;
  }
  const json::Array &list(StringRef Key) {
    static const json::Array None;
    const json::Array *A = O.getArray(Key);
    if (!A)
      complain(Key, "is not a list");
    return A ? *A : None;
  }
  const json::Object *object(StringRef Key) {
    const json::Object *Found = O.getObject(Key);
    const json::Value *V = O.get(Key);
    if (!Found && V && V->kind() != json::Value::Null)
      complain(Key, "is not an object");
    return Found;
  }
  std::vector<std::string> texts(StringRef Key) {
    std::vector<std::string> Result;
    for (const json::Value &V : list(Key))
      if (std::optional<StringRef> S = V.getAsString())
        Result.push_back(S->str());
      else
        complain(Key, "contains something other than a string");
    return Result;
  }
};

RankSteps readSteps(Fields F) {
  RankSteps S;
  S.Source = F.text("source");
  S.Site = F.id("id");
  S.FromGpu = F.text("clock") == "gpu";
  S.Count = F.number("count");
  S.Measured = F.number("measured");
  S.WarmUp = F.number("warm_up");
  S.Median = F.number("median_ns");
  S.P95 = F.number("p95_ns");
  S.First = F.number("first");
  S.PerValue = F.number("per_value");
  int64_t Quantum = F.number("quantum_ns");
  if (!llvm::isPowerOf2_64(S.PerValue))
    F.complain("per_value", "is not a power of two");
  else if (!S.First || (S.First - 1) % S.PerValue)
    F.complain("first", "is not the first step of a group");
  for (const json::Value &V : F.list("times")) {
    std::optional<int64_t> N = V.getAsInteger();
    if (!N || *N < 0 || (Quantum && *N > Most / Quantum))
      F.complain("times", "contains something other than a time");
    else
      S.Times.push_back(*N * Quantum);
  }
  return S;
}

RankSums readSums(Fields F) {
  return {size_t(F.number("count")), F.number("host_ns"),
          F.number("span_ns"),       F.number("busy_ns"),
          F.number("wait_ns"),       F.number("exposed_ns"),
          F.text("regime"),          F.known("launches_blocked_ns")};
}

RankSiteRow readSite(Fields F) {
  RankSiteRow S;
  S.Place.Id = F.id("id");
  S.Place.File = F.text("file");
  S.Place.Line =
      uint32_t(std::min<int64_t>(F.known("line").value_or(0), UINT32_MAX));
  S.Place.Function = F.text("function");
  S.Call = F.text("call");
  S.Kind = F.text("kind");
  S.Count = F.number("count");
  S.Waits = F.number("waits");
  S.Wait = F.known("wait_ns");
  S.Exposed = F.known("exposed_ns");
  std::optional<int64_t> Low = F.known("gain_low_ns"),
                         High = F.known("gain_high_ns");
  if (Low && High)
    S.Gained = Gain{*Low, *High};
  S.Judged = analysis::verdictOf(F.text("verdict"));
  return S;
}

RankSummary readOne(Fields F) {
  RankSummary S;
  S.Path = F.text("path");
  S.Info.Rank = F.known("rank");
  S.Info.LocalRank = F.known("local_rank");
  S.Info.Ranks = F.known("ranks");
  S.Info.Host = F.text("host");
  S.Info.Pid = F.known("pid").value_or(-1);
  S.Info.CommandLine = F.text("command");
  S.Info.Mode = F.text("mode");
  S.Info.CuptiState = F.text("cupti");
  S.Devices = F.texts("devices");
  S.Wall = F.number("wall_ns");
  S.Waited = F.known("wait_ns");
  if (const json::Object *Object = F.object("steps"))
    S.Steps = readSteps({F.Problem, *Object});
  else
    F.complain("steps", "is missing");
  if (const json::Object *Object = F.object("in_steps"))
    S.InSteps = readSums({F.Problem, *Object});
  for (const json::Value &V : F.list("sites"))
    if (const json::Object *Row = V.getAsObject())
      S.Sites.push_back(readSite({F.Problem, *Row}));
    else
      F.complain("sites", "contains something other than an object");
  S.Caveats = F.texts("caveats");
  S.IsCutOff = F.O.getBoolean("cut_off").value_or(false);
  return S;
}

llvm::Expected<RankSummary> parseOne(StringRef Text) {
  llvm::Expected<json::Value> Document = parseJson(Text);
  if (!Document)
    return llvm::createStringError("it is damaged JSON: " +
                                   llvm::toString(Document.takeError()));
  const json::Object *O = Document->getAsObject();
  StringRef Schema = O ? O->getString("schema").value_or("") : "";
  if (Schema != "autoprof-summary/1")
    return llvm::createStringError(
        Schema.starts_with("autoprof-summary/")
            ? "it is of the schema " + Schema.str() +
                  ", which a newer autoprof reads"
            : "it is not a summary (schema autoprof-summary/1)");
  std::string Problem;
  RankSummary S = readOne({Problem, *O});
  if (!Problem.empty())
    return llvm::createStringError("the summary is damaged: " + Problem);
  return S;
}

/// Whether lines are documents; else the whole text is one.
bool isByLines(StringRef Text) {
  StringRef First = Text.ltrim().split('\n').first.rtrim();
  return First.ends_with("}");
}

} // namespace

bool report::isSummary(StringRef Start) {
  return Start.ltrim().starts_with("{") &&
         Start.take_front(256).contains("\"autoprof-summary/");
}

llvm::Expected<std::vector<RankSummary>> report::readSummaries(StringRef Text) {
  std::vector<RankSummary> Result;
  const bool ByLines = isByLines(Text);
  for (size_t Line = 1; !Text.empty(); ++Line) {
    StringRef One = Text;
    if (ByLines)
      std::tie(One, Text) = Text.split('\n');
    else
      Text = "";
    if (One.trim().empty())
      continue;
    llvm::Expected<RankSummary> S = parseOne(One);
    if (!S)
      return llvm::createStringError(
          (ByLines ? "line " + std::to_string(Line) + ": " : "") +
          llvm::toString(S.takeError()));
    Result.push_back(std::move(*S));
  }
  return Result;
}
